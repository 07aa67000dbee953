"""One page: its text with its figures in place, the words in its annotations, and what it lacks."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as pdfium_c

from refdesk.reading.clean import FIGURE, has_more_letters, without_figures
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
"""Share of the page that an image takes to count as the page itself."""

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
    covered: bool
    garbled: bool
    looked_for: float | None

    @property
    def has_text(self) -> bool:
        """A few letters on a page-covering image are no text (a stamp); anything else is."""
        return has_more_letters(without_figures(self.text), _STAMP if self.covered else 0)


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
    return PageRead(
        text="\n\n".join(filter(None, [clean_text(lines, figures), "\n".join(annotation_lines(page))])),
        places=tuple(Place(paint, _reason(drawn[paint], limits), alts.get(paint)) for paint in order),
        covered=any(_covers(each, page) for each in drawn),
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


def _reason(drawn: Drawn, limits: Limits) -> str | None:
    try:
        check_size(*drawn.pixels, limits)
    except NotKept as why:
        return why.reason
    return None


def _covers(drawn: Drawn, page: Any) -> bool:
    left, bottom, right, top = drawn.box
    whole = pdfium_c.FS_RECTF()
    pdfium_c.FPDF_GetPageBoundingBox(page, whole)
    width = min(right, whole.right) - max(left, whole.left)
    height = min(top, whole.top) - max(bottom, whole.bottom)
    area = (whole.right - whole.left) * (whole.top - whole.bottom)
    return bool(min(width, height) > 0 and width * height >= _COVERS * area)
