"""Words, names and identifiers: whole, in parts, and by the fragments that people say (W4)."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import chain, combinations, pairwise
from typing import NamedTuple

from refdesk.index.analysis.characters import MARKS, normalise, same, spellings
from refdesk.index.analysis.figures import FIGURE, figure, join_spaced
from refdesk.index.analysis.model import Form

_LETTER = rf"[\w{MARKS}]"
_JOINER = r"[-‐‑‒–−./\\:@'’ʼ&+~]"

_TOKEN = re.compile(
    rf"{FIGURE}"
    rf"|(?<!\w)\.(?=[A-Za-z]){_LETTER}+(?:{_JOINER}{{1,2}}{_LETTER}+)*"
    rf"|{_LETTER}+(?:(?:{_JOINER}{{1,2}}|(?<=\d),(?=\d)){_LETTER}+)*(?:(?:\+{{1,2}}|\#)(?!\w))?"
)

_HAS_LETTER_OR_DIGIT = re.compile(r"[^\W_]")
_DIGIT = re.compile(r"\d")
_PIECES = re.compile(rf"((?:[^\W_]|[{MARKS}])+)")
_INSIDE = re.compile(
    r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=\d)(?=[^\W\d_])|(?<=[^\W\d_])(?=\d)"
)
_ASCII_PIECE = re.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_PROSE = re.compile(rf"(?:[^\W\d_]+|[{MARKS}]+)++(?:[-'/](?:[^\W\d_]+|[{MARKS}]+)++)*")
_JOINED_WORDS = re.compile("(?:[A-Z]?[a-z]+|[A-Z]+)(?:[-'/](?:[A-Z]?[a-z]+|[A-Z]+))+")
_SIGN = re.compile("[-'/]")
_MOST_PARTS = 5
"""Of a name with more parts not every sequence is kept, only the parts and neighbouring pairs."""
_LONG_NUMBER = 9
"""Digits of a number that people write with dashes or without, as those of books, telephones and accounts; of
fewer (a date, a range) only the parts mean anything."""
_LONGEST_NAME = 200
"""Characters; what is longer is data, and only cut at its signs."""

Stem = Callable[[str], tuple[str, ...]]


class Piece(NamedTuple):
    """A part of a token, with its place in the token as it is compared."""

    start: int
    end: int
    text: str
    after_sign: bool


def chunks(text: str) -> list[str]:
    """A text cut at white space; a token never goes across two."""
    return join_spaced(normalise(text)).split()


def bare(chunk: str) -> str:
    """Without the signs that stand around a word in prose."""
    return chunk.rstrip('.,;:!?)]"').lstrip('(["')


def is_plain(word: str) -> bool:
    """Of ASCII letters, and no name in camel case: compared in small letters, and in one part."""
    return word.isascii() and word.isalpha() and (word[1:].islower() or word.isupper())


def tokens(chunk: str) -> list[str]:
    """Words as they stand; nothing in them is an operator (W1)."""
    word = bare(chunk)
    if word.isalnum() and word.isascii():  # the most common kind by far
        return [word]
    return [token for token in _TOKEN.findall(chunk) if _HAS_LETTER_OR_DIGIT.search(token)]


def form(token: str, stem: Stem) -> Form:
    """A token of a script with spaces. ``stem`` gives the stems of a word in the languages at hand."""
    if is_plain(token):
        whole = token.lower()
        return Form(whole, stems=stem(whole))
    token = token.strip("_")
    number = figure(token) if _DIGIT.search(token) else None
    if number is not None:
        return number
    whole = same(token)
    if _JOINED_WORDS.fullmatch(token):
        return _compound(whole, _SIGN.split(whole), stem)
    pieces = _pieces(token)
    if len(pieces) == 1 and pieces[0].text == whole:
        return _word(whole, stem)
    if _PROSE.fullmatch(whole) and all(piece.after_sign for piece in pieces):
        return _compound(whole, [piece.text for piece in pieces], stem)
    return _name(whole, pieces, stem)


def _word(whole: str, stem: Stem) -> Form:
    return Form(whole, spellings(whole), stem(whole), figure=whole.isdecimal())


def _compound(whole: str, parts: list[str], stem: Stem) -> Form:
    """*long-term*, *l'entreprise*, *and/or*: its parts are words in their own right."""
    kept = [part for part in parts if len(part) > 1]
    joined = "".join(parts)
    fragments = dict.fromkeys(kept, 1.0)
    if not whole.isascii():
        fragments |= dict.fromkeys(chain.from_iterable(map(spellings, kept)), 1.0)
    fragments.setdefault(joined, 1.0)
    if len(parts) > 2 and whole.endswith("'s"):  # O'Brien's is said of obrien
        fragments.setdefault(joined[:-1], 1.0)
    stems = dict.fromkeys(chain.from_iterable(map(stem, kept)))
    return Form(whole, spellings(whole), tuple(stems), tuple(fragments.items()))


