"""The words of a question or answer that carry meaning, and whether a text holds them in any form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from refdesk.index.analysis import Word as Asked
from refdesk.index.analysis import analyze, analyze_question

EVERYDAY = frozenset(
    """
    able above according across actually ago ahead almost alone along already although always another
    anybody anyone anything anyway anywhere apart apparently appear around aside ask asked asking away back
    bad basically beside besides best better big bit bring brings brought came care carefully certain
    certainly chance choose clear clearly come comes coming completely consider considered correct correctly
    couple course currently deal decide decided despite directly done easily easy either else enough
    especially etc even ever everybody everyone everything everywhere exact exactly exist exists expect
    explain fact far feel few fewer find fine following forget gave generally get gets getting give given
    gives giving go goes going gone good got great guess guys handle happen happened happening happens hard
    hardly hear hello help holds hope however idea immediately important including indeed instead involved
    keep keeps kind knew know known knows largely least left less let lets like likely little long look
    looked looking looks lot lots luck made main mainly make makes making manner many matter matters may
    maybe mean means meant meanwhile mention mentioned might mind mine moment mostly much myself namely near
    nearly necessarily necessary need needed needs neither never nevertheless nice nobody none nothing now
    nowhere obviously often ok okay one ones others otherwise overall particular particularly people perhaps
    place please plenty point possible possibly precisely prefer pretty probably properly provide provided
    put puts question quick quickly quite rather really reason reasons recent recently regarding remain
    remains right said say saying says see seem seems seen sense several show showed shown shows similar
    simply since situation small somebody somehow someone something sometimes somewhere soon sorry sort
    sorts specific specifically still stuff suddenly suggest supposed sure take taken takes taking tell
    tells thank thanks thing things think though thought throughout thus together told too took toward
    towards tried tries true truly try trying twice unable understand unfortunately unless unlike use used
    useful uses using usually various via want wanted wants way ways well went whatever whenever wherever
    whether whichever whoever whole wish wonder wondering worse worst worth wrong yes yet
    """.split()  # noqa: SIM905
)
"""What people ask and tell with, beside the words that are common in the language: no text is about them, and
one that lacks them may answer all the same."""


@dataclass(frozen=True, slots=True)
class Word:
    """``finds`` are the terms of any form of the word; a part of another word is not one."""

    text: str
    finds: frozenset[str]
    identifier: bool


def telling_words(text: str, languages: Sequence[str]) -> list[Word]:
    """The distinct words of ``text`` that are not everyday (A3); all of them where all are."""
    words = analyze_question(text, languages)
    telling = [word for word in words if not word.common and word.text not in EVERYDAY]
    return [Word(word.text, _finds(word), word.identifier) for word in telling or words]


def _finds(word: Asked) -> frozenset[str]:
    """An identifier is itself alone: what shares its letters names something else."""
    kinds = ("exact", "folded") if word.identifier else ("exact", "folded", "stem")
    return frozenset(term.term for term in word.terms if term.kind in kinds)


def held(words: Iterable[Word], text: str, languages: Sequence[str]) -> set[str]:
    """Those of ``words`` that ``text`` holds, in any form."""
    terms = analyze(text, languages).terms.keys()
    return {word.text for word in words if not word.finds.isdisjoint(terms)}
