"""Whether the passages that a sentence cites carry it: its figures, dates, codes, names and words (A2)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from refdesk.answer.citations import Cited
from refdesk.answer.model import Reference, Support
from refdesk.answer.words import held, telling_words
from refdesk.index.analysis import analyze_question
from refdesk.passages.sentences import sentence_starts

WELL = 0.5  # of a sentence's telling words in the cited passages: supported; with fewer, weak
_MARK = re.compile(r"[\[［【][\d\s,;，、；–—-]+[\]］】]")
_NAME = re.compile(r"(?<![.!?:。！？]\s)(?<!^)(?<![\"“„«(])\b[A-ZÄÖÜÀ-Þ][\w'’-]+", re.MULTILINE)
_RANK: dict[Support, int] = {"supported": 2, "weak": 1, "unsupported": 0}


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence with the numbers that it cites; those of the next mark where it cites none itself."""

    text: str
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """The weakest support of each cited number's sentences, and what stands in no cited passage."""

    support: Mapping[int, Support]
    unfounded: tuple[str, ...]


def check(cited: Cited, references: Mapping[int, Reference], languages: Sequence[str]) -> Checked:
    support: dict[int, Support] = {}
    unfounded: dict[str, None] = {}
    for claim in _claims(cited):
        passages = "\n".join(_whole(references[number]) for number in claim.numbers)
        missing = _missing(claim.text, passages, languages)
        unfounded.update(dict.fromkeys(missing))
        verdict = _verdict(claim.text, passages, languages, missing=bool(missing))
        for number in claim.numbers:
            known = support.get(number, verdict)
            support[number] = min(known, verdict, key=_RANK.__getitem__)
    return Checked(support, tuple(unfounded))


def _claims(cited: Cited) -> list[Claim]:
    """The answer's sentences that cite. A mark behind a full stop belongs to the sentence before it."""
    claims: list[Claim] = []
    start = 0
    for index, mark in enumerate(cited.marks):
        follows = cited.marks[index + 1] if index + 1 < len(cited.marks) else None
        if follows is not None and not cited.answer[mark.end : follows.start].strip(" .,;"):
            continue  # [1][2]: one sentence cites both
        together = [other for other in cited.marks[: index + 1] if other.start >= start]
        numbers = tuple(dict.fromkeys(number for other in together for number in other.numbers))
        text = _MARK.sub(" ", cited.answer[start : mark.end]).strip()
        claims.append(Claim(_last_paragraph(text), numbers))
        start = mark.end
    return claims


def _last_paragraph(text: str) -> str:
    """What stands in a paragraph before the one with the mark is not what the mark is for."""
    return re.split(r"\n\s*\n", text)[-1].strip(" .,;\n")


def _whole(reference: Reference) -> str:
    return "\n".join((reference.title, reference.section or "", reference.text))


def _missing(sentence: str, passages: str, languages: Sequence[str]) -> list[str]:
    """Figures, dates, codes and names of the sentence that stand in none of its passages."""
    exact = [word for word in analyze_question(sentence, languages) if word.figure or word.identifier]
    names = {name.casefold() for start in _sentences(sentence) for name in _NAME.findall(start)}
    named = [word for word in telling_words(sentence, languages) if word.text in names]
    there = held(named, passages, languages)
    terms = {word.text for word in analyze_question(passages, languages)}
    flat = _flat(passages)
    missing = [w.text for w in exact if w.text not in terms and _flat(w.text) not in flat]
    return missing + [word.text for word in named if word.text not in there]


def _verdict(sentence: str, passages: str, languages: Sequence[str], *, missing: bool) -> Support:
    words = telling_words(sentence, languages)
    share = len(held(words, passages, languages)) / len(words) if words else 1.0
    if missing or share == 0:
        return "unsupported"
    return "supported" if share >= WELL else "weak"


def _sentences(text: str) -> list[str]:
    stripped = text.strip()
    starts = list(sentence_starts(stripped, 0, len(stripped))) if stripped else []
    return [
        stripped[start:end].strip() for start, end in zip(starts, [*starts[1:], len(stripped)], strict=True)
    ]


def _flat(text: str) -> str:
    return re.sub(r"\s+", "", text).casefold()
