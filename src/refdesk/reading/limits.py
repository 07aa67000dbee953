"""The limits of a policy as plain data, so that the reading child needs no policy."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from refdesk.policy.model import Policy


_SPARE_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Characters are code points, sides are pixels, ``stored`` is what a document holds, undecoded."""

    max_characters: int
    max_pages: int
    max_line_characters: int | None
    read_seconds: float
    prepare_seconds: float
    max_figures: int
    max_pixels: int
    max_image_bytes: int
    max_total_image_bytes: int
    min_side: int
    max_stored_side: int

    @classmethod
    def of(cls, policy: Policy) -> Limits:
        documents, figures = policy.documents, policy.figures
        return cls(
            max_characters=documents.max_characters,
            max_pages=documents.max_pages,
            max_line_characters=documents.max_line_characters,
            read_seconds=documents.max_seconds,
            prepare_seconds=figures.prepare_seconds,
            max_figures=figures.max_count,
            max_pixels=figures.max_pixels,
            max_image_bytes=figures.max_bytes,
            max_total_image_bytes=figures.max_total_bytes,
            min_side=figures.min_side,
            max_stored_side=figures.max_stored_side,
        )

    @property
    def frame_bytes(self) -> int:
        """More than any part of an honest answer takes: all text at four bytes a character, one picture."""
        return _SPARE_BYTES + 4 * self.max_characters + 4 * self.max_stored_side**2

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)
