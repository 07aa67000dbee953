"""What reading gives: a document's text with its pages and figures, and what was not kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from refdesk.policy.model import Kind


@dataclass(frozen=True, slots=True)
class Page:
    """One page's span in the text, page line (``Page 3``) included: ``text[start:end]``."""

    number: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Figure:
    """A kept image: lossless WebP, metadata removed. ``label`` is the alt text alone."""

    number: int
    label: str
    page: int | None
    width: int
    height: int
    webp: bytes


@dataclass(frozen=True, slots=True)
class Reading:
    """``text`` has LF line ends and no control characters but tab and newline.

    ``not_kept`` counts images by reason; ``notes`` are sentences for a person.
    """

    kind: Kind
    text: str
    title: str | None
    pages: tuple[Page, ...] = ()
    figures: tuple[Figure, ...] = ()
    not_kept: dict[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
