"""What of a passage can be quoted: its sentences, list items, table rows and lines of code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from refdesk.passages.sentences import sentence_starts

_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+|^(?:=+|-{3,})\s*$")
_PAGE = re.compile(r"^Page \d+$")
_ROW = re.compile(r"^\s*\|(.+)\|\s*$")
_RULE = re.compile(r"^\s*\|?(?:\s*:?-{2,}:?\s*\|)+\s*(?::?-{2,}:?\s*)?$")
_BULLET = re.compile(r"^\s*(?:[-*+•]|\(?(?:\d+|[a-z])[.)])\s+")
_MARKS = re.compile(r"(\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w))")
_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\s]*\)")
_CELL = re.compile(r"(?<!\\)\|")
_KEYWORDS = re.compile(r"^\**(?:keywords?|tags|stichw(?:ö|oe)rter|mots-clés)\**\s*:", re.IGNORECASE)
_GOES_ON = re.compile(r"[.,;:!?…。、，；：！？)\]\"”»-]$")
_SHORT = 0.7  # of the passage's longest line: a line that ends so early without a mark ends there
_WRAPPED = 50  # characters: text whose lines are all shorter is not wrapped at a width


@dataclass(frozen=True, slots=True)
class Unit:
    """``text`` as it is quoted; ``verbatim`` where it stands so in the passage, a table row does not."""

    text: str
    verbatim: bool


def units(passage: str) -> list[Unit]:
    """In their order; headings, page lines and lines of keywords are no statements."""
    lines = passage.split("\n")
    reader = _Reader(max(map(len, lines)))
    for line in lines:
        reader.read(line)
    reader.end_paragraph()
    return reader.found


@dataclass(slots=True)
class _Reader:
    width: int
    found: list[Unit] = field(default_factory=list)
    paragraph: list[str] = field(default_factory=list)
    header: list[str] = field(default_factory=list)
    fenced: bool = False

    def read(self, line: str) -> None:
        row = None if self.fenced else _ROW.match(line)
        if line.lstrip().startswith(("```", "~~~")):
            self.end_paragraph()
            self.fenced = not self.fenced
        elif self.fenced:
            self.found += [Unit(line.strip(), True)] if line.strip() else []
        elif row is not None:
            self.end_paragraph()
            self._row(line, [_plain(cell) for cell in _CELL.split(row[1])])
        else:
            self.header = []
            self._prose(line)

    def end_paragraph(self) -> None:
        self.found += _sentences(self.paragraph)
        self.paragraph = []

    def _row(self, line: str, cells: list[str]) -> None:
        if _RULE.match(line):
            return
        if not self.header:
            self.header = cells
        elif text := _pairs(self.header, cells):
            self.found.append(Unit(text, False))

    def _prose(self, line: str) -> None:
        no_statement = not line.strip() or _HEADING.match(line) or _PAGE.match(line) or _KEYWORDS.match(line)
        if no_statement or _BULLET.match(line) or self._ended(line):
            self.end_paragraph()
        if not no_statement:
            self.paragraph.append(_BULLET.sub("", line).strip())

    def _ended(self, line: str) -> bool:
        """Text of a PDF has no blank line between a heading and what follows, or between a table's rows."""
        if not self.paragraph or self.width < _WRAPPED:
            return False
        last = self.paragraph[-1]
        return len(last) < self.width * _SHORT and not _GOES_ON.search(last) and not line.strip()[0].islower()


def _sentences(lines: list[str]) -> Iterator[Unit]:
    text = _plain(" ".join(lines))
    if not any(character.isalnum() for character in text):
        return
    starts = list(sentence_starts(text, 0, len(text)))
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        yield Unit(text[start:end].strip(), True)


def _pairs(header: list[str], cells: list[str]) -> str:
    """``Service: Battery; Price: 49 EUR``."""
    names = [*header, *[""] * (len(cells) - len(header))]
    pairs = zip(names, cells, strict=False)
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in pairs if cell)


def _plain(text: str) -> str:
    """Without the marks of Markdown; what they mark stays."""
    shown = _LINK.sub(r"\1", text).replace("<br>", " ").replace("\\|", "|").replace("`", "")
    return re.sub(r"\s+", " ", _MARKS.sub("", shown)).strip()
