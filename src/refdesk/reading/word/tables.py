"""Tables as Markdown: one line a row, the first row as header."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from refdesk.reading.word.blocks import BREAK, Block, Paragraph, Picture, Table

# A vertically merged cell says the same for each of its rows; a long text is not said again and again.
_MAX_REPEATED = 200
_BULLET = "-"
_SEPARATOR = " | "


@dataclass(frozen=True, slots=True)
class Grid:
    """Texts by row and grid column. Rows and columns without text are left out."""

    rows: list[dict[int, str]]
    columns: list[int]

    def least_size(self) -> int:
        """Characters that the table takes at least: a hostile one is wide where a single row is."""
        return len(self.rows) * len(self.columns) * len(_SEPARATOR)

    def markdown(self) -> str:
        lines = [_line(row.get(column, "") for column in self.columns) for row in self.rows]
        lines.insert(1, _line("---" for _ in self.columns))
        return "\n".join(lines)


def only_cell(table: Table) -> list[Block] | None:
    """The blocks of the one cell that holds anything: such a table is a frame, not a table."""
    filled = [cell.blocks for row in table.rows for cell in row if cell.blocks]
    return filled[0] if len(filled) == 1 else None


def grid(table: Table, pictures: list[int]) -> Grid:
    """Vertically merged cells repeat their text. The table's pictures are added to ``pictures``."""
    rows: list[dict[int, str]] = []
    above: dict[int, str] = {}
    for row in table.rows:
        texts: dict[int, str] = {}
        own = False
        for cell in row:
            text = BREAK.join(_cell(cell.blocks, pictures))
            own = own or bool(text)
            if cell.continued and not text:
                text = above.get(cell.column, "")
            else:
                above[cell.column] = text if len(text) <= _MAX_REPEATED else ""
            texts[cell.column] = text
        if own:
            rows.append(texts)
    return Grid(rows, sorted({column for row in rows for column, text in row.items() if text}))


def _cell(blocks: list[Block], pictures: list[int]) -> Iterator[str]:
    """The cell's lines; a table inside gives a line a row."""
    for block in blocks:
        if isinstance(block, Paragraph):
            yield block.text if block.label is None else f"{block.label.text or _BULLET} {block.text}"
        elif isinstance(block, Picture):
            pictures.append(block.number)
        else:
            yield from _inner_rows(block, pictures)


def _inner_rows(table: Table, pictures: list[int]) -> Iterator[str]:
    for row in table.rows:
        texts = [" ".join(_cell(cell.blocks, pictures)) for cell in row]
        line = _SEPARATOR.join(text for text in texts if text)
        if line:
            yield line


def _line(texts: Iterable[str]) -> str:
    escaped = (text.replace("|", "\\|").replace(BREAK, "<br>").replace("\t", " ") for text in texts)
    return f"| {_SEPARATOR.join(escaped)} |"
