"""The words of a question or answer that carry meaning, and whether a text holds them in any form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from refdesk.index.analysis import analyze, analyze_question
from refdesk.index.analysis.common_words import COMMON_WORDS

_ASKING = """
    a i me my we our us you your he him his she her it its they them their what which who whom whose
    this that these those am is are was were be been being have has had having do does did doing an the
    and but if or because as until while of at by for with about against between into through during
    before after to from up down in out on off over under again then once here there when where why how
    all any both each few more most other some such no nor not only own same so than too very can will
    just should now could would may might must shall please tell give find show need want get make use
"""

EVERYDAY = frozenset(_ASKING.split()).union(*(words.split() for words in COMMON_WORDS.values()))
"""Words that two texts on anything have in common (A3)."""


@dataclass(frozen=True, slots=True)
class Word:
    """``finds`` are the terms of any form of the word; a part of another word is not one."""

    text: str
    finds: frozenset[str]


def telling_words(text: str, languages: Sequence[str]) -> list[Word]:
    """The distinct words of ``text`` that are not everyday; all of them where all are."""
    words = [
        Word(word.text, frozenset(term.term for term in word.terms if term.kind != "part"))
        for word in analyze_question(text, languages)
    ]
    return [word for word in words if word.text not in EVERYDAY] or words


def held(words: Iterable[Word], text: str, languages: Sequence[str]) -> set[str]:
    """Those of ``words`` that ``text`` holds, in any form."""
    terms = analyze(text, languages).terms.keys()
    return {word.text for word in words if not word.finds.isdisjoint(terms)}
