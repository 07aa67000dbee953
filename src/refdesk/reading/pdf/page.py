"""One page: its text with its figures in place, the words in its annotations, and what it lacks."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as pdfium_c

from refdesk.reading.clean import FIGURE, has_more_letters, has_words, without_figures
from refdesk.reading.content import NotKept
from refdesk.reading.limits import Limits
from refdesk.reading.pdf.annotations import annotation_lines
from refdesk.reading.pdf.handles import opened_text
from refdesk.reading.pdf.objects import Drawn, drawn_images
from refdesk.reading.pdf.place import line_above, line_boxes, shown
from refdesk.reading.pdf.structure import alt_texts
from refdesk.reading.pdf.text import LINE_END, clean_text, raw_lines, share_unmapped
from refdesk.reading.pictures import check_size

_STAMP = 32
"""So few letters on top of a page-covering image are a scanner's stamp, not the page's text."""

_COVERS = 0.85
"""Share of the page that images take to count as the page itself."""

_GARBLED = 0.25
"""Share of letters that the fonts do not name, above which a page is told as hard to read."""


@dataclass(frozen=True, slots=True)
class Place:
    """An image on the page: ``paint`` is its place among those drawn, ``unkept`` a reason already known."""

    paint: int
    unkept: str | None
    alt: str | None


@dataclass(frozen=True, slots=True)
class PageRead:
    """``places`` are in the order of the text, the first with the number that ``read_page`` was given.

    ``looked_for`` are the seconds that finding them took; ``None`` where nobody looked.
    """

    text: str
    places: tuple[Place, ...]
    has_text: bool
    garbled: bool
    looked_for: float | None


def read_page(page: Any, first: int, limits: Limits, *, look: bool) -> PageRead:
    """``first`` numbers the first figure on the page; ``look`` for pictures at all."""
    began = time.monotonic()
    drawn = list(drawn_images(page)) if look else []
    looked_for = time.monotonic() - began if look else None
    with opened_text(page) as textpage:
        lines = raw_lines(textpage)
        before = _lines_before(page, textpage, lines, drawn)
        garbled = share_unmapped(textpage) > _GARBLED
    order = sorted(range(len(drawn)), key=before.__getitem__)
    figures: dict[int, list[str]] = defaultdict(list)
    for number, paint in enumerate(order, start=first):
        figures[before[paint]].append(FIGURE.format(number))
    alts = alt_texts(page, drawn)
    text = "\n\n".join(filter(None, [clean_text(lines, figures), "\n".join(annotation_lines(page))]))
    return PageRead(
        text=text,
        has_text=_has_text(text, page, drawn),
        places=tuple(Place(paint, _reason(drawn[paint], limits), alts.get(paint)) for paint in order),
        garbled=garbled,
        looked_for=looked_for,
    )


def _lines_before(page: Any, textpage: Any, lines: Sequence[str], drawn: Sequence[Drawn]) -> list[int]:
    """For each image, how many lines of the text come before it."""
    if not drawn:
        return []
    rotation = 90 * pdfium_c.FPDFPage_GetRotation(page)
    boxes = line_boxes(textpage, lines, len(LINE_END), rotation)
    return [line_above(shown(each.box, rotation), boxes) for each in drawn]


def _has_text(text: str, page: Any, drawn: Sequence[Drawn]) -> bool:
    """A few letters on images that cover the page are a stamp and no text."""
    alone = without_figures(text)
    return has_more_letters(alone, _STAMP) or (has_words(alone) and not (drawn and _cover(page, drawn)))


def _reason(drawn: Drawn, limits: Limits) -> str | None:
    try:
        check_size(*drawn.pixels, limits)
    except NotKept as why:
        return why.reason
    return None


def _cover(page: Any, drawn: Sequence[Drawn]) -> bool:
    """Whether the images together take most of the page; scanners cut pages into strips."""
    whole = pdfium_c.FS_RECTF()
    pdfium_c.FPDF_GetPageBoundingBox(page, whole)
    area = 0.0
    for left, bottom, right, top in {each.box for each in drawn}:
        width = min(right, whole.right) - max(left, whole.left)
        height = min(top, whole.top) - max(bottom, whole.bottom)
        area += max(width, 0) * max(height, 0)
    return bool(area >= _COVERS * (whole.right - whole.left) * (whole.top - whole.bottom))
