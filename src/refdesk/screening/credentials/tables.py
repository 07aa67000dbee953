"""Secrets in tables: Markdown's, and lines that a sign or wide gaps divide."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from refdesk.screening.credentials import judge
from refdesk.screening.credentials.nouns import Kind, Noun, nouns
from refdesk.screening.model import Spotted
from refdesk.screening.small import small

_LINE = re.compile(r"[^\n]+")
_MAX_HEADING = 240
_CELL = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"[\s|:-]+")
_MARKS = " \t*_`~"
_BESIDE = re.compile(r"\s*/\s*|\s+(?:and|und|et|y|&)\s+|\s*:\s*")
_MAX_WORDS = 4
_MAX_VALUES = 5


@dataclass(frozen=True, slots=True)
class Cell:
    """``text[start:end]`` without the space and the marks around it."""

    text: str
    start: int
    end: int


def in_tables(text: str, named: Sequence[Noun]) -> Iterator[Spotted]:
    """``named`` are the text's nouns: a table that holds none is not looked at."""
    done = 0
    for noun in named:
        if noun.start < done:
            continue
        if _is_row(text, noun.start):
            start, done = _block(text, noun.start)
            yield from _table([_cells(text, *line.span()) for line in _each_line(text, start, done)])
        else:
            rows, done = _delimited(text, noun.start)
            yield from _columns(rows)


def _line(text: str, position: int) -> tuple[int, int]:
    start, end = text.rfind("\n", 0, position) + 1, text.find("\n", position)
    return start, len(text) if end < 0 else end


def _is_row(text: str, position: int) -> bool:
    return 0 <= position < len(text) and text[slice(*_line(text, position))].lstrip(" \t>").startswith("|")


def _block(text: str, position: int) -> tuple[int, int]:
    """The Markdown table around ``position``."""
    start, end = _line(text, position)
    while start > 0 and _is_row(text, start - 1):
        start = _line(text, start - 1)[0]
    while end < len(text) and _is_row(text, end + 1):
        end = _line(text, end + 1)[1]
    return start, end


def _each_line(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    for line in _LINE.finditer(text, start, end):
        if _RULE.fullmatch(line[0]) is None:
            yield line


def _cells(text: str, start: int, end: int) -> list[Cell]:
    bounds = [match.start() for match in _CELL.finditer(text, start, end)]
    stops = [*bounds[1:], end] if text[start:end].rstrip()[-1:] != "|" or len(bounds) < 2 else bounds[1:]
    return [_cell(text, left + 1, right) for left, right in zip(bounds, stops, strict=False)]


def _cell(text: str, start: int, end: int) -> Cell:
    raw = text[start:end]
    core = raw.strip(_MARKS)
    if core and raw.strip() and raw.strip()[-1] in "*_" and raw.strip()[0] not in "*_":
        core = raw.strip()  # a password's own last sign, no mark
    offset = start + raw.find(core) if core else start
    return Cell(core, offset, offset + len(core))


def _table(rows: Sequence[list[Cell]]) -> Iterator[Spotted]:
    yield from _columns(rows)
    for row in rows:
        if len(row) >= 2:
            kind = _names(row[0].text)
            if kind is not None:
                for cell in row[1:_MAX_VALUES]:
                    yield from _secret(cell, kind, 0)


def _columns(rows: Sequence[list[Cell]]) -> Iterator[Spotted]:
    if len(rows) < 2:
        return
    yield from _value_column(rows)
    for column, heading in enumerate(rows[0]):
        parts = _BESIDE.split(heading.text)
        for place, part in enumerate(parts):
            kind = _names(part)
            if kind is None:
                continue
            for row in rows[1:]:
                if column < len(row):
                    yield from _secret(row[column], kind, place if len(parts) > 1 else 0)


_VALUE = frozenset(("value", "wert", "valeur", "valor", "値"))


def _value_column(rows: Sequence[list[Cell]]) -> Iterator[Spotted]:
    """The column *Value* of a table of secrets, whose names stand in another."""
    kinds = [kind for heading in rows[0] if (kind := _names(heading.text)) is not None]
    for column, heading in enumerate(rows[0]):
        if kinds and heading.text.lower() in _VALUE:
            for row in rows[1:]:
                if column < len(row):
                    yield from _secret(row[column], kinds[0], 0)


def _names(heading: str) -> Kind | None:
    """The kind of secret that a heading names by its last word (*Initial password*, not *Password rule*)."""
    bare = heading.strip(_MARKS + ":：")
    if not bare or len(bare) > 48 or len(bare.split()) > _MAX_WORDS:
        return None
    found = list(nouns(bare, small(bare)))
    if bare in ("Pin", "pin"):
        return None  # of a plug
    if found and (found[-1].end == len(bare) or bare[found[-1].end :].lstrip().startswith("(")):
        return found[-1].kind
    return None


def _secret(cell: Cell, kind: Kind, place: int) -> Iterator[Spotted]:
    start, content = cell.start, cell.text
    if place:
        parts = list(_BESIDE.finditer(content))
        if len(parts) < place:
            return
        start = cell.start + parts[place - 1].end()
        content = content[parts[place - 1].end() :]
    value = content.strip(_MARKS)
    start += content.find(value) if value else 0
    pair = re.fullmatch(r"[^\s/:]{2,64}\s*[/:]\s*(\S+)", value) if kind == "token" else None
    if pair is not None and judge.is_mixed(pair[1]):
        yield Spotted("credential", "table_login", start + pair.start(1), start + pair.end(1))
    elif _believed(value, kind):
        yield Spotted("credential", f"table_{kind}", start, start + len(value))


def _believed(value: str, kind: Kind) -> bool:
    if kind == "pin" and re.fullmatch(r"\d{4,10}", value):
        return True
    if kind == "token":
        return judge.is_token(value, 10)
    return " " not in value and (judge.is_mixed(value) or judge.is_coined(value, 10) or judge.is_chain(value))


def _delimited(text: str, position: int) -> tuple[list[list[Cell]], int]:
    """Rows below a line of headings one of which is a secret's name by itself, and where they end."""
    start, end = _line(text, position)
    for sign in (";", "\t", ",", "  ") if end - start <= _MAX_HEADING else ():
        heads = _split(text, start, end, sign)
        if _are_headings(heads):
            rows = [heads, *_rows_below(text, end, sign, len(heads))]
            return rows, max(end, rows[-1][-1].end)
    return [], end


def _are_headings(cells: Sequence[Cell]) -> bool:
    return (
        len(cells) >= 2
        and all(1 <= len(cell.text.split()) <= 3 and cell.text[0].isalpha() for cell in cells)
        and any(_names(cell.text) for cell in cells)
    )


def _rows_below(text: str, position: int, sign: str, count: int) -> Iterator[list[Cell]]:
    while position < len(text):
        end = text.find("\n", position + 1)
        end = len(text) if end < 0 else end
        row = _split(text, position + 1, end, sign)
        if len(row) != count:
            return
        yield row
        position = end


def _split(text: str, start: int, end: int, sign: str) -> list[Cell]:
    pattern = re.compile(r" {2,}" if sign == "  " else re.escape(sign))
    cells, left = [], start
    for match in pattern.finditer(text, start, end):
        cells.append(_quoted(text, left, match.start()))
        left = match.end()
    return [*cells, _quoted(text, left, end)]


def _quoted(text: str, start: int, end: int) -> Cell:
    value = text[start:end]
    core = value.strip(" \t\r\"'")
    offset = start + (value.find(core) if core else 0)
    return Cell(core, offset, offset + len(core))
