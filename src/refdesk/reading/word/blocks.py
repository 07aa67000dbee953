"""What a story (body, cell, text box, note) is made of, before it is written as Markdown."""

from __future__ import annotations

from dataclasses import dataclass, field

from refdesk.reading.word.numbering import Label

# Marks inside of texts while a document is read. XML 1.0 has none of these characters: no document can
# forge them.
BREAK = "\x03"  # a line break
PICTURE_MARK = "\x01{}\x02"


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
    """``column`` counts from 0 on the table's grid; a ``continued`` cell belongs to the one above."""

    column: int
    blocks: list[Block]
    continued: bool = False


@dataclass(slots=True)
class Table:
    rows: list[list[Cell]] = field(default_factory=list)


Block = Paragraph | Picture | Table
