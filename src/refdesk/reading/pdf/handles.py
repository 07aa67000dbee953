"""Pages and their text, opened and closed by pdfium's own handles: a document has hundreds of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import c_ushort, sizeof, string_at
from typing import Any

import pypdfium2.raw as pdfium_c

from refdesk.reading.problem import Problem


@contextmanager
def opened_page(document: Any, index: int) -> Iterator[Any]:
    """``Problem`` names the page that cannot be read: it is not skipped in silence."""
    page = pdfium_c.FPDF_LoadPage(document.raw, index)
    if not page:
        raise Problem("damaged", f"Page {index + 1:,} of the PDF cannot be read; export it again.")
    try:
        yield page
    finally:
        pdfium_c.FPDF_ClosePage(page)


@contextmanager
def opened_text(page: Any) -> Iterator[Any]:
    textpage = pdfium_c.FPDFText_LoadPage(page)
    try:
        yield textpage
    finally:
        pdfium_c.FPDFText_ClosePage(textpage)


def whole_text(textpage: Any) -> str:
    """pdfium answers nothing when the first or last character is one that it leaves out of the text."""
    first, last = 0, pdfium_c.FPDFText_CountChars(textpage) - 1
    while first <= last and (start := _place(textpage, first)) < 0:
        first += 1
    while first <= last and (end := _place(textpage, last)) < 0:
        last -= 1
    if first > last:
        return ""
    buffer = (c_ushort * (end - start + 2))()
    written = pdfium_c.FPDFText_GetText(textpage, first, last - first + 1, buffer)
    return string_at(buffer, (written - 1) * sizeof(c_ushort)).decode("utf-16-le", "ignore")


def _place(textpage: Any, character: int) -> int:
    return int(pdfium_c.FPDFText_GetTextIndexFromCharIndex(textpage, character))
