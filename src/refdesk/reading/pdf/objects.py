"""The image objects that are drawn on a page, in paint order, forms followed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from ctypes import PYFUNCTYPE, c_int, c_uint, c_ulong, c_void_p, cast
from dataclasses import dataclass
from functools import partial
from typing import Any

import pypdfium2.raw as pdfium_c

_FORM_DEPTH = 15

Matrix = tuple[float, float, float, float, float, float]


@dataclass(frozen=True, slots=True)
class Drawn:
    """``matrix`` maps the unit square to the page; ``marked`` are ids of marked content, inner first."""

    raw: Any
    matrix: Matrix
    marked: tuple[int, ...]

    @property
    def pixels(self) -> tuple[int, int]:
        width, height = c_uint(), c_uint()
        pdfium_c.FPDFImageObj_GetImagePixelSize(self.raw, width, height)
        return width.value, height.value

    @property
    def stored(self) -> int:
        """Bytes as stored in the document."""
        return int(pdfium_c.FPDFImageObj_GetImageDataRaw(self.raw, None, 0))

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, bottom, right, top on the page."""
        a, b, c, d, e, f = self.matrix
        across, up = (0.0, a, c, a + c), (0.0, b, d, b + d)
        return e + min(across), f + min(up), e + max(across), f + max(up)


def drawn_images(page: Any) -> Iterator[Drawn]:
    """Masks, patterns, shadings and annotations are no image objects of the page. ``page`` must stay open."""
    count = pdfium_c.FPDFPage_CountObjects(page)
    yield from _images(map(partial(_page_object, _address(page)), range(count)), None, (), _FORM_DEPTH)


def _images(
    addresses: Iterable[int], outer: Matrix | None, marked: tuple[int, ...], depth: int
) -> Iterator[Drawn]:
    found = list(addresses)
    kinds = list(map(_kind, found))
    if _OF_INTEREST.isdisjoint(kinds):
        return
    for address, kind in zip(found, kinds, strict=True):
        if kind not in _OF_INTEREST:
            continue
        each = cast(address, pdfium_c.FPDF_PAGEOBJECT)
        placed, marks = _placed(each, outer), _marked(each, marked)
        if kind == pdfium_c.FPDF_PAGEOBJ_IMAGE:
            yield Drawn(each, placed, marks)
        elif depth:
            count = pdfium_c.FPDFFormObj_CountObjects(each)
            inner = map(partial(_form_object, address), range(count))
            yield from _images(inner, placed, marks, depth - 1)


def _by_address(function: Any, *arguments: Any, result: Any) -> Any:
    """The same function, taking and giving addresses as plain numbers.

    Half the time that pointer objects take: a page may hold 100,000 objects, most of them of no interest.
    """
    return PYFUNCTYPE(result, *arguments)(_address(function))


def _address(pointer: Any) -> int:
    return cast(pointer, c_void_p).value or 0


_page_object = _by_address(pdfium_c.FPDFPage_GetObject, c_void_p, c_int, result=c_void_p)
_form_object = _by_address(pdfium_c.FPDFFormObj_GetObject, c_void_p, c_ulong, result=c_void_p)
_kind = _by_address(pdfium_c.FPDFPageObj_GetType, c_void_p, result=c_int)
_OF_INTEREST = frozenset((pdfium_c.FPDF_PAGEOBJ_IMAGE, pdfium_c.FPDF_PAGEOBJ_FORM))


def _placed(raw: Any, outer: Matrix | None) -> Matrix:
    own = pdfium_c.FS_MATRIX()
    pdfium_c.FPDFPageObj_GetMatrix(raw, own)
    a, b, c, d, e, f = own.a, own.b, own.c, own.d, own.e, own.f
    if outer is None:
        return a, b, c, d, e, f
    oa, ob, oc, od, oe, of = outer
    return (
        a * oa + b * oc,
        a * ob + b * od,
        c * oa + d * oc,
        c * ob + d * od,
        e * oa + f * oc + oe,
        e * ob + f * od + of,
    )


def _marked(raw: Any, outer: tuple[int, ...]) -> tuple[int, ...]:
    mark = pdfium_c.FPDFPageObj_GetMarkedContentID(raw)
    return outer if mark < 0 else (mark, *outer)
