"""A passage: the piece of a document that is found, issued to a model and cited."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Passage:
    """``text`` is what a model is given; ``start`` and ``end`` are the characters of the document's
    text that it covers (a repeated page line or table header stands before them, outside the span).

    ``position`` counts from 1 in the document; ``section`` is the heading path, outermost first.
    """

    position: int
    text: str
    start: int
    end: int
    page: int | None = None
    section: tuple[str, ...] = ()


SECTION_SEPARATOR = " › "


def section_path(section: tuple[str, ...]) -> str:
    return SECTION_SEPARATOR.join(section)