def _name(whole: str, pieces: list[Piece], stem: Stem) -> Form:
    """*PO-4711/B*, *getUserName*, *v2.1.3*: also by each sequence of its parts, written and joined."""
    texts = [piece.text for piece in pieces]
    letters = not all(map(str.isdecimal, texts))
    count = len(pieces)
    fragments: dict[str, float] = {}
    for first, last in _sequences(pieces):
        share = (last - first) / count
        written = whole[pieces[first][0] : pieces[last - 1][1]]
        fragments.setdefault(written, share)
        joined = texts[first] if last == first + 1 else "".join(texts[first:last])
        if joined != written and (not joined.isdecimal() or (share == 1 and len(joined) >= _LONG_NUMBER)):
            fragments.setdefault(joined, share)
    fragments.pop(whole, None)
    words = [text for text in texts if len(text) > 2 and text.isalpha()]
    if whole.isalpha():
        words.append(whole)
    stems = tuple(dict.fromkeys([s for word in words for s in stem(word)])) if words else ()
    return Form(whole, spellings(whole), stems, tuple(fragments.items()), letters, not letters)


def _sequences(pieces: list[Piece]) -> list[tuple[int, int]]:
    """First and last of the pieces that belong together: all where they are few."""
    if len(pieces) <= _MOST_PARTS:
        return _ALL_RUNS[len(pieces)]
    bounds = [i for i, piece in enumerate(pieces) if piece.after_sign] + [len(pieces)]
    runs = (
        _runs_of(bounds)
        if len(bounds) <= _MOST_PARTS + 1
        else [*pairwise(bounds), *zip(bounds, bounds[2:], strict=False)]
    )
    return runs if pieces[-1].end > _LONGEST_NAME else [*runs, *((i, i + 1) for i in range(len(pieces)))]


def _runs_of(bounds: list[int]) -> list[tuple[int, int]]:
    return list(combinations(bounds, 2))


_ALL_RUNS = [_runs_of(list(range(count + 1))) for count in range(_MOST_PARTS + 1)]


def _pieces(token: str) -> list[Piece]:
    """The parts of a token: cut at signs, at a change of case, and where digits begin or end."""
    return _ascii_pieces(token) if token.isascii() else _any_pieces(token)


def _ascii_pieces(token: str) -> list[Piece]:
    compared, behind = same(token), -1
    found: list[Piece] = []
    for part in _ASCII_PIECE.finditer(token):
        start, end = part.span()
        found.append(Piece(start, end, compared[start:end], start != behind))
        behind = end
    return found


def _any_pieces(token: str) -> list[Piece]:
    found: list[Piece] = []
    place = 0
    for k, text in enumerate(_PIECES.split(token)):
        if k % 2 == 0:
            place += len(same(text))
            continue
        for i, part in enumerate(_INSIDE.split(text)):
            spelled = same(part)
            found.append(Piece(place, place + len(spelled), spelled, i == 0))
            place += len(spelled)
    return found
