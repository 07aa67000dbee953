"""A PDF as a whole: whether it can be opened, its pages within the limits, what it lacks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from refdesk.reading.clean import FIGURE, has_words, one_line, without_figures
from refdesk.reading.content import BETWEEN_PAGES, Content
from refdesk.reading.figures import listed
from refdesk.reading.limits import Limits
from refdesk.reading.pdf.handles import opened_page, opened_text
from refdesk.reading.pdf.page import PageRead, read_page
from refdesk.reading.pdf.pictures import pictures_of
from refdesk.reading.pdf.structure import opening_heading
from refdesk.reading.pdf.text import mended
from refdesk.reading.problem import Problem

_NO_TITLE = re.compile(
    r"microsoft \w+ - .*|(?:untitled|document|presentation)\W*\d*|.*\.(?:docx?|pptx?|xlsx?|pdf|indd|dvi)",
    re.IGNORECASE,
)

_LOOKING_SHARE = 0.25
"""Of the reading time, what finding pictures may take: a document is never refused for an image."""


def read_pdf(data: bytes, limits: Limits) -> Content:
    document = _open(data)
    _check_page_count(len(document), limits)
    pages = _read_pages(document, limits)
    _check_text(pages)
    places = [(number, place) for number, page in enumerate(pages, start=1) for place in page.places]
    return Content(
        pages=mended([_with_page_line(number, page.text) for number, page in enumerate(pages, start=1)]),
        title=_title(document),
        notes=_notes(document, pages),
        drawn=len(places),
        unseen=[number for number, page in enumerate(pages, start=1) if page.looked_for is None],
        labels={at: place.alt or f"page {page}" for at, (page, place) in enumerate(places, start=1)},
        pictures=pictures_of(document, [page.places for page in pages], limits),
    )


def _with_page_line(number: int, text: str) -> str:
    """The physical page, whatever label the document prints on it. A figure is a paragraph of its own."""
    between = "\n\n" if text.startswith(FIGURE[0]) else "\n"
    return f"Page {number}{between}{text}".rstrip("\n")


def _open(data: bytes) -> Any:
    try:
        return pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        if error.err_code in (pdfium_c.FPDF_ERR_PASSWORD, pdfium_c.FPDF_ERR_SECURITY):
            raise Problem(
                "password_protected",
                "The PDF needs a password, or uses a protection that cannot be read; save it without one.",
            ) from None
        raise Problem("damaged", "The PDF is damaged and cannot be opened; export it again.") from None


def _check_page_count(count: int, limits: Limits) -> None:
    if count > limits.max_pages:
        raise Problem(
            "too_many_pages",
            f"The PDF has {count:,} pages and the limit is {limits.max_pages:,}; split it.",
            limit=limits.max_pages,
            actual=count,
        )
    if count < 1:
        raise Problem("damaged", "The PDF has no pages that can be found; export it again.")


def _read_pages(document: Any, limits: Limits) -> list[PageRead]:
    """Stops at the page on which the limit of characters is passed."""
    pages: list[PageRead] = []
    characters, drawn = -len(BETWEEN_PAGES), 0
    looking = limits.read_seconds * _LOOKING_SHARE
    for index in range(len(document)):
        with opened_page(document, index) as page:
            pages.append(read_page(page, drawn + 1, limits, look=looking > 0))
        looking -= pages[-1].looked_for or 0
        drawn += len(pages[-1].places)
        characters += len(BETWEEN_PAGES) + len(_with_page_line(index + 1, without_figures(pages[-1].text)))
        if characters > limits.max_characters:
            raise Problem(
                "too_many_characters",
                f"The PDF has {characters:,} characters on the first {index + 1:,} of its "
                f"{len(document):,} pages and the limit is {limits.max_characters:,}; split it.",
                limit=limits.max_characters,
                actual=characters,
            )
    return pages


def _title(document: Any) -> str | None:
    """The title property, unless a program wrote it there; else the heading that opens a tagged one."""
    title = one_line(document.get_metadata_value("Title"))
    if has_words(title) and not _NO_TITLE.fullmatch(title):
        return title
    if not pdfium_c.FPDFCatalog_IsTagged(document):
        return None
    with opened_page(document, 0) as page, opened_text(page) as textpage:
        return opening_heading(page, textpage) or None


def _check_text(pages: Sequence[PageRead]) -> None:
    if any(page.has_text for page in pages):
        return
    if any(page.places for page in pages):
        raise Problem(
            "scanned", "The PDF is made of images and has no text to read; recognize its text first (OCR)."
        )
    raise Problem("no_text", "The PDF has no text on any page.")


def _notes(document: Any, pages: Sequence[PageRead]) -> list[str]:
    empty = [number for number, page in enumerate(pages, start=1) if not page.has_text]
    garbled = [number for number, page in enumerate(pages, start=1) if page.garbled]
    attached = pdfium_c.FPDFDoc_GetAttachmentCount(document)
    told = (
        (empty, f"Pages without text: {listed(empty)}"),
        (
            garbled,
            f"Pages whose text may be wrong, as their fonts do not name their letters: {listed(garbled)}",
        ),
        (attached > 0, f"Attached files that were not read: {attached}"),
        (
            document.get_formtype() == pdfium_c.FORMTYPE_XFA_FULL,
            "The PDF is an XFA form: what a form reader would show may differ from its page text.",
        ),
    )
    return [sentence for holds, sentence in told if holds]
