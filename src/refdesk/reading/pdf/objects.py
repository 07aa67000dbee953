"""The image objects that are drawn on a page, in paint order, forms followed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from ctypes import c_uint
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
    yield from _images(partial(pdfium_c.FPDFPage_GetObject, page), count, None, (), _FORM_DEPTH)


def _images(
    get: Callable[[int], Any], count: int, outer: Matrix | None, marked: tuple[int, ...], depth: int
) -> Iterator[Drawn]:
    for at in range(count):
        each = get(at)
        kind = pdfium_c.FPDFPageObj_GetType(each)
        if kind == pdfium_c.FPDF_PAGEOBJ_IMAGE:
            yield Drawn(each, _placed(each, outer), _marked(each, marked))
        elif kind == pdfium_c.FPDF_PAGEOBJ_FORM and depth:
            yield from _images(
                partial(pdfium_c.FPDFFormObj_GetObject, each),
                pdfium_c.FPDFFormObj_CountObjects(each),
                _placed(each, outer),
                _marked(each, marked),
                depth - 1,
            )


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
