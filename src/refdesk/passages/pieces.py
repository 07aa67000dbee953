"""Cuts what is longer than a passage: a sentence at lines and words, a word never inside a character."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from refdesk.passages.structure import Break
from refdesk.passages.tokens import Ruler

# A word with the clause mark that ends it: between these a long sentence may be cut.
_WORD = re.compile(r"[^\s、，；：､]+[、，；：､]*|[、，；：､]+")
_JOINER = "\u200d"
_VOWELS = "\u0e33\u0eb3"  # Thai and Lao am: letters by category, but part of the one before
_VIRAMA = 9  # the combining class of the sign that ties two consonants together
_MAX_CLUSTER = 64


def words(text: str, start: int, end: int, ruler: Ruler, limit: int) -> Iterator[tuple[int, int, Break]]:
    """The words of a span with the break before each, those longer than ``limit`` in smaller pieces."""
    behind = start
    for word in _WORD.finditer(text, start, end):
        first, last = word.span()
        rank = Break.LINE if text.find("\n", behind, first) >= 0 else Break.WORD
        behind = last
        if last - first <= limit or ruler.size(first, last) <= limit:  # nothing is larger than its characters
            yield first, last, rank
            continue
        # Small enough that a passage is filled up, not left when the next piece is a whole passage long.
        for piece, stop in _inside(text, first, last, ruler, max(1, limit // 8)):
            yield piece, stop, rank if piece == first else Break.INSIDE


def _inside(text: str, start: int, end: int, ruler: Ruler, step: int) -> Iterator[tuple[int, int]]:
    while start < end:
        stop = _whole_character(text, start, min(max(ruler.reach(start, step), start + 1), end), end)
        yield start, stop
        start = stop


def _whole_character(text: str, start: int, stop: int, end: int) -> int:
    """``stop``, or the nearest place before it (else behind it) that cuts no combined character."""
    for place in range(stop, max(start, stop - _MAX_CLUSTER), -1):
        if _cuts_clean(text, place, end):
            return place
    for place in range(stop + 1, min(end, stop + _MAX_CLUSTER)):
        if _cuts_clean(text, place, end):
            return place
    return min(end, stop + _MAX_CLUSTER)


def _cuts_clean(text: str, place: int, end: int) -> bool:
    if place >= end:
        return True
    before, after = text[place - 1], text[place]
    if after < "\u0300":
        return True
    if (
        _JOINER in (before, after)
        or after in _VOWELS
        or unicodedata.combining(before) == _VIRAMA
        or "\U0001f3fb" <= after <= "\U0001f3ff"
    ):
        return False
    if _is_flag(after) and _is_flag(before):
        return _flags_before(text, place) % 2 == 0
    return not (unicodedata.category(after).startswith("M") or "\u1160" <= after <= "\u11ff")


def _is_flag(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _flags_before(text: str, place: int) -> int:
    first = place
    while first > max(0, place - 2 * _MAX_CLUSTER) and _is_flag(text[first - 1]):
        first -= 1
    return place - first
