"""Alt text of a tagged page's figures, from its structure tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pypdfium2.raw as pdfium_c

from refdesk.reading.clean import one_line
from refdesk.reading.pdf.objects import Drawn

_DEPTH = 40
_ELEMENTS = 20_000


def alt_texts(page: Any, drawn: Sequence[Drawn]) -> dict[int, str]:
    """Alt text by the place of the image among the page's ``drawn``, where it has one."""
    if not any(each.marked for each in drawn):
        return {}
    by_mark = _alt_by_mark(page)
    found = ((at, next(filter(None, map(by_mark.get, each.marked)), "")) for at, each in enumerate(drawn))
    return {at: alt for at, alt in found if alt}


def _alt_by_mark(page: Any) -> dict[int, str]:
    """Alt text by marked content id; an element's alt text holds for what is inside it."""
    tree = pdfium_c.FPDF_StructTree_GetForPage(page)
    if not tree:
        return {}
    try:
        roots = range(pdfium_c.FPDF_StructTree_CountChildren(tree))
        return dict(_walk([(pdfium_c.FPDF_StructTree_GetChildAtIndex(tree, at), "", 0) for at in roots]))
    finally:
        pdfium_c.FPDF_StructTree_Close(tree)


def _walk(waiting: list[tuple[Any, str, int]]) -> Iterator[tuple[int, str]]:
    for _ in range(_ELEMENTS):
        if not waiting:
            return
        element, alt, depth = waiting.pop()
        if not element or depth > _DEPTH:
            continue
        alt = _alt(element) or alt
        if alt:
            yield from ((mark, alt) for mark in _marks(element))
        children = range(pdfium_c.FPDF_StructElement_CountChildren(element))
        waiting += [
            (pdfium_c.FPDF_StructElement_GetChildAtIndex(element, at), alt, depth + 1) for at in children
        ]


def _marks(element: Any) -> Iterator[int]:
    for at in range(pdfium_c.FPDF_StructElement_GetMarkedContentIdCount(element)):
        mark = pdfium_c.FPDF_StructElement_GetMarkedContentIdAtIndex(element, at)
        if mark >= 0:
            yield mark


def _alt(element: Any) -> str:
    size = pdfium_c.FPDF_StructElement_GetAltText(element, None, 0)
    if size <= 2:
        return ""
    buffer = (pdfium_c.FPDF_WCHAR * (size // 2))()
    pdfium_c.FPDF_StructElement_GetAltText(element, buffer, size)
    return one_line(bytes(buffer)[:-2].decode("utf-16-le", "replace"))
