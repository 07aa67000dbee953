"""Whether the passages that a sentence cites carry it: its figures, dates, codes, names and words (A2)."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from refdesk.answer.citations import Cited
from refdesk.answer.facts import Passages
from refdesk.answer.model import Reference, Support
from refdesk.answer.words import Word, held, telling_words
from refdesk.passages.sentences import sentence_starts

WELL = 0.5  # of a sentence's telling words in the cited passages together: supported; with fewer, weak
OWN = 0.25  # of them in a passage itself: with fewer, weak, however well others carry the sentence
RANK: dict[Support, int] = {"supported": 2, "weak": 1, "unsupported": 0}
_BLOCK = re.compile(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*+•|>#]|\d{1,2}[.)])[ \t])")
_PARAGRAPH = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence without its marks; ``cites`` are the numbers of its own, ``near`` those of its paragraph."""

    text: str
    cites: tuple[int, ...]
    near: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """The weakest support of each cited number's sentences, and what stands in no cited passage."""

    support: Mapping[int, Support]
    unfounded: tuple[str, ...]


def check(cited: Cited, references: Mapping[int, Reference], languages: Sequence[str]) -> Checked:
    """A sentence without a citation is held to those of its paragraph, else to all that the answer cites;
    where the answer cites nothing, to all that were issued."""

    @cache
    def passages(numbers: tuple[int, ...]) -> Passages:
        return Passages("\n".join(_whole(references[number]) for number in numbers), languages)

    support: dict[int, Support] = {}
    unfounded: dict[str, None] = {}
    for claim in claims(cited):
        held_to = claim.cites or claim.near or cited.numbers or tuple(references)
        missing = passages(held_to).missing(claim.text)
        unfounded.update(dict.fromkeys(missing))
        verdicts = _verdicts(claim, references, languages, missing=bool(missing))
        for number, verdict in verdicts.items():
            support[number] = min(support.get(number, verdict), verdict, key=RANK.__getitem__)
    return Checked(support, tuple(unfounded))


def claims(cited: Cited) -> Iterator[Claim]:
    """The answer's sentences. A mark belongs to the sentence before it, also behind its full stop."""
    text, places = _without_marks(cited)
    starts = list(_starts(text))
    cites: dict[int, dict[int, None]] = {}
    for place, numbers in places:
        cites.setdefault(bisect_right(starts, max(place - 1, 0)) - 1, {}).update(dict.fromkeys(numbers))
    for first, last in _paragraphs(text, starts):
        near = tuple(dict.fromkeys(n for index in range(first, last) for n in cites.get(index, ())))
        for index in range(first, last):
            end = starts[index + 1] if index + 1 < len(starts) else len(text)
            yield Claim(text[starts[index] : end].strip(), tuple(cites.get(index, ())), near)


def _without_marks(cited: Cited) -> tuple[str, list[tuple[int, tuple[int, ...]]]]:
    """The answer without its marks, and the end of what stands before each."""
    text, at, places = "", 0, []
    for mark in cited.marks:
        text = (text + cited.answer[at : mark.start]).rstrip(" ")
        places.append((len(text.rstrip()), mark.numbers))
        at = mark.end
    return text + cited.answer[at:], places


def _starts(text: str) -> Iterator[int]:
    """Where sentences begin: also at each list item, table row and heading."""
    at = 0
    for end in (*(gap.start() for gap in _BLOCK.finditer(text)), len(text)):
        block = text[at:end]
        inside = block.strip()
        if inside:
            begin = at + len(block) - len(block.lstrip())
            yield from sentence_starts(text, begin, begin + len(inside))
        at = end


def _paragraphs(text: str, starts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The sentences of each paragraph, as a range of ``starts``."""
    first = 0
    for end in (*(gap.end() for gap in _PARAGRAPH.finditer(text)), len(text) + 1):
        last = bisect_right(starts, end - 1)
        if last > first:
            yield first, last
        first = last


def _verdicts(
    claim: Claim, references: Mapping[int, Reference], languages: Sequence[str], *, missing: bool
) -> dict[int, Support]:
    words = telling_words(claim.text, languages) if claim.cites else []
    there = {number: held(words, _whole(references[number]), languages) for number in claim.cites}
    together = _share(set().union(*there.values()), words)
    return {number: _verdict(_share(has, words), together, missing=missing) for number, has in there.items()}


def _share(has: set[str], words: Sequence[Word]) -> float:
    return len(has) / len(words) if words else 1.0


def _verdict(own: float, together: float, *, missing: bool) -> Support:
    if missing or own == 0:
        return "unsupported"
    return "supported" if together >= WELL and own >= OWN else "weak"


def _whole(reference: Reference) -> str:
    return "\n".join((reference.title, reference.section or "", reference.text))
