"""A PDF from a source, drawn by pdfium: headings, paragraphs, lists, tables and figures on A4 pages.

Standard fonts, so Latin-1 text. The same source gives the same bytes.
"""

from __future__ import annotations

import ctypes
import io
import re
from collections.abc import Iterator
from typing import Any

import pypdfium2 as pdfium
from pypdfium2 import raw

from refdesk.demo.figures import draw
from refdesk.demo.source import Element, Figure, Heading, Items, Paragraph, Source, Table, elements, runs

_WIDTH, _HEIGHT, _MARGIN = 595.0, 842.0, 64.0  # points: A4
_SIZES = {1: 20.0, 2: 14.0, 3: 12.0}
_BODY, _CELL = 11.0, 9.5
_LEADING = 1.5
_GAP = 8.0
_INDENT = 16.0
_COLUMN_GAP = 12.0
_KEPT_BELOW = 100.0  # room for a paragraph: a heading is not left alone at the bottom


class _Pages:
    """A pen that goes down the page and starts a new one at the bottom."""

    def __init__(self) -> None:
        self.document = pdfium.PdfDocument.new()
        self.fonts = {
            name: raw.FPDFText_LoadStandardFont(self.document, name)
            for name in (b"Helvetica", b"Helvetica-Bold")
        }
        self.page: Any = None
        self.y = 0.0

    def room(self, height: float) -> None:
        """Starts a new page unless ``height`` is left on this one."""
        if self.page is None or self.y - height < _MARGIN:
            self.finish()
            self.page = self.document.new_page(_WIDTH, _HEIGHT)
            self.y = _HEIGHT - _MARGIN

    def line(self, pieces: list[tuple[float, str]], size: float, *, bold: bool = False) -> None:
        """One line: texts with their distance from the left margin."""
        self.room(size * _LEADING)
        self.y -= size * _LEADING
        for x, text in pieces:
            self._draw(x, text, size, bold)

    def _draw(self, x: float, text: str, size: float, bold: bool) -> None:
        text_object = raw.FPDFPageObj_CreateTextObj(self.document, self._font(bold), size)
        encoded = ctypes.create_string_buffer(text.encode("utf-16-le") + b"\0\0")
        raw.FPDFText_SetText(text_object, ctypes.cast(encoded, raw.FPDF_WIDESTRING))
        raw.FPDFPageObj_Transform(text_object, 1, 0, 0, 1, _MARGIN + x, self.y)
        raw.FPDFPage_InsertObject(self.page, text_object)

    def picture(self, name: str) -> None:
        """As wide as the text."""
        drawn = draw(name)
        width = _WIDTH - 2 * _MARGIN
        height = width * drawn.height / drawn.width
        self.room(height)
        self.y -= height
        image = pdfium.PdfImage.new(self.document)
        image.set_bitmap(pdfium.PdfBitmap.from_pil(drawn))
        image.set_matrix(pdfium.PdfMatrix().scale(width, height).translate(_MARGIN, self.y))
        self.page.insert_obj(image)

    def width(self, text: str, size: float, *, bold: bool = False) -> float:
        total, glyph = 0.0, ctypes.c_float()
        for character in text:
            raw.FPDFFont_GetGlyphWidth(self._font(bold), ord(character), size, glyph)
            total += glyph.value
        return total

    def wrapped(self, text: str, room: float, size: float) -> Iterator[str]:
        line = ""
        for word in text.split():
            longer = f"{line} {word}" if line else word
            if line and self.width(longer, size) > room:
                yield line
                line = word
            else:
                line = longer
        if line:
            yield line

    def finish(self) -> None:
        if self.page is not None:
            raw.FPDFPage_GenerateContent(self.page)
            self.page.close()
            self.page = None

    def _font(self, bold: bool) -> Any:
        return self.fonts[b"Helvetica-Bold" if bold else b"Helvetica"]


