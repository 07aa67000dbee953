"""Blocks as Markdown. Text stays as it was written: only what would change the structure is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable

from refdesk.reading.word import tables
from refdesk.reading.word.blocks import Block, Paragraph, Picture, Table
from refdesk.reading.word.characters import lines, picture_mark
from refdesk.reading.word.length import Length
from refdesk.reading.word.lists import Lists

# At the start of a line these make a heading, a fence, a rule, or a definition that nobody would see.
_STRUCTURE = re.compile(r"^(?=#{1,6}(?:\s|$)|```|~~~|[-=_*]{2,}\s*$|\[[^\]]*\]:)")
_NOTE_INDENT = " " * 4
_CLOSING_HASHES = re.compile(r" (#+)$")


class Writer:
    """Collects one text. ``title`` is its first heading; ``has_text`` tells it from pictures alone."""

    def __init__(self, length: Length) -> None:
        self._length = length
        self._pieces: list[str] = []
        self._lists = Lists()
        self._in_list = False
        self.has_text = False
        self.title: str | None = None

    def text(self) -> str:
        return "".join(self._pieces)

    def write(self, blocks: Iterable[Block]) -> None:
        for block in blocks:
            if isinstance(block, Paragraph):
                self._paragraph(block)
            elif isinstance(block, Picture):
                self._add(picture_mark(block.number))
            else:
                self._table(block)

    def note(self, number: int, blocks: list[Block]) -> None:
        """A Markdown footnote; its further paragraphs are indented, its pictures stand below it."""
        note = Writer(Length(self._length.limit))
        note.write(block for block in blocks if not isinstance(block, Picture))
        self.has_text = self.has_text or note.has_text
        first, *others = note.text().split("\n")
        indented = [_NOTE_INDENT + line if line else "" for line in others]
        self._add("\n".join([f"[^{number}]: {first}", *indented]))
        self.write(block for block in blocks if isinstance(block, Picture))

    def _add(self, text: str, *, in_list: bool = False) -> None:
        gap = ("\n" if in_list and self._in_list else "\n\n") if self._pieces else ""
        self._in_list = in_list
        if not in_list:
            self._lists.close()
        self._pieces.append(gap + text)
        self._length.add(len(gap) + len(text))

    def _paragraph(self, block: Paragraph) -> None:
        self.has_text = True
        if block.heading:
            self.title = self.title or block.text
            label = f"{block.label.text} " if block.label else ""
            text = _CLOSING_HASHES.sub(r" \\\1", " ".join(lines(label + block.text)))
            self._add(f"{'#' * block.heading} {text}")
        elif block.label is not None:
            item = self._lists.item(block.label)
            text = _text(block.text, " " * item.column)
            self._add(f"{' ' * item.indent}{item.marker} {text}", in_list=True)
        else:
            self._add(_text(block.text))

    def _table(self, table: Table) -> None:
        framed = tables.framed(table)
        if framed is not None:
            self.write(framed)
            return
        pictures: list[int] = []
        grid = tables.grid(table, pictures)
        if grid.rows:
            self._length.allow(grid.least_size())
            self.has_text = True
            for caption in grid.captions:
                self._add(_text(caption))
            self._add(grid.markdown())
        for number in pictures:
            self._add(picture_mark(number))


def _text(text: str, indent: str = "") -> str:
    """A paragraph with its line breaks; what follows the first line is indented."""
    return f"  \n{indent}".join(_STRUCTURE.sub(r"\\", line) for line in lines(text))
