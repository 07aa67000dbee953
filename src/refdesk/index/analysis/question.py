"""A question as words, each with the terms that find it and their weights (W2).

A passage that holds a word as typed holds its other terms as well, so the weights of a plain word add up
to one, and every other way of finding it to less.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from refdesk.index.analysis import scripts
from refdesk.index.analysis.languages import Stems, common_words
from refdesk.index.analysis.model import EXACT, FOLDED, PART, STEM, Form, Word
from refdesk.index.analysis.text import may_come_again
from refdesk.index.analysis.words import Stem, chunks, form, tokens
from refdesk.index.memory import Memory
from refdesk.index.model import TermKind, Weighted

STEM_SHARE = 0.5
"""Of a word's weight what its stem has, where it has one."""
FOLDED_SHARE = 0.7
"""Of the rest what the word without its accents has, or a figure of the same value."""
COMMON_WEIGHT = 0.1
"""What a word counts that is common in the language: measured, it should hardly decide anything, however
rare it is in a base; a question of such words alone is still searched with them (W7)."""
PART_SHARE = 0.5
"""Of the rest what a word has where it is found as a part of another, or a part of it is found."""


REMEMBERED = 2_048
"""Chunks of questions in the languages of a base, and as many before them: about 1 KB each, four times as
much for long compounds."""


def analyze_question(text: str, languages: Sequence[str]) -> list[Word]:
    """The distinct words of a question to a base of these languages, in their order."""
    asked = _asked(tuple(languages))
    words: dict[str, Word] = {}
    for chunk in chunks(text):
        for word in asked[chunk]:
            words.setdefault(word.text, word)
    return list(words.values())


@lru_cache(maxsize=4)
def _asked(languages: tuple[str, ...]) -> Memory[str, tuple[Word, ...]]:
    """The words of each chunk; their stems are not remembered besides."""
    common, stem = common_words(languages), Stems(languages)

    def words(chunk: str) -> tuple[Word, ...]:
        return tuple([_word(form, form.whole in common) for form in _forms(chunk, stem)])

    return _Chunks(words, REMEMBERED)


class _Chunks(Memory[str, tuple[Word, ...]]):
    worth = staticmethod(may_come_again)


def _forms(chunk: str, stem: Stem) -> Iterator[Form]:
    for token in tokens(chunk):
        if not scripts.has_inner_words(token):
            yield form(token, stem)
            continue
        for run in scripts.runs(token):
            if scripts.is_korean(run):
                yield scripts.korean(run)
            elif scripts.has_inner_words(run):
                yield from (Form(word) for word in scripts.inner_words(run))
            else:
                yield from (form(piece, stem) for piece in tokens(run))


class _Terms(dict[str, Weighted]):
    """Terms with their best weight each."""

    def add(self, term: str, weight: float, kind: TermKind) -> None:
        before = self.get(term)
        if before is None or before.weight < weight:
            self[term] = Weighted(term, weight, kind)


class _Shares(NamedTuple):
    """The weights of a word's terms; remembered words hold the same few numbers."""

    exact: float
    part: float
    folded: float
    stem: float


@cache
def _shares(stems: bool, folded: bool, common: bool) -> _Shares:
    rest = 1.0 - STEM_SHARE if stems else 1.0
    exact = rest - rest * FOLDED_SHARE if folded else rest
    shares = exact, rest * PART_SHARE, rest * FOLDED_SHARE, STEM_SHARE
    return _Shares(*(share * COMMON_WEIGHT if common else share for share in shares))


def _word(asked: Form, common: bool) -> Word:
    terms = _Terms()
    exact, part, folded, stemmed = _shares(bool(asked.stems), bool(asked.folded), common)
    terms.add(EXACT + asked.whole, exact, "exact")
    terms.add(PART + asked.whole, part, "part")
    for spelling in asked.folded or (asked.whole,):
        terms.add(FOLDED + spelling, folded, "folded")
    for spelling in asked.folded:
        terms.add(EXACT + spelling, folded, "folded")
        if asked.figure:  # 49,99 stands in $49.99 as a part, of the same value
            terms.add(PART + spelling, folded * PART_SHARE, "part")
    for stem in asked.stems:
        terms.add(STEM + stem, stemmed, "stem")
    for fragment, share in asked.fragments:
        terms.add(PART + fragment, part * share, "part")
        terms.add(EXACT + fragment, part * share, "part")
    return Word(asked.whole, tuple(terms.values()), asked.identifier, asked.figure, common)
