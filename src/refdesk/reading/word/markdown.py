"""Blocks as Markdown. Text stays as it was written: only what would change the structure is escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable

from refdesk.reading.problem import Problem
from refdesk.reading.word import tables
from refdesk.reading.word.blocks import BREAK, PICTURE_MARK, Block, Paragraph, Picture, Table
from refdesk.reading.word.lists import Lists

# At the start of a line these make a heading, a fence, a rule, or a definition that nobody would see.
_STRUCTURE = re.compile(r"^(?=#{1,6}(?:\s|$)|```|~~~|[-=_*]{2,}\s*$|\[[^\]]*\]:)", re.MULTILINE)
_BREAKS = re.compile(rf"[ \t]*{BREAK}[ \t]*")
_CLOSING_HASHES = re.compile(r" (#+)$")


# A text over the limit is still counted to this many times it, so that the refusal can say how long it is.
_GIVE_UP = 16


class Writer:
    """Collects one text. ``has_text`` says whether more than pictures are in it.

    Raises ``Problem("too_many_characters")`` only for what is far over the limit.
    """

    def __init__(self, max_characters: int) -> None:
        self._limit = max_characters
        self._pieces: list[str] = []
        self._lists = Lists()
        self._in_list = False
        self._size = 0
        self.has_text = False

    def text(self) -> str:
        return "".join(self._pieces)

    def write(self, blocks: Iterable[Block]) -> None:
        for block in blocks:
            if isinstance(block, Paragraph):
                self._paragraph(block)
            elif isinstance(block, Picture):
                self._add(PICTURE_MARK.format(block.number))
            else:
                self._table(block)

    def note(self, number: int, blocks: list[Block]) -> None:
        """A Markdown footnote; its further paragraphs are indented, its pictures stand below it."""
        note = Writer(self._limit)
        note.write(block for block in blocks if not isinstance(block, Picture))
        self.has_text = self.has_text or note.has_text
        self._add(f"[^{number}]: " + note.text().replace("\n", f"\n{' ' * 4}"))
        self.write(block for block in blocks if isinstance(block, Picture))

    def _add(self, text: str, *, in_list: bool = False) -> None:
        gap = ("\n" if in_list and self._in_list else "\n\n") if self._pieces else ""
        self._in_list = in_list
        if not in_list:
            self._lists.close()
        self._pieces.append(gap + text)
        self._size += len(gap) + len(text)
        self._refuse_over(self._size)

    def _paragraph(self, block: Paragraph) -> None:
        self.has_text = True
        if block.heading:
            label = f"{block.label.text} " if block.label else ""
            text = _CLOSING_HASHES.sub(r" \\\1", _BREAKS.sub(" ", label + block.text).strip())
            self._add(f"{'#' * block.heading} {text}")
        elif block.label is not None:
            indent, marker = self._lists.item(block.label)
            column = " " * (indent + marker.index(" ") + 1 if " " in marker else indent + len(marker) + 1)
            self._add(f"{' ' * indent}{marker} {lines(block.text, column)}", in_list=True)
        else:
            self._add(lines(block.text))

    def _table(self, table: Table) -> None:
        framed = tables.only_cell(table)
        if framed is not None:
            self.write(framed)
            return
        pictures: list[int] = []
        grid = tables.grid(table, pictures)
        self._refuse_over(self._size + grid.least_size())
        if grid.rows:
            self.has_text = True
            self._add(grid.markdown())
        for number in pictures:
            self._add(PICTURE_MARK.format(number))

    def _refuse_over(self, size: int) -> None:
        if size > self._limit * _GIVE_UP:
            raise too_many_characters(self._limit, size)


def too_many_characters(limit: int, actual: int) -> Problem:
    return Problem(
        "too_many_characters",
        f"The document has {actual:,} characters of text; at most {limit:,} are accepted: split it.",
        limit,
        actual,
    )


def lines(text: str, indent: str = "") -> str:
    """A paragraph with its line breaks; what follows the first line is indented."""
    if BREAK in text:
        text = _BREAKS.sub("\n", text).strip("\n")
        text = re.sub(r"\n\n+", "\n", text)
        return _STRUCTURE.sub(r"\\", text).replace("\n", f"  \n{indent}")
    return _STRUCTURE.sub(r"\\", text)
