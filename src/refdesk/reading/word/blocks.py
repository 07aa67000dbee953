"""What a story (body, cell, text box, note) is made of, before it is written as Markdown."""

from __future__ import annotations

from dataclasses import dataclass, field

from refdesk.reading.word.numbering import Label


@dataclass(slots=True)
class Paragraph:
    """``text`` is one line but for BREAK; ``heading`` is 1 to 6, 0 for text."""

    text: str
    heading: int = 0
    label: Label | None = None


@dataclass(slots=True)
class Picture:
    number: int


@dataclass(slots=True)
class Cell:
    """``column`` counts from 0 on the table's grid; a ``continued`` cell belongs to the one above.

    ``is_header`` says that its row is repeated on each page.
    """

    column: int
    blocks: list[Block]
    span: int = 1
    continued: bool = False
    is_header: bool = False


@dataclass(slots=True)
class Table:
    """``widths`` are those of the grid's columns, in twentieths of a point; empty where unknown."""

    rows: list[list[Cell]] = field(default_factory=list)
    widths: list[int] = field(default_factory=list)


Block = Paragraph | Picture | Table
