"""The other half of an index: it proposes candidates, and a ``Visibility`` decides which exist."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Live:
    """A document that may be seen, in its live version."""

    id: str
    version: int
    name: str
    title: str
    source_url: str | None
    metadata: Mapping[str, str]


class Visibility(Protocol):
    """The catalog, or a bake's manifest."""

    def live(self, base: str, documents: Sequence[str]) -> Mapping[str, Live]:
        """Of these documents, those of ``base`` that are live now, by id."""
        ...
