"""Tables as Markdown: one line a row, the first row as header."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from refdesk.reading.word.blocks import Block, Cell, Paragraph, Picture, Table
from refdesk.reading.word.characters import BREAK, lines

# A vertically merged cell says the same for each of its rows; a long text is not said again and again.
_MAX_REPEATED = 200
_MAX_HEADERS = 6
_BULLET = "-"
_SEPARATOR = " | "


@dataclass(slots=True)
class _Row:
    """Texts by column. ``ends`` says up to which column each goes."""

    texts: dict[int, str]
    ends: dict[int, int]
    is_header: bool

    def over(self, column: int) -> str:
        """The text of the cell that spans the column."""
        return next((text for start, text in self.texts.items() if start <= column < self.ends[start]), "")


@dataclass(frozen=True, slots=True)
class Grid:
    """Without empty rows and columns; ``captions`` are the rows above the header that one cell fills."""

    captions: list[str]
    rows: list[dict[int, str]]
    columns: list[int]

    def least_size(self) -> int:
        """Characters that the table takes at least: a hostile one is wide where a single row is."""
        return len(self.rows) * len(self.columns) * len(_SEPARATOR)

    def markdown(self) -> str:
        written = [_line(row.get(column, "") for column in self.columns) for row in self.rows]
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
    columns = sorted({column for row in rows for column, text in row.texts.items() if text})
    first = next((place for place, row in enumerate(rows) if not _is_caption(row, columns)), 0)
    captions = [row.over(columns[0]) for row in rows[:first]]
    rows = rows[first:]
    headers = next((place for place, row in enumerate(rows) if not row.is_header), 0)
    if 1 < headers <= _MAX_HEADERS:
        rows[:headers] = [_joined(rows[:headers], columns)]
    return Grid(captions, [row.texts for row in rows], columns)


def _rows(table: Table, pictures: list[int]) -> Iterator[_Row]:
    """Those that say something themselves."""
    above: dict[int, str] = {}
    by_order = _is_even(table)
    for cells in table.rows:
        row = _Row({}, {}, bool(cells) and cells[0].is_header)
        says_something = False
        for place, cell in enumerate(cells):
            column = place if by_order else cell.column
            text = BREAK.join(line for one in _cell(cell.blocks, pictures) for line in lines(one))
            says_something = says_something or bool(text)
            if cell.continued and not text:
                text = above.get(column, "")
            else:
                above[column] = text if len(text) <= _MAX_REPEATED else ""
            row.texts[column] = text
            row.ends[column] = column + (1 if by_order else cell.span)
        if says_something:
            yield row


def _is_even(table: Table) -> bool:
    """As many cells in each row: they go together in order, although hand-drawn borders are not in line."""
    return len({len(row) for row in table.rows if row}) == 1 and all(
        row[0].column == 0 for row in table.rows if row
    )


def _is_line(blocks: list[Block]) -> bool:
    only = blocks[0]
    return len(blocks) == 1 and isinstance(only, Paragraph) and not only.heading and only.label is None


def _is_caption(row: _Row, columns: list[int]) -> bool:
    if len(columns) == 1:
        return False
    filled = [start for start, text in row.texts.items() if text]
    return len(filled) == 1 and filled[0] <= columns[0] and row.ends[filled[0]] > columns[-1]


def _joined(headers: list[_Row], columns: list[int]) -> _Row:
    """Several header rows as one: each column's texts from above to below, each once."""
    texts = {
        column: " ".join(dict.fromkeys(filter(None, (row.over(column) for row in headers))))
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
