"""Whom texts are sent to, to be made into vectors or answered."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Account:
    """``purpose``: embeddings or answers. ``state``: unverified, verified, or failed with ``error`` saying
    why. A ready account (``local``) has its name for an id, and was made by nobody. ``dimensions`` are null
    until they are known, and of an account for answers."""

    id: str
    name: str
    purpose: str
    provider: str
    model: str
    dimensions: int | None
    base_url: str | None
    region: str | None
    question_prefix: str
    passage_prefix: str
    state: str
    error: str | None
    created_at: str | None
    verified_at: str | None

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)