def pdf(source: Source) -> bytes:
    pages = _Pages()
    for element in elements(source.body):
        _element(pages, element)
    pages.finish()
    for font in pages.fonts.values():
        raw.FPDFFont_Close(font)
    buffer = io.BytesIO()
    pages.document.save(buffer)
    pages.document.close()
    return _titled(buffer.getvalue(), source.title)


def _element(pages: _Pages, element: Element) -> None:
    room = _WIDTH - 2 * _MARGIN
    match element:
        case Heading(level, text):
            pages.room(_SIZES[level] * _LEADING + _KEPT_BELOW)
            pages.y -= _GAP
            pages.line([(0, text)], _SIZES[level], bold=True)
        case Paragraph(text):
            lines = list(pages.wrapped(_plain(text), room, _BODY))
            pages.room(len(lines) * _BODY * _LEADING)  # a paragraph is not torn between two pages
            for line in lines:
                pages.line([(0, line)], _BODY)
        case Items(numbered, texts):
            for number, text in enumerate(texts, 1):
                _item(pages, f"{number}." if numbered else "-", _plain(text), room - _INDENT)
        case Figure(_, name):
            pages.picture(name)
        case Table(rows):
            _table(pages, [[_plain(cell) for cell in row] for row in rows], room)
    pages.y -= _GAP


def _item(pages: _Pages, mark: str, text: str, room: float) -> None:
    first, *others = pages.wrapped(text, room, _BODY)
    pages.room((1 + len(others)) * _BODY * _LEADING)
    pages.line([(0, mark), (_INDENT, first)], _BODY)
    for line in others:
        pages.line([(_INDENT, line)], _BODY)


def _table(pages: _Pages, rows: list[list[str]], room: float) -> None:
    """Each row is one line: a reader of the file then gives it as one line too."""
    columns = [
        max(pages.width(cell, _CELL, bold=True) for cell in column) for column in zip(*rows, strict=True)
    ]
    gap = min(_COLUMN_GAP * 2, (room - sum(columns)) / max(1, len(columns) - 1))
    if gap < _COLUMN_GAP / 2:
        raise ValueError(f"the table with the header {rows[0]} is too wide for a page")
    starts = [sum(columns[:column]) + gap * column for column in range(len(columns))]
    pages.room(3 * _CELL * _LEADING)
    for number, row in enumerate(rows):
        pages.line(list(zip(starts, row, strict=True)), _CELL, bold=number == 0)


def _plain(text: str) -> str:
    return "".join(piece for piece, _ in runs(text))


def _titled(content: bytes, title: str) -> bytes:
    """With the title property, and without the time and the random identifier that pdfium writes.

    The property comes as an incremental update (ISO 32000-1, 7.5.6): pdfium has no call that sets it.
    """
    content = re.sub(rb"\(D:\d{14}", b"(D:20000101000000", content)
    content = re.sub(rb"/ID\[<\w{32}><\w{32}>\]", b"/ID[<" + b"0" * 32 + b"><" + b"0" * 32 + b">]", content)
    trailer = re.search(
        rb"/Root (?P<root>\d+) 0 R\s*/Info (?P<info>\d+) 0 R\s*/Size (?P<size>\d+)"
        rb".*startxref\s+(?P<xref>\d+)",
        content,
        re.DOTALL,
    )
    if trailer is None:
        raise ValueError("pdfium wrote a trailer of another shape")
    escaped = re.sub(rb"([\\()])", rb"\\\1", title.encode("latin-1"))
    content += b"\n" * (not content.endswith(b"\n"))
    update = b"%s 0 obj\n<</Title (%s)>>\nendobj\n" % (trailer["info"], escaped)
    table = b"xref\n%s 1\n%010d 00000 n \n" % (trailer["info"], len(content))
    ending = b"trailer\n<</Root %s 0 R /Info %s 0 R /Size %s /Prev %s>>\nstartxref\n%d\n%%%%EOF\n" % (
        trailer["root"],
        trailer["info"],
        trailer["size"],
        trailer["xref"],
        len(content) + len(update),
    )
    return content + update + table + ending
