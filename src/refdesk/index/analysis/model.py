"""What analysis makes of a word, a text and a question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from refdesk.index.hashed import Hashed
from refdesk.index.model import Weighted

EXACT, FOLDED, STEM, PART = "=", "~", "^", "."
"""A term's first character is its kind."""


class Form(NamedTuple):
    """A word with all the ways to find it; texts without their kind.

    ``folded`` are spellings without accents or other figures of the same value, ``fragments`` what people
    say of it, each with the share of the whole that it is.
    """

    whole: str
    folded: tuple[str, ...] = ()
    stems: tuple[str, ...] = ()
    fragments: tuple[tuple[str, float], ...] = ()
    identifier: bool = False
    figure: bool = False


@dataclass(frozen=True, slots=True)
class Analyzed:
    """A text as an index keeps it: how often each term occurs, and how many words it has."""

    terms: dict[str, int]
    words: int


class Counted(NamedTuple):
    """The same, as ``analyze_passages`` gives it."""

    terms: Hashed
    words: int


@dataclass(frozen=True, slots=True)
class Word:
    """A distinct word of a question: any of ``terms`` finds it. ``identifier`` is a name from code, a part
    number, a path or an address; ``figure`` a number, price, date or measure; ``common`` a word so common in
    the language that it says little, whose terms weigh little already."""

    text: str
    terms: tuple[Weighted, ...]
    identifier: bool
    figure: bool
    common: bool
