"""One page: its text, the words in its annotations, and what is drawn on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from refdesk.reading.clean import has_words, letters
from refdesk.reading.content import NotKept
from refdesk.reading.limits import Limits
from refdesk.reading.pdf.annotations import annotation_lines
from refdesk.reading.pdf.objects import Drawn, drawn_images
from refdesk.reading.pdf.structure import alt_texts
from refdesk.reading.pdf.text import page_text, share_unmapped
from refdesk.reading.pictures import check_size

_STAMP = 32
"""So few letters on top of a page-covering image are a scanner's stamp, not the page's text."""

_COVERS = 0.85
"""Share of the page that an image takes to count as the page itself."""

_GARBLED = 0.25
"""Share of letters that the fonts do not name, above which a page is told as hard to read."""


@dataclass(frozen=True, slots=True)
class PageRead:
    """``unkept`` has for each image drawn the reason that is known before decoding, else ``None``."""

    text: str
    unkept: tuple[str | None, ...]
    labels: dict[int, str]
    covered: bool
    garbled: bool

    @property
    def has_text(self) -> bool:
        return has_words(self.text)

    @property
    def is_scan(self) -> bool:
        return self.covered and letters(self.text) <= _STAMP


def read_page(page: Any, limits: Limits) -> PageRead:
    textpage = page.get_textpage()
    try:
        text, garbled = page_text(textpage), share_unmapped(textpage) > _GARBLED
    finally:
        textpage.close()
    drawn = list(drawn_images(page))
    return PageRead(
        text="\n\n".join(filter(None, [text, "\n".join(annotation_lines(page))])),
        unkept=tuple(_reason(each, limits) for each in drawn),
        labels=alt_texts(page, drawn),
        covered=any(_covers(each, page) for each in drawn),
        garbled=garbled,
    )


def _reason(drawn: Drawn, limits: Limits) -> str | None:
    try:
        check_size(*drawn.pixels, limits)
    except NotKept as why:
        return why.reason
    return None


def _covers(drawn: Drawn, page: Any) -> bool:
    left, bottom, right, top = drawn.box
    page_left, page_bottom, page_right, page_top = page.get_bbox()
    width = min(right, page_right) - max(left, page_left)
    height = min(top, page_top) - max(bottom, page_bottom)
    whole = (page_right - page_left) * (page_top - page_bottom)
    return bool(min(width, height) > 0 and width * height >= _COVERS * whole)
