"""What a tagged page's structure tree tells: alt text of its figures, and the heading that opens it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from ctypes import c_float, c_ushort
from typing import Any

import pypdfium2.raw as pdfium_c

from refdesk.reading.clean import one_line
from refdesk.reading.pdf.objects import Drawn

_DEPTH = 40
_ELEMENTS = 20_000
_HEADING = re.compile(r"Title|H[1-6]?")

Box = tuple[float, float, float, float]


def alt_texts(page: Any, drawn: Sequence[Drawn]) -> dict[int, str]:
    """Alt text by the place of the image among the page's ``drawn``, where it has one."""
    if not any(each.marked for each in drawn):
        return {}
    with _roots(page) as roots:
        by_mark = dict(_alt_by_mark(roots))
    found = ((at, next(filter(None, map(by_mark.get, each.marked)), "")) for at, each in enumerate(drawn))
    return {at: alt for at, alt in found if alt}


def opening_heading(page: Any, textpage: Any) -> str:
    """The words of the heading that opens the page, pictures aside; empty where another element does."""
    with _roots(page) as roots:
        marks = _opening_marks(roots)
    boxes = list(_text_boxes(page, marks)) if marks else []
    return one_line(_text_in(textpage, boxes)) if boxes else ""


def _opening_marks(roots: Sequence[Any]) -> set[int]:
    for element, _ in _elements(roots, ""):
        kind = _string(pdfium_c.FPDF_StructElement_GetType, element)
        if _HEADING.fullmatch(kind):
            return {mark for each, _ in _elements([element], "") for mark in _marks(each)}
        if kind != "Figure" and next(_marks(element), None) is not None:
            break
    return set()


@contextmanager
def _roots(page: Any) -> Iterator[list[Any]]:
    tree = pdfium_c.FPDF_StructTree_GetForPage(page)
    try:
        count = pdfium_c.FPDF_StructTree_CountChildren(tree) if tree else 0
        yield [pdfium_c.FPDF_StructTree_GetChildAtIndex(tree, at) for at in range(count)]
    finally:
        if tree:
            pdfium_c.FPDF_StructTree_Close(tree)


def _elements(roots: Sequence[Any], alt: str) -> Iterator[tuple[Any, str]]:
    """Elements in reading order, each with its alt text or that of the nearest element around it."""
    waiting = [(root, alt, 0) for root in reversed(roots)]
    for _ in range(_ELEMENTS):
        if not waiting:
            return
        element, alt, depth = waiting.pop()
        if not element or depth > _DEPTH:
            continue
        alt = one_line(_string(pdfium_c.FPDF_StructElement_GetAltText, element)) or alt
        yield element, alt
        children = reversed(range(pdfium_c.FPDF_StructElement_CountChildren(element)))
        waiting += [
            (pdfium_c.FPDF_StructElement_GetChildAtIndex(element, at), alt, depth + 1) for at in children
        ]


def _alt_by_mark(roots: Sequence[Any]) -> Iterator[tuple[int, str]]:
    for element, alt in _elements(roots, ""):
        if alt:
            yield from ((mark, alt) for mark in _marks(element))


def _marks(element: Any) -> Iterator[int]:
    """Ids of the marked content that belongs to the element."""
    for at in range(pdfium_c.FPDF_StructElement_GetMarkedContentIdCount(element)):
        mark = pdfium_c.FPDF_StructElement_GetMarkedContentIdAtIndex(element, at)
        if mark >= 0:
            yield mark


def _string(get: Callable[[Any, Any, int], int], element: Any) -> str:
    size = get(element, None, 0)
    buffer = (pdfium_c.FPDF_WCHAR * (size // 2))()
    get(element, buffer, size)
    return bytes(buffer)[:-2].decode("utf-16-le", "replace")


def _text_boxes(page: Any, marks: set[int]) -> Iterator[Box]:
    for at in range(pdfium_c.FPDFPage_CountObjects(page)):
        each = pdfium_c.FPDFPage_GetObject(page, at)
        if pdfium_c.FPDFPageObj_GetMarkedContentID(each) not in marks:
            continue
        left, bottom, right, top = c_float(), c_float(), c_float(), c_float()
        if pdfium_c.FPDFPageObj_GetBounds(each, left, bottom, right, top):
            yield left.value, bottom.value, right.value, top.value


def _text_in(textpage: Any, boxes: Sequence[Box]) -> str:
    """Words with the spaces between them, which the objects alone don't have."""
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    area = (min(lefts), max(tops), max(rights), min(bottoms))
    count = pdfium_c.FPDFText_GetBoundedText(textpage, *area, None, 0)
    buffer = (c_ushort * count)()
    pdfium_c.FPDFText_GetBoundedText(textpage, *area, buffer, count)
    return bytes(buffer).decode("utf-16-le", "ignore")
