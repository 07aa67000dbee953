"""Counts and measures text without a model: one fixed counter of tokens, and rulers for both units."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Literal, Protocol

LETTERS, OTHER_LETTERS, DIGITS = 8, 4, 3

_IDEOGRAPHS = (
    r"\u1100-\u11ff\u2e80-\u2fff\u3005-\u3007\u3021-\u3029\u3040-\u30ff\u3105-\u318f\u31a0-\u31ff"
    r"\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uff9f"
    r"\U00020000-\U0003ffff"
)
# Accents and vowel signs, which Python's \w leaves out: parts of the word they stand in.
_ACCENTS = r"\u0300-\u036f"
_SIGNS = (
    r"\u0483-\u0487\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u0900-\u0963"
    r"\u0971-\u0e3e\u0e40-\u0e4e\u0e81-\u0fff\u1000-\u103f\u1050-\u109f\u1780-\u17d3"
)

_RUN = re.compile(
    rf"(?P<ideographs>[{_IDEOGRAPHS}]+)"
    r"|(?P<digits>\d+)"
    rf"|(?P<latin>(?:[A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u1e00-\u1eff{_ACCENTS}])+)"
    rf"|(?P<letters>(?:[^\W\d_{_IDEOGRAPHS}A-Za-z\u00c0-\u024f]|[{_ACCENTS}{_SIGNS}])+)"
    r"|(?P<signs>[^\w\s]+|_+|\w)"
)
_STEP = {"ideographs": 1, "digits": DIGITS, "latin": LETTERS, "letters": OTHER_LETTERS, "signs": 1}


def count_tokens(text: str) -> int:
    """How many tokens ``text`` has, by a rule that never changes with a model.

    An ideograph, kana, Hangul syllable, punctuation mark or any other sign is one token; a Latin word one
    for each 8 letters begun, a word in another alphabet one for each 4, a figure one for each 3
    digits; white space is none. Beside the word pieces of bge-small-en on the corpus of 2026-11:
    0.99 to 1.08 times theirs on general English, 0.94 to 0.97 on biomedical and technical English,
    1.00 on Chinese; 0.60 to 0.67 on German and Spanish, whose words that vocabulary breaks up.
    """
    total = 0
    for run in _RUN.finditer(text):
        step = _STEP[run.lastgroup or "signs"]
        total += -(-(run.end() - run.start()) // step)
    return total


def token_starts(text: str) -> list[int]:
    """Where each token begins; every character that is not white space belongs to one."""
    starts: list[int] = []
    for run in _RUN.finditer(text):
        starts.extend(range(run.start(), run.end(), _STEP[run.lastgroup or "signs"]))
    return starts


class Ruler(Protocol):
    """Measures spans of one text. A span begins at a character that is not white space."""

    def size(self, start: int, end: int) -> int: ...

    def reach(self, start: int, limit: int) -> int:
        """The furthest end (not past the text) with ``size(start, end) <= limit``."""
        ...

    def size_of(self, text: str) -> int:
        """The size of a text of its own."""
        ...


class Characters:
    def __init__(self, text: str) -> None:
        self._length = len(text)

    def size(self, start: int, end: int) -> int:
        return end - start

    def reach(self, start: int, limit: int) -> int:
        return min(start + limit, self._length)

    def size_of(self, text: str) -> int:
        return len(text)


class Tokens:
    """A span that begins inside a token counts that token's rest as one."""

    def __init__(self, text: str) -> None:
        self._length = len(text)
        self._starts = token_starts(text)

    def _cut(self, first: int, start: int) -> int:
        return 0 if first < len(self._starts) and self._starts[first] == start else 1

    def size(self, start: int, end: int) -> int:
        if end <= start:
            return 0
        first = bisect_left(self._starts, start)
        return bisect_left(self._starts, end, lo=first) - first + self._cut(first, start)

    def reach(self, start: int, limit: int) -> int:
        first = bisect_left(self._starts, start)
        last = first + limit - self._cut(first, start)
        return self._starts[last] if last < len(self._starts) else self._length

    def size_of(self, text: str) -> int:
        return count_tokens(text)


def ruler(text: str, unit: Literal["characters", "tokens"]) -> Ruler:
    return Characters(text) if unit == "characters" else Tokens(text)
