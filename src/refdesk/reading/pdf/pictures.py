"""Renders the image objects of a PDF: mask, alpha, rotation and flips applied, at their own resolution."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
from PIL import Image

from refdesk.reading.color import plain_color
from refdesk.reading.content import NotKept, Picture
from refdesk.reading.limits import Limits
from refdesk.reading.pdf.handles import opened_page
from refdesk.reading.pdf.objects import Drawn, drawn_images
from refdesk.reading.pdf.page import Place


def pictures_of(
    document: Any, places_by_page: Sequence[Sequence[Place]], limits: Limits
) -> Iterator[Picture | str]:
    """In the order of the places. A page is opened again only where something drawn on it may be kept."""
    for index, places in enumerate(places_by_page):
        if all(place.unkept for place in places):
            yield from (place.unkept or "" for place in places)
            continue
        with opened_page(document, index) as page:
            drawn = list(drawn_images(page))
            for place in places:
                yield place.unkept or _picture(document, page, drawn[place.paint], limits)


def _picture(document: Any, page: Any, drawn: Drawn, limits: Limits) -> Picture:
    return Picture(drawn.stored, partial(_render, document, page, drawn, limits))


def _render(document: Any, page: Any, drawn: Drawn, limits: Limits) -> Image.Image:
    a, b, c, d, *_ = drawn.matrix
    scale = _scale(drawn, limits)
    pdfium_c.FPDFPageObj_SetMatrix(
        drawn.raw, pdfium_c.FS_MATRIX(a * scale, b * scale, c * scale, d * scale, 0, 0)
    )
    raw = scale and pdfium_c.FPDFImageObj_GetRenderedBitmap(document.raw, page, drawn.raw)
    raw = raw or pdfium_c.FPDFImageObj_GetBitmap(drawn.raw)
    if not raw:
        raise NotKept("decode")
    bitmap = pdfium.PdfBitmap.from_raw(raw)
    try:
        image = bitmap.to_pil()
        if image.mode == "RGBA" and image.getchannel("A").getextrema() == (0, 0):
            raise NotKept("decode")  # what pdfium renders of an image that it cannot decode
        return plain_color(image.copy())
    finally:
        bitmap.close()


def _scale(drawn: Drawn, limits: Limits) -> float:
    """So that the longer side gets as many pixels as the image has, and never more than may be kept.

    0 where the image is drawn as a line or a point, which cannot be rendered.
    """
    left, bottom, right, top = drawn.box
    width, height = right - left, top - bottom
    if min(width, height) <= 0:
        return 0
    scale = max(drawn.pixels) / max(width, height)
    return min(scale, math.sqrt(limits.max_pixels / (width * height)))
