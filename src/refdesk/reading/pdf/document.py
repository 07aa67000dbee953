"""A PDF as a whole: whether it can be opened, its pages within the limits, what it lacks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from refdesk.reading.clean import FIGURE, one_line
from refdesk.reading.content import Content
from refdesk.reading.limits import Limits
from refdesk.reading.pdf.page import PageRead, read_page
from refdesk.reading.pdf.pictures import pictures_of
from refdesk.reading.pdf.text import mended
from refdesk.reading.problem import Problem


def read_pdf(data: bytes, limits: Limits) -> Content:
    document = _open(data)
    _check_page_count(len(document), limits)
    pages = _read_pages(document, limits)
    _check_text(pages)
    drawn = 0
    labels: dict[int, str] = {}
    texts = []
    for number, (page, text) in enumerate(
        zip(pages, mended([page.text for page in pages]), strict=True), start=1
    ):
        figures = [FIGURE.format(drawn + at) for at in range(1, len(page.unkept) + 1)]
        labels |= {
            drawn + at: page.labels.get(at - 1, f"page {number}") for at in range(1, len(page.unkept) + 1)
        }
        drawn += len(page.unkept)
        texts.append("\n\n".join([f"Page {number}" + (f"\n{text}" if text else ""), *figures]))
    return Content(
        pages=texts,
        title=one_line(document.get_metadata_value("Title")) or None,
        notes=list(_notes(pages)),
        drawn=drawn,
        labels=labels,
        pictures=pictures_of(document, [page.unkept for page in pages], limits),
    )


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
    characters = 0
    for index in range(len(document)):
        page = _page(document, index)
        pages.append(read_page(page, limits))
        page.close()
        characters += len(pages[-1].text)
        if characters > limits.max_characters:
            raise Problem(
                "too_many_characters",
                f"The PDF has {characters:,} characters on the first {index + 1:,} of its "
                f"{len(document):,} pages and the limit is {limits.max_characters:,}; split it.",
                limit=limits.max_characters,
                actual=characters,
            )
    return pages


def _page(document: Any, index: int) -> Any:
    try:
        return document[index]
    except pdfium.PdfiumError:
        raise Problem("damaged", f"Page {index + 1:,} of the PDF cannot be read; export it again.") from None


def _check_text(pages: Sequence[PageRead]) -> None:
    if any(page.has_text and not page.is_scan for page in pages):
        return
    if any(page.unkept for page in pages):
        raise Problem(
            "scanned", "The PDF is made of images and has no text to read; recognize its text first (OCR)."
        )
    raise Problem("no_text", "The PDF has no text on any page.")


def _notes(pages: Sequence[PageRead]) -> list[str]:
    empty = [number for number, page in enumerate(pages, start=1) if not page.has_text or page.is_scan]
    garbled = [number for number, page in enumerate(pages, start=1) if page.garbled]
    notes = []
    if empty:
        notes.append(f"Pages without text: {_listed(empty)}")
    if garbled:
        notes.append(
            f"Pages whose fonts do not name their letters, so that the text may be wrong: {_listed(garbled)}"
        )
    return notes


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))
