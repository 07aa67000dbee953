"""The demo's sources: Markdown, and the format that the document is made in, which its name says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal, cast

from refdesk.passages.markdown import blocks
from refdesk.passages.tables import cells

Format = Literal["markdown", "word", "pdf", "image"]

_FORMATS: dict[str, Format] = {".docx": "word", ".pdf": "pdf", ".png": "image"}

_ITEM = re.compile(r"^(?:(-)|(\d+)\.) ", re.MULTILINE)
_FIGURE = re.compile(r"!\[(?P<alt>[^\]]+)\]\((?P<name>[\w-]+)\)")
_INLINE = re.compile(r"\*\*(?P<bold>[^*]+)\*\*|\*(?P<italic>[^*]+)\*|`(?P<code>[^`]+)`")


@dataclass(frozen=True, slots=True)
class Source:
    """``name`` is that of the file that is made."""

    name: str
    title: str
    format: Format
    body: str


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str


@dataclass(frozen=True, slots=True)
class Items:
    numbered: bool
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """``rows[0]`` is the header."""

    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """``name`` is that of a drawing in ``figures/``."""

    alt: str
    name: str


Element = Heading | Paragraph | Items | Table | Figure
Style = Literal["plain", "bold", "italic", "code"]


def parse(file_name: str, text: str) -> Source:
    """``a.md`` stays Markdown; ``a.docx.md``, ``a.pdf.md`` and ``a.png.md`` are the sources of ``a.docx``,
    ``a.pdf`` and ``a.png``. The title is the first heading, else the name."""
    made = file_name.removesuffix(".md")
    form = _FORMATS.get(PurePath(made).suffix, "markdown")
    headings = (element.text for element in elements(text) if isinstance(element, Heading))
    title = next(headings, PurePath(made).stem)
    return Source(file_name if form == "markdown" else made, title, form, text)


def elements(body: str) -> Iterator[Element]:
    for block in blocks(body):
        text = body[block.start : block.end]
        if block.kind == "heading":
            yield Heading(block.level, block.title)
        elif block.kind == "table":
            header, _, *rows = text.splitlines()
            yield Table(tuple(_row(line) for line in (header, *rows)))
        elif block.kind == "list":
            yield from _lists(text)
        elif figure := _FIGURE.fullmatch(text.strip()):
            yield Figure(figure["alt"], figure["name"])
        else:
            yield Paragraph(_joined(text))


def figures(body: str) -> list[Figure]:
    return [element for element in elements(body) if isinstance(element, Figure)]


def runs(text: str) -> Iterator[tuple[str, Style]]:
    """The pieces of a line with their styles."""
    at = 0
    for found in _INLINE.finditer(text):
        if found.start() > at:
            yield text[at : found.start()], "plain"
        style = cast(Style, found.lastgroup)
        yield found[style], style
        at = found.end()
    if at < len(text):
        yield text[at:], "plain"


def _row(line: str) -> tuple[str, ...]:
    line = line.strip()
    return tuple(line[cell.start : cell.end].strip("| ") for cell in cells(line, 0, len(line)))


def _lists(text: str) -> Iterator[Items]:
    """Entries of one kind make one list."""
    starts = [*_ITEM.finditer(text)]
    entries: list[str] = []
    for index, found in enumerate(starts):
        behind = starts[index + 1].start() if index + 1 < len(starts) else len(text)
        entries.append(_joined(text[found.end() : behind]))
        last = index + 1 == len(starts)
        if last or bool(starts[index + 1][2]) != bool(found[2]):
            yield Items(bool(found[2]), tuple(entries))
            entries = []


def _joined(text: str) -> str:
    return " ".join(text.split())
