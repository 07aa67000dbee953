"""A question as words, each with the terms that find it and their weights (W2).

A passage that holds a word as typed holds its other terms as well, so the weights of a plain word add up
to one, and every other way of finding it to less.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from refdesk.index.analysis import scripts
from refdesk.index.analysis.languages import common_words, stems_of
from refdesk.index.analysis.model import EXACT, FOLDED, PART, STEM, Form, Word
from refdesk.index.analysis.words import Stem, chunks, form, tokens
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


def analyze_question(text: str, languages: Sequence[str]) -> list[Word]:
    """The distinct words of a question to a base of these languages, in their order."""
    spoken = tuple(languages)
    words: dict[str, Word] = {}
    for chunk in chunks(text):
        for word in _words(chunk, spoken):
            words.setdefault(word.text, word)
    return list(words.values())


@lru_cache(maxsize=4096)
def _words(chunk: str, languages: tuple[str, ...]) -> tuple[Word, ...]:
    common = common_words(languages)
    return tuple(_word(asked, asked.whole in common) for asked in _forms(chunk, stems_of(languages)))


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


@dataclass(slots=True)
class _Terms:
    """Terms with their best weight each."""

    scale: float
    found: dict[str, Weighted] = field(default_factory=dict)

    def add(self, term: str, weight: float, kind: TermKind) -> None:
        weight *= self.scale
        before = self.found.get(term)
        if before is None or before.weight < weight:
            self.found[term] = Weighted(term, weight, kind)


def _word(asked: Form, common: bool) -> Word:
    terms = _Terms(COMMON_WEIGHT if common else 1.0)
    rest = 1.0 - STEM_SHARE if asked.stems else 1.0
    folded = rest * FOLDED_SHARE
    part = rest * PART_SHARE
    terms.add(EXACT + asked.whole, rest - folded if asked.folded else rest, "exact")
    terms.add(PART + asked.whole, part, "part")
    for spelling in asked.folded or (asked.whole,):
        terms.add(FOLDED + spelling, folded, "folded")
    for spelling in asked.folded:
        terms.add(EXACT + spelling, folded, "folded")
        if asked.figure:  # 49,99 stands in $49.99 as a part, of the same value
            terms.add(PART + spelling, folded * PART_SHARE, "part")
    for stem in asked.stems:
        terms.add(STEM + stem, STEM_SHARE, "stem")
    for fragment, share in asked.fragments:
        terms.add(PART + fragment, part * share, "part")
        terms.add(EXACT + fragment, part * share, "part")
    return Word(asked.whole, tuple(terms.found.values()), asked.identifier, asked.figure, common)
