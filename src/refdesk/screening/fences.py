"""The lines that fence quoted knowledge in a prompt: how they are written, and how their likes leave a text.

A prompt's mark is drawn at random, so no document can forge it; what looks alike is removed before storage
all the same, since a model may not compare 32 digits with care (RUN5).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from refdesk.screening.edits import Edit

MARK_DIGITS = 32

_RULE = r"[-=_*~#+]"
_FENCE = re.compile(
    rf"(?<!{_RULE}){_RULE}{{2,}}+\s*+[0-9a-f]{{16,64}}\b[^\n]{{0,80}}?\b(?:begins|ends)\b\s*+{_RULE}*+"
)
_ANNOUNCED = re.compile(rf"^\s*mark\s*:\s*[0-9a-f]{{{MARK_DIGITS}}}\s*$")
_INVISIBLE = "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
_NO_WIDTH = re.compile(f"[{_INVISIBLE}]")
_MAY_BE_HEX = re.compile(
    f"[0-9A-Za-z\u00aa-\u058f\u2070-\u209f\u2100-\u214f\u2460-\u24ff\uff10-\uff5a"
    f"\U0001d400-\U0001d7ff{_INVISIBLE}]{{16}}"
)
"""As many letters and digits in a row as a mark has, of whatever kind is written like these."""
_LETTERS = (
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u0501\u04bb\u0458\u04cf\u051b\u051d\u0578"
    "\u043c\u043a\u0433\u044c\u03b1\u03b5\u03bf\u03bd\u03b9\u03ba\u03c1\u03c4\u0581\u0261\u0131",
    "aeopcyxisdhjlqwnmkrbaeovikptggi",
)
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2500\u2501\u2550\u23af"
_ALIKE = str.maketrans(_LETTERS[0] + _DASHES, _LETTERS[1] + "-" * len(_DASHES))
"""Cyrillic, Greek and Armenian letters that look like Latin ones, and dashes of any length."""


def opening(mark: str, what: str) -> str:
    return f"---- {mark} {what} begins ----"


def closing(mark: str, what: str) -> str:
    return f"---- {mark} {what} ends ----"


def announcement(mark: str) -> str:
    return f"Mark: {mark}"


def forged(text: str) -> list[Edit]:
    """The removals: what could be taken for a fence or for the line that announces a mark, written in
    whatever width or case, with look-alike letters and with signs of no width inside."""
    return [edit for start, line in _lines(text) for edit in _in_line(line, start)]


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Those that may hold a mark, with where they begin."""
    end = 0
    while found := _MAY_BE_HEX.search(text, end):
        start = text.rfind("\n", 0, found.start()) + 1
        end = text.find("\n", found.end())
        end = len(text) if end < 0 else end
        yield start, text[start:end]


def _in_line(line: str, start: int) -> Iterator[Edit]:
    folded = _folded(line)
    if not (_FENCE.search(folded) or _ANNOUNCED.search(folded)):
        return
    written, offsets = _by_character(line)
    if _ANNOUNCED.search(written):
        yield Edit(start, start + len(line))
        return
    for found in _FENCE.finditer(written):
        yield Edit(start + offsets[found.start()], start + offsets[found.end() - 1] + 1)


def _folded(text: str) -> str:
    if text.isascii():
        return text.casefold()
    return unicodedata.normalize("NFKC", _NO_WIDTH.sub("", text)).casefold().translate(_ALIKE)


def _by_character(line: str) -> tuple[str, list[int]]:
    """The folded line, and for each of its characters the one that it was made of."""
    parts = [(_folded(character), at) for at, character in enumerate(line)]
    return "".join(part for part, _ in parts), [at for part, at in parts for _ in part]
