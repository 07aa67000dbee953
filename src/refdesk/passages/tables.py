"""Pipe tables: rows and cells, and the header that is repeated before a piece of a table."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import NamedTuple

_DASHES = re.compile(r"\|?[ \t]*:?-+:?[ \t]*\|?")
_BAR = re.compile(r"(?<!\\)\|")

LABEL_CHARACTERS = 60


class Span(NamedTuple):
    start: int
    end: int


def cells(text: str, start: int, end: int) -> list[Span]:
    """The cells of the row ``text[start:end]``, which begins and ends without white space: each from its
    bar to the next, the last with the closing bar."""
    bars = [found.start() for found in _BAR.finditer(text, start, end)]
    if not bars or bars[0] != start:
        bars.insert(0, start)
    if len(bars) > 1 and bars[-1] == end - 1:
        bars.pop()
    return [Span(left, right) for left, right in zip(bars, [*bars[1:], end], strict=True)]


def is_delimiter(line: str, header: str) -> bool:
    """Whether ``line`` is the delimiter row under ``header``, with as many cells."""
    line, header = line.strip(), header.strip()
    if "|" not in line or set(line) - set("|-: \t"):
        return False
    found = cells(line, 0, len(line))
    if len(found) != len(cells(header, 0, len(header))):
        return False
    return all(_DASHES.fullmatch(line, cell.start, cell.end) for cell in found)


class HeaderLead(NamedTuple):
    """The header and delimiter rows with their line ends, before a passage that begins with a later row."""

    header: str
    size: int

    def text(self, start: int, end: int) -> str:
        return self.header


class CellLead(NamedTuple):
    """Before cells of a row that is too wide for a passage: the names of just these columns, the
    delimiter, and the row's first cell. It takes no room from the cells. Both rows are given as
    spans from bar to bar."""

    source: str
    header: list[Span]
    row: list[Span]
    size: int = 0

    def text(self, start: int, end: int) -> str:
        first = bisect_right(self.row, (start, len(self.source))) - 1
        columns = list(range(first, bisect_left(self.row, (end, 0))))
        named = columns if first == 0 else [0, *columns]
        lines = ["| " + " | ".join(self._cell(self.header, column) for column in named) + " |"]
        lines.append("|" + "-|" * len(named))
        opening = "" if first == 0 else f"| {self._cell(self.row, 0)} "
        return "\n".join([*lines, opening + ("" if start == self.row[first].start else "| ")])

    def _cell(self, row: list[Span], column: int) -> str:
        """A cell's text where it only names a row or column, cut after 60 characters."""
        if column >= len(row):
            return ""
        text = self.source[row[column].start : row[column].end].strip("| \t")
        return text if len(text) <= LABEL_CHARACTERS else text[: LABEL_CHARACTERS - 1] + "…"
