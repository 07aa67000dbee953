"""Citations: the bracketed numbers in an answer's prose, held to the numbers that were issued.

Read are ``[1]``, ``[1, 2]``, ``[1][3]``, ``[1-3]`` and the full-width ``【1】``. A number that was not issued
is struck from the answer and reported, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from refdesk.answer.prose import prose

# Four digits are a year: no answer is given a thousand references.
_RANGE = r"\d{1,3}(?:\s*[-–—]\s*\d{1,3})?"
_MARK = re.compile(rf"[\[［【]\s*({_RANGE}(?:\s*[,;，、；]\s*{_RANGE})*)\s*[\]］】]")
_ONE = re.compile(r"(\d+)(?:\s*[-–—]\s*(\d+))?")


@dataclass(frozen=True, slots=True)
class Mark:
    """Where in the answer which numbers are cited: ``answer[start:end]`` is ``[1, 2]``."""

    start: int
    end: int
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Cited:
    """``answer`` holds marks of issued numbers alone; ``prose`` is it with all but prose blanked;
    ``numbers`` by first mention."""

    answer: str
    prose: str
    marks: tuple[Mark, ...]
    numbers: tuple[int, ...]
    struck: tuple[int, ...]


def read(answer: str, issued: Collection[int], sources: Sequence[str]) -> Cited:
    """``sources`` are the issued texts: a bracket copied from one is no citation."""
    struck: list[int] = []
    while True:
        plain = prose(answer, sources)
        marks = tuple(_marks(plain))
        if all(number in issued for mark in marks for number in mark.numbers):
            break
        struck += [number for mark in marks for number in mark.numbers if number not in issued]
        # What is left may read as a new mark ("[[9]2]"). Each turn takes brackets away or makes them right
        # for good, so this ends.
        answer = _strike(answer, marks, issued)
    numbers = tuple(dict.fromkeys(number for mark in marks for number in mark.numbers))
    return Cited(answer, plain, marks, numbers, tuple(dict.fromkeys(struck)))


def _marks(text: str) -> Iterator[Mark]:
    for match in _MARK.finditer(text):
        numbers: dict[int, None] = {}
        for first, last in _ONE.findall(match[1]):
            low, high = sorted((int(first), int(last or first)))
            numbers.update(dict.fromkeys(range(low, high + 1)))
        yield Mark(match.start(), match.end(), tuple(numbers))


def _strike(answer: str, marks: Sequence[Mark], issued: Collection[int]) -> str:
    for mark in reversed(marks):
        kept = [number for number in mark.numbers if number in issued]
        if len(kept) == len(mark.numbers):
            continue
        before, after = answer[: mark.start], answer[mark.end :]
        if kept:
            answer = f"{before}[{', '.join(map(str, kept))}]{after}"
        else:
            glued = not after or after[0] in " \t\n.,;:!?)"
            answer = (before.rstrip(" \t") if glued else before) + after
    return answer
