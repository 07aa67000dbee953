"""The words of a question or answer that carry meaning, and whether a text holds them in any form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from refdesk.index.analysis import analyze, analyze_question

ASKING = frozenset(
    """
    find get give happen know let like long make many may mean might much need now often quickly show soon
    tell use want
    """.split()  # noqa: SIM905
)
"""What a question is asked with, beside the words that are common in its language: no text is about it."""


@dataclass(frozen=True, slots=True)
class Word:
    """``finds`` are the terms of any form of the word; a part of another word is not one."""

    text: str
    finds: frozenset[str]
    identifier: bool


def telling_words(text: str, languages: Sequence[str]) -> list[Word]:
    """The distinct words of ``text`` that are not everyday (A3); all of them where all are."""
    words = analyze_question(text, languages)
    telling = [word for word in words if not word.common and word.text not in ASKING]
    return [
        Word(word.text, frozenset(t.term for t in word.terms if t.kind != "part"), word.identifier)
        for word in telling or words
    ]


def held(words: Iterable[Word], text: str, languages: Sequence[str]) -> set[str]:
    """Those of ``words`` that ``text`` holds, in any form."""
    terms = analyze(text, languages).terms.keys()
    return {word.text for word in words if not word.finds.isdisjoint(terms)}
