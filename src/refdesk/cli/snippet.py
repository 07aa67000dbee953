"""A few lines of a passage, around the sentence that has most of the question's rare words."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from refdesk.index.analysis import Word, analyze, analyze_question
from refdesk.passages.sentences import sentence_starts
from refdesk.search.model import Found

_ALONE = ("|", "#")
_ITEM = re.compile(r"[-*+] |\d+[.)] ")
_RULE = re.compile(r"[|:\- ]+")
GAP = " … "


class Snippet(NamedTuple):
    """``before``, ``best`` and ``after`` are one piece of the text, on one line."""

    before: str
    best: str
    after: str


class Sought:
    """A question's words, and how much each tells: one that few passages hold tells more."""

    def __init__(self, question: str, found: Found) -> None:
        self._question = question
        self._languages = found.languages
        self._passages = found.passages
        self._holding = {word.word: word.holding for word in found.words}

    def snippet(self, text: str, room: int) -> Snippet:
        """At most about ``room`` characters of ``text``."""
        sentences = _sentences(text) or [" ".join(text.split())]
        best = self._best(sentences)
        first, last = _window([len(sentence) for sentence in sentences], best, room)
        return Snippet(
            (GAP.lstrip() if first else "") + "".join(f"{sentence} " for sentence in sentences[first:best]),
            _cut(sentences[best], room),
            "".join(f" {sentence}" for sentence in sentences[best + 1 : last])
            + (GAP.rstrip() if last < len(sentences) else ""),
        )

    def _best(self, sentences: Sequence[str]) -> int:
        words = analyze_question(self._question, self._languages)
        scores = [self._score(words, analyze(sentence, self._languages).terms) for sentence in sentences]
        return scores.index(max(scores))

    def _score(self, words: Sequence[Word], terms: dict[str, int]) -> float:
        return sum(
            max((term.weight for term in word.terms if term.term in terms), default=0.0) * self._tells(word)
            for word in words
        )

    def _tells(self, word: Word) -> float:
        return math.log(1 + (self._passages + 1) / (self._holding.get(word.text, 0) + 1))


def _sentences(text: str) -> list[str]:
    """Table rows are sentences of their own, without their marks; headings are named above it."""
    found: list[str] = []
    for block in _blocks(text):
        if block.startswith("|"):
            found.append(" · ".join(cell.strip() for cell in block.strip("| \t").split("|")))
        elif not block.startswith("#"):
            starts = [*sentence_starts(block, 0, len(block)), len(block)]
            found += [" ".join(block[start:end].split()) for start, end in pairwise(starts)]
    return found


def _blocks(text: str) -> Iterator[str]:
    """Paragraphs and list items; headings and rows line by line, without the rule below a table's head."""
    open_block: list[str] = []
    for line in map(str.strip, text.splitlines()):
        alone = line.startswith(_ALONE)
        if open_block and (alone or not line or _ITEM.match(line)):
            yield "\n".join(open_block)
            open_block = []
        if alone and not _RULE.fullmatch(line):
            yield line
        elif line and not alone:
            open_block.append(line)
    if open_block:
        yield "\n".join(open_block)


def _window(lengths: Sequence[int], best: int, room: int) -> tuple[int, int]:
    """Which sentences fit around the best one: those after it before those that lead to it."""
    first, last = best, best + 1
    left = room - lengths[best]
    while last < len(lengths) and lengths[last] < left:
        left -= lengths[last] + 1
        last += 1
    while first > 0 and lengths[first - 1] < left:
        first -= 1
        left -= lengths[first] + 1
    return first, last


def _cut(sentence: str, room: int) -> str:
    if len(sentence) <= room:
        return sentence
    head = sentence[:room]
    return f"{head[: head.rfind(' ')] if ' ' in head else head} …"
