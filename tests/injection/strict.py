"""What a model is given, read by the letter as the prompt itself says, and as by somebody who looks no closer
than they must. Nothing here is the product's own code."""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass


class Broken(AssertionError):
    """The text is not of the shape that a model was told of."""


@dataclass(frozen=True, slots=True)
class Reference:
    number: int
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Parsed:
    """``outside`` are the lines that stand in no reference, blank ones left out."""

    outside: tuple[str, ...]
    references: tuple[Reference, ...]


def parse(text: str) -> Parsed:
    """Raises ``Broken`` for anything but: the mark in the first line, and references one after another, each
    opened and closed by a whole line with that mark and its number, which count from 1."""
    lines = text.split("\n")
    announced = re.fullmatch(r"Mark: ([0-9a-f]{32})", lines[0])
    if announced is None:
        raise Broken(f"no mark in the first line: {lines[0]!r}")
    mark = announced[1]
    outside: list[str] = []
    references: list[Reference] = []
    inside: list[str] | None = None
    for line in lines[1:]:
        if mark in line.casefold():
            number, word = _fence(line, mark)
            if (inside is None) != (word == "begins") or number != len(references) + 1:
                raise Broken(f"a fence out of order: {line!r}")
            if inside is not None:
                references.append(_reference(number, inside))
            inside = [] if inside is None else None
        elif inside is not None:
            inside.append(line)
        elif line:
            outside.append(line)
    if inside is not None:
        raise Broken("a reference that never ends")
    return Parsed(tuple(outside), tuple(references))


def _fence(line: str, mark: str) -> tuple[int, str]:
    fence = re.fullmatch(rf"---- {mark} reference \[([1-9][0-9]*)\] (begins|ends) ----", line)
    if fence is None:
        raise Broken(f"a mark in another line than a fence: {line!r}")
    return int(fence[1]), fence[2]


def _reference(number: int, lines: list[str]) -> Reference:
    if len(lines) < 3 or not lines[0].startswith("From: ") or lines[1]:
        raise Broken(f"reference {number} has no head: {lines[:2]!r}")
    return Reference(number, lines[0].removeprefix("From: "), "\n".join(lines[2:]))


_LETTERS = {
    "CYRILLIC SMALL LETTER IE": "e",
    "CYRILLIC SMALL LETTER A": "a",
    "CYRILLIC SMALL LETTER O": "o",
    "GREEK SMALL LETTER EPSILON": "e",
    "GREEK SMALL LETTER ETA": "n",
    "GREEK SMALL LETTER OMICRON": "o",
}
_FORGED = re.compile(
    r"[-=_*~#+]{2,}\s*(?:[0-9a-f]{16,}.*?|reference\s*\[\s*\d+\s*\]\s*)\b(?:begins|ends)\b"
    r"|^\s*mark\s*:\s*[0-9a-f]{32}\s*$"
)
_TOKEN = re.compile(
    r"<[|\uff5c][^<>|\uff5c\n]{1,60}[|\uff5c]>|\[/?INST\]|<<?/?SYS>>?|<(?:start|end)_of_turn>"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_UNSEEN = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e01ef]")


def forgeries(text: str) -> list[str]:
    """What somebody who reads carelessly could take for a fence, and what a server of open models could take
    for the end of a message; and characters that nobody sees."""
    found = [line for line in re.split(r"[\n\r\u2028\u2029\x85]", text) if _FORGED.search(squinted(line))]
    return [*found, *_TOKEN.findall(text), *_CONTROL.findall(text), *_UNSEEN.findall(text)]


def squinted(line: str) -> str:
    for _ in range(3):
        line = html.unescape(line)
    plain = unicodedata.normalize("NFKD", line.replace("\\", ""))
    return "".join(map(_seen, plain)).casefold()


def _seen(character: str) -> str:
    category = unicodedata.category(character)
    if category in ("Mn", "Cf"):
        return ""
    name = unicodedata.name(character, "")
    if category == "Pd" or name == "MINUS SIGN" or name.startswith("BOX DRAWINGS LIGHT HORI"):
        return "-"
    if category in ("Ps", "Pe") and "PARENTHESIS" not in name:
        return "[" if category == "Ps" else "]"
    return _LETTERS.get(name, character)


_RENDERED = re.compile(
    r"!\[|\]\s*\(|^\s*\[[^\]]+\]:|<\s*/?\s*[a-z!][^>]*>|<[a-z][a-z0-9+.-]*:|javascript:",
    re.IGNORECASE | re.MULTILINE,
)


def fetched(answer: str) -> list[str]:
    """What of an answer a page that renders Markdown or HTML would load, run or link by itself."""
    return _RENDERED.findall(answer)
