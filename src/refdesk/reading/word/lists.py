"""List items as Markdown: ``-`` and ``1.`` where Markdown counts alike, else a bullet before the label."""

from __future__ import annotations

import re
from dataclasses import dataclass

from refdesk.reading.word.numbering import Label

_NUMBER = re.compile(r"([0-9]{1,9})([.)]?)")
_BULLET = "-"


@dataclass(frozen=True, slots=True)
class Item:
    """``indent`` is the column of the marker, ``column`` that of the text and of all that belongs to it."""

    marker: str
    indent: int
    column: int


@dataclass(frozen=True, slots=True)
class _Open:
    item: Item
    depth: int
    number: int | None
    sign: str


class Lists:
    """The items that are open at this place of the text: the last one of each depth."""

    def __init__(self) -> None:
        self._open: list[_Open] = []

    def close(self) -> None:
        self._open.clear()

    def item(self, label: Label) -> Item:
        before = None
        while self._open and self._open[-1].depth >= label.depth:
            before = self._open.pop()
        indent = self._open[-1].item.column if self._open else 0
        marker, number, sign = _marker(label.text)
        column = indent + 1 + (len(_BULLET) if number is None else len(marker))
        if not _follows(before, indent, number, sign):
            marker, number = f"{_BULLET} {label.text}", None
            column += len(_BULLET) + 1
        item = Item(marker, indent, column)
        self._open.append(_Open(item, label.depth, number, sign))
        return item


def _marker(text: str) -> tuple[str, int | None, str]:
    native = _NUMBER.fullmatch(text)
    if native:
        sign = native[2] or "."
        return native[1] + sign, int(native[1]), sign
    return f"{_BULLET} {text}".rstrip(), None, ""


def _follows(before: _Open | None, indent: int, number: int | None, sign: str) -> bool:
    """Markdown counts on by itself from a list's first number: a jump needs a list of its own."""
    if number is None or before is None or before.item.indent != indent or before.number is None:
        return True
    return before.sign != sign or before.number + 1 == number
