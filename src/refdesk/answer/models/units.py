"""What of a passage can be quoted: its sentences, list items, table rows and lines of code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Unit:
    """``text`` as it is quoted; ``verbatim`` where it stands so in the passage, a table row does not."""

    text: str
    verbatim: bool


def units(passage: str) -> list[Unit]:
    """In their order; headings, page lines and lines of keywords are no statements."""
    found: list[Unit] = []
    paragraph: list[str] = []
    header: list[str] = []
    fenced = False
    for line in [*passage.split("\n"), ""]:
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
            found += _sentences(paragraph)
            paragraph = []
        elif fenced:
            found += [Unit(line.strip(), True)] if line.strip() else []
        elif (row := _ROW.match(line)) is not None:
            found += _sentences(paragraph)
            paragraph = []
            cells = [_plain(cell) for cell in _CELL.split(row[1])]
            if _RULE.match(line):
                continue
            if header:
                found += [Unit(text, False)] if (text := _row(header, cells)) else []
            else:
                header = cells
        else:
            header = []
            if not line.strip() or _HEADING.match(line) or _PAGE.match(line) or _BULLET.match(line):
                found += _sentences(paragraph)
                paragraph = []
            if line.strip() and not (_HEADING.match(line) or _PAGE.match(line) or _KEYWORDS.match(line)):
                paragraph.append(_BULLET.sub("", line).strip())
    return found


def _sentences(lines: list[str]) -> Iterator[Unit]:
    text = _plain(" ".join(lines))
    if not any(character.isalnum() for character in text):
        return
    starts = list(sentence_starts(text, 0, len(text)))
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        yield Unit(text[start:end].strip(), True)


def _row(header: list[str], cells: list[str]) -> str:
    """``Service: Battery; Price: 49 EUR``."""
    names = [*header, *[""] * (len(cells) - len(header))]
    pairs = zip(names, cells, strict=False)
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in pairs if cell)


def _plain(text: str) -> str:
    """Without the marks of Markdown; what they mark stays."""
    shown = _LINK.sub(r"\1", text).replace("<br>", " ").replace("\\|", "|").replace("`", "")
    return re.sub(r"\s+", " ", _MARKS.sub("", shown)).strip()
