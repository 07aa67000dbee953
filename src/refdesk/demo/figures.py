"""The demo's figures, drawn from ``figures/*.toml``: boxes and arrows, or bars over time.

The same source gives the same pixels: the font is the one that Pillow carries.
"""

from __future__ import annotations

import io
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from itertools import pairwise
from math import atan2, cos, pi, sin
from typing import Any

from PIL import Image, ImageDraw, ImageFont

Point = tuple[float, float]

_INK, _PAPER, _LINE = "#1c2733", "#ffffff", "#5b6b7c"
_SHADES = {"plain": "#e8eef6", "good": "#dcefe0", "bad": "#f8e1dc"}
_BOX = (270.0, 90.0)  # pixels
_TEXT, _SMALL = 21, 18
_ABOVE = 18.0  # a text over a level arrow, which may be shorter than it
_HEAD, _WING = 14.0, 0.45  # of an arrow: pixels, and radians to each side
_LABELS = 210.0  # the column of the rows' names
_FOOT = 70.0  # the row of the scale
_FITS = 14.0  # beside a text in a bar


def draw(name: str) -> Image.Image:
    """The figure that ``figures/<name>.toml`` describes."""
    source = resources.files("refdesk.demo") / "figures" / f"{name}.toml"
    table = tomllib.loads(source.read_text("utf-8"))
    width, height = table["size"]
    image = Image.new("RGB", (width, height), _PAPER)
    pen = ImageDraw.Draw(image)
    (_flow if table["kind"] == "flow" else _bars)(pen, table)
    return image


def png(name: str) -> bytes:
    buffer = io.BytesIO()
    draw(name).save(buffer, "PNG")
    return buffer.getvalue()


def _flow(pen: ImageDraw.ImageDraw, table: Mapping[str, Any]) -> None:
    boxes = {box["id"]: box for box in table["boxes"]}
    for arrow in table["arrows"]:
        _arrow(pen, _centre(boxes[arrow["from"]]), _centre(boxes[arrow["to"]]), arrow)
    for box in boxes.values():
        x, y = box["at"]
        frame = (x, y, x + _BOX[0], y + _BOX[1])
        pen.rounded_rectangle(frame, 10, fill=_SHADES[box.get("shade", "plain")], outline=_LINE, width=2)
        _centred(pen, _centre(box), box["text"], _TEXT)


def _centre(box: Mapping[str, Any]) -> Point:
    x, y = box["at"]
    return x + _BOX[0] / 2, y + _BOX[1] / 2


def _arrow(pen: ImageDraw.ImageDraw, start: Point, end: Point, arrow: Mapping[str, Any]) -> None:
    """From edge to edge of the boxes around ``start`` and ``end``."""
    angle = atan2(end[1] - start[1], end[0] - start[0])
    first, last = _edge(start, angle), _edge(end, angle + pi)
    pen.line((first, last), fill=_LINE, width=3)
    turns = (angle + _WING, angle - _WING)
    wings = [(last[0] - _HEAD * cos(turn), last[1] - _HEAD * sin(turn)) for turn in turns]
    pen.polygon([last, *wings], fill=_LINE)
    if arrow["text"]:
        level = first[1] == last[1]
        middle = ((first[0] + last[0]) / 2, (first[1] + last[1]) / 2 - (_ABOVE if level else 0))
        _centred(pen, middle, arrow["text"], _SMALL, behind=None if level else _PAPER)


def _edge(centre: Point, angle: float) -> Point:
    """Where a ray from the centre of a box leaves it."""
    across, down = abs(cos(angle)) or 1e-9, abs(sin(angle)) or 1e-9
    length = min(_BOX[0] / 2 / across, _BOX[1] / 2 / down)
    return centre[0] + length * cos(angle), round(centre[1] + length * sin(angle), 3)


def _bars(pen: ImageDraw.ImageDraw, table: Mapping[str, Any]) -> None:
    width, height = table["size"]
    ticks = table["ticks"]
    step = (width - _LABELS - 40) / (len(ticks) - 1 + _last(ticks))
    across = {tick: _LABELS + step * (tick - ticks[0]) / (ticks[1] - ticks[0]) for tick in ticks}
    unit = (across[ticks[1]] - across[ticks[0]]) / (ticks[1] - ticks[0])
    for tick, label in zip(ticks, table.get("tick_labels", map(str, ticks)), strict=True):
        pen.line(((across[tick], 20), (across[tick], height - _FOOT)), fill="#d5dbe3", width=2)
        _centred(pen, (across[tick], height - _FOOT + 18), label, _SMALL)
    _centred(pen, (width / 2 + _LABELS / 2, height - 16), table["unit"], _SMALL)
    room = (height - _FOOT - 30) / len(table["rows"])
    for number, row in enumerate(table["rows"]):
        top = 30 + number * room
        pen.text((16, top + room / 2), row["label"], _INK, _font(_SMALL), anchor="lm")
        for bar in row["bars"]:
            left = _LABELS + unit * (bar["from"] - ticks[0])
            right = _LABELS + unit * (bar["to"] - ticks[0])
            _bar(pen, (left, top + room * 0.18, right, top + room * 0.82), bar)


def _last(ticks: list[float]) -> float:
    """A scale of days ends behind its last one."""
    return 1.0 if all(after - before == 1 for before, after in pairwise(ticks)) else 0.0


def _bar(pen: ImageDraw.ImageDraw, frame: tuple[float, float, float, float], bar: Mapping[str, Any]) -> None:
    left, top, right, bottom = frame
    pen.rectangle(frame, fill=_SHADES[bar["shade"]], outline=_LINE, width=2)
    middle = (top + bottom) / 2
    if _font(_SMALL).getlength(bar["text"]) + _FITS <= right - left:
        _centred(pen, ((left + right) / 2, middle), bar["text"], _SMALL)
    else:
        pen.text((right + 8, middle), bar["text"], _INK, _font(_SMALL), anchor="lm")


def _centred(
    pen: ImageDraw.ImageDraw, centre: Point, text: str, size: int, *, behind: str | None = None
) -> None:
    font = _font(size)
    if behind:
        half = font.getlength(text) / 2 + 6
        x, y = centre
        pen.rectangle((x - half, y - size * 0.75, x + half, y + size * 0.75), fill=behind)
    pen.multiline_text(centre, text, _INK, font, anchor="mm", align="center", spacing=6)


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont)  # the wheels of Pillow carry FreeType
    return font
