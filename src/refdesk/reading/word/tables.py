"""Tables as Markdown: one line a row, the first row as header."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from refdesk.reading.word.blocks import Block, Cell, Paragraph, Picture, Table
from refdesk.reading.word.characters import BREAK, lines

# A vertically merged cell says the same for each of its rows; a long text is not said again and again.
_MAX_REPEATED = 200
_ONE_LINE = 108  # twentieths of a point: the margin of a cell, 1.9 mm
_MAX_HEADERS = 6
_BULLET = "-"
_SEPARATOR = " | "


@dataclass(slots=True)
class _Row:
    """Texts by the grid column where they start; ``ends`` says before which column each ends."""

    texts: dict[int, str]
    ends: dict[int, int]
    is_header: bool

    def text(self, columns: list[int]) -> str:
        return next((text for column in columns if (text := self.texts.get(column))), "")

    def over(self, columns: list[int]) -> str:
        """As ``text``, else that of a cell that began before and spans them."""
        spanning = (text for start, text in self.texts.items() if start < columns[0] < self.ends[start])
        return self.text(columns) or next(spanning, "")


@dataclass(frozen=True, slots=True)
class Grid:
    """``captions`` are rows above the header that one cell fills; a column is one of the grid's or more."""

    captions: list[str]
    rows: list[_Row]
    columns: list[list[int]]

    def least_size(self) -> int:
        """Characters that the table takes at least: a hostile one is wide where a single row is."""
        return len(self.rows) * len(self.columns) * len(_SEPARATOR)

    def markdown(self) -> str:
        written = [_line(row.text(column) for column in self.columns) for row in self.rows]
        written.insert(1, _line("---" for _ in self.columns))
        return "\n".join(written)


def framed(table: Table) -> list[Block] | None:
    """The blocks of a table that is only a frame: one cell has text, or one column more than single lines."""
    filled = [cell for row in table.rows for cell in row if cell.blocks]
    written = [cell for cell in filled if not all(isinstance(block, Picture) for block in cell.blocks)]
    if len({cell.column for cell in written}) > 1:
        return None
    if len(written) > 1 and all(_is_line(cell.blocks) for cell in written):
        return None
    return [block for cell in filled for block in cell.blocks]


def grid(table: Table, pictures: list[int]) -> Grid:
    """Vertically merged cells repeat their text. The table's pictures are added to ``pictures``."""
    rows = list(_rows(table, pictures))
    columns = _columns(rows, table.widths)
    first = next((place for place, row in enumerate(rows) if not _is_caption(row, columns)), 0)
    captions = [row.text(columns[0]) for row in rows[:first]]
    rows = rows[first:]
    headers = next((place for place, row in enumerate(rows) if not row.is_header), 0)
    if 1 < headers <= _MAX_HEADERS:
        rows[:headers] = [_joined(rows[:headers], columns)]
    return Grid(captions, rows, columns)


def _columns(rows: list[_Row], widths: list[int]) -> list[list[int]]:
    """The columns that hold text. Two lines of the grid that nearly meet are one, unless text parts them.

    Word's grid has a line wherever any row has a border, and borders drawn by hand are rarely in line.
    """
    filled: dict[int, set[int]] = {}
    for place, row in enumerate(rows):
        for column, text in row.texts.items():
            if text:
                filled.setdefault(column, set()).add(place)
    columns: list[list[int]] = []
    taken: set[int] = set()
    for column in sorted(filled):
        near = columns and column <= len(widths) and sum(widths[columns[-1][0] : column]) <= _ONE_LINE
        if near and taken.isdisjoint(filled[column]):
            columns[-1].append(column)
            taken |= filled[column]
        else:
            columns.append([column])
            taken = set(filled[column])
    return columns


def _rows(table: Table, pictures: list[int]) -> Iterator[_Row]:
    """Those that say something themselves."""
    above: dict[int, str] = {}
    for cells in table.rows:
        row = _Row({}, {}, bool(cells) and cells[0].is_header)
        says_something = False
        for cell in cells:
            text = BREAK.join(line for one in _cell(cell.blocks, pictures) for line in lines(one))
            says_something = says_something or bool(text)
            if cell.continued and not text:
                text = above.get(cell.column, "")
            else:
                above[cell.column] = text if len(text) <= _MAX_REPEATED else ""
            row.texts[cell.column] = text
            row.ends[cell.column] = cell.column + cell.span
        if says_something:
            yield row


def _is_line(blocks: list[Block]) -> bool:
    only = blocks[0]
    return len(blocks) == 1 and isinstance(only, Paragraph) and not only.heading and only.label is None


def _is_caption(row: _Row, columns: list[list[int]]) -> bool:
    if len(columns) == 1:
        return False
    filled = [start for start, text in row.texts.items() if text]
    return len(filled) == 1 and filled[0] <= columns[0][0] and row.ends[filled[0]] > columns[-1][-1]


def _joined(headers: list[_Row], columns: list[list[int]]) -> _Row:
    """Several header rows as one: each column's texts from above to below, each once."""
    texts = {
        column[0]: " ".join(dict.fromkeys(filter(None, (row.over(column) for row in headers))))
        for column in columns
    }
    return _Row(texts, {}, is_header=True)


def _cell(blocks: list[Block], pictures: list[int]) -> Iterator[str]:
    """The cell's lines; a table inside gives a line a row."""
    for block in blocks:
        if isinstance(block, Paragraph):
            yield block.text if block.label is None else f"{block.label.text or _BULLET} {block.text}"
        elif isinstance(block, Picture):
            pictures.append(block.number)
        else:
            yield from _inner_rows(block.rows, pictures)


def _inner_rows(rows: list[list[Cell]], pictures: list[int]) -> Iterator[str]:
    for row in rows:
        texts = [" ".join(_cell(cell.blocks, pictures)) for cell in row]
        line = _SEPARATOR.join(text for text in texts if text)
        if line:
            yield line


def _line(texts: Iterable[str]) -> str:
    escaped = (text.replace("|", "\\|").replace(BREAK, "<br>").replace("\t", " ") for text in texts)
    return f"| {_SEPARATOR.join(escaped)} |"
