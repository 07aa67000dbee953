"""Words, names and identifiers: whole, in parts, and by the fragments that people say (W4)."""

from __future__ import annotations

import re
from collections.abc import Callable

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

_PIECE = re.compile(rf"(?:[^\W_]|[{MARKS}])+")
_INSIDE = re.compile(
    r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=\d)(?=[^\W\d_])|(?<=[^\W\d_])(?=\d)"
)
_PROSE = re.compile(rf"(?:[^\W\d_]|[{MARKS}])+(?:[-'/](?:[^\W\d_]|[{MARKS}])+)*")
_LONGEST_NAME = 5
"""Of a name with more parts not every sequence is kept, only its parts and neighbouring pairs."""
_LONGEST_PATH = 24

Stem = Callable[[str], tuple[str, ...]]


def chunks(text: str) -> list[str]:
    """A text cut at white space; a token never goes across two."""
    return join_spaced(normalise(text)).split()


def tokens(chunk: str) -> list[str]:
    """Words as they stand; nothing in them is an operator (W1)."""
    return _TOKEN.findall(chunk)


def form(token: str, stem: Stem) -> Form:
    """A token of a script with spaces. ``stem`` gives the stems of a word in the languages at hand."""
    token = token.strip("_")
    number = figure(token)
    if number is not None:
        return number
    whole = same(token)
    pieces = _pieces(token)
    if len(pieces) == 1 and pieces[0][2] == whole:
        return _word(whole, stem)
    if _PROSE.fullmatch(whole) and len(_PIECE.findall(token)) == len(pieces):
        return _compound(whole, [text for _, _, text in pieces], stem)
    return _name(whole, pieces, stem)


def _word(whole: str, stem: Stem) -> Form:
    return Form(whole, spellings(whole), stem(whole), figure=whole.isdecimal())


def _compound(whole: str, parts: list[str], stem: Stem) -> Form:
    """*long-term*, *l'entreprise*, *and/or*: its parts are words in their own right."""
    kept = [part for part in parts if len(part) > 1]
    joined = "".join(parts)
    fragments = dict.fromkeys((*kept, *(s for part in kept for s in spellings(part))), 1.0)
    fragments.setdefault(joined, 1.0)
    stems = dict.fromkeys(s for part in kept for s in stem(part))
    return Form(whole, spellings(whole), tuple(stems), tuple(fragments.items()))


def _name(whole: str, pieces: list[tuple[int, int, str]], stem: Stem) -> Form:
    """*PO-4711/B*, *getUserName*, *v2.1.3*: also by each sequence of its parts, written and joined."""
    letters = any(not text.isdecimal() for _, _, text in pieces)
    fragments: dict[str, float] = {}
    for first, last in _sequences(len(pieces)):
        share = (last - first) / len(pieces)
        written = whole[pieces[first][0] : pieces[last - 1][1]]
        fragments.setdefault(written, share)
        joined = "".join(text for _, _, text in pieces[first:last])
        if letters and not joined.isdecimal():
            fragments.setdefault(joined, share)
    fragments.pop(whole, None)
    stems = dict.fromkeys(s for _, _, text in pieces if len(text) > 2 and text.isalpha() for s in stem(text))
    if whole.isalpha():
        stems.update(dict.fromkeys(stem(whole)))
    return Form(
        whole,
        spellings(whole),
        tuple(stems),
        tuple(fragments.items()),
        identifier=letters,
        figure=not letters,
    )


def _sequences(parts: int) -> list[tuple[int, int]]:
    if parts <= _LONGEST_NAME:
        return [(i, j) for i in range(parts) for j in range(i + 1, parts + 1)]
    singles = [(i, i + 1) for i in range(min(parts, _LONGEST_PATH))]
    return singles + [(i, i + 2) for i in range(min(parts, _LONGEST_PATH) - 1)]


def _pieces(token: str) -> list[tuple[int, int, str]]:
    """Parts of a token with their places in ``same(token)``: cut at signs, at a change of case, at digits."""
    found: list[tuple[int, int, str]] = []
    place = 0
    signs_and_pieces = re.split(rf"((?:[^\W_]|[{MARKS}])+)", token)
    for k, text in enumerate(signs_and_pieces):
        if k % 2 == 0:
            place += len(same(text))
            continue
        for part in _INSIDE.split(text):
            spelled = same(part)
            found.append((place, place + len(spelled), spelled))
            place += len(spelled)
    return found
