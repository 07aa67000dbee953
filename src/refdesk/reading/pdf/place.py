"""Where in the text of its page a picture stands: below the line that is above it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from ctypes import c_double
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium_c


class Box(NamedTuple):
    """On the page as it is shown: y grows upwards."""

    left: float
    bottom: float
    right: float
    top: float


def shown(box: tuple[float, float, float, float], rotation: int) -> Box:
    """``box`` in page coordinates, turned clockwise as the page is (0, 90, 180, 270)."""
    left, bottom, right, top = box
    if rotation == 90:
        return Box(bottom, -right, top, -left)
    if rotation == 180:
        return Box(-right, -top, -left, -bottom)
    if rotation == 270:
        return Box(-top, left, -bottom, right)
    return Box(*box)


def line_boxes(textpage: Any, lines: Sequence[str], separator: int, rotation: int) -> list[Box | None]:
    """The box of each line, by its first and last letter; ``separator`` characters stand between lines."""
    boxes: list[Box | None] = []
    start = 0
    for line in lines:
        units = len(line.encode("utf-16-le", "surrogatepass")) // 2
        first, last = start + len(line) - len(line.lstrip()), start + len(line.rstrip()) - 1
        ends = [box for at in {first, last} if (box := _letter_box(textpage, at)) is not None]
        boxes.append(shown(_around(ends), rotation) if line.strip() and ends else None)
        start += units + separator
    return boxes


def line_above(picture: Box, lines: Sequence[Box | None]) -> int:
    """How many lines come before the picture: those up to the nearest one above it in its column."""
    p_left, p_bottom, p_right, p_top = picture
    above = below = (math.inf, len(lines))
    for at, line in enumerate(lines):
        if line is None:
            continue
        left, bottom, right, top = line
        if left >= p_right or right <= p_left:
            continue
        if (middle := bottom + top) >= 2 * p_top:
            above = min(above, (bottom - p_top, -at))
        elif middle <= 2 * p_bottom:
            below = min(below, (p_bottom - top, at))
    return 1 - above[1] if above[0] < math.inf else below[1]


def _letter_box(textpage: Any, text_index: int) -> tuple[float, float, float, float] | None:
    at = pdfium_c.FPDFText_GetCharIndexFromTextIndex(textpage, text_index)
    left, right, bottom, top = c_double(), c_double(), c_double(), c_double()
    if at < 0 or not pdfium_c.FPDFText_GetCharBox(textpage, at, left, right, bottom, top):
        return None
    return left.value, bottom.value, right.value, top.value


def _around(boxes: Sequence[tuple[float, float, float, float]]) -> tuple[float, float, float, float]:
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return min(lefts), min(bottoms), max(rights), max(tops)
