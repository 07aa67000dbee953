"""The lines of a text that are worth a closer look."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator


def lines_with(pattern: re.Pattern[str], text: str, find: Callable[[int], int]) -> Iterator[tuple[int, str]]:
    """Those in which ``pattern``, which goes across no line end, finds something, each once, with where it
    begins. ``find`` gives the first place from one on at which a match may begin, or -1: a text has few."""
    place = find(0)
    while place >= 0:
        end = text.find("\n", place)
        end = len(text) if end < 0 else end
        if pattern.search(text, place, end):
            start = text.rfind("\n", 0, place) + 1
            yield start, text[start:end]
        place = find(end)


def after(line: str, edits: list[tuple[int, int, str]]) -> str:
    """The line with each span replaced; the spans are in order and do not overlap."""
    parts, at = [], 0
    for start, end, instead in edits:
        parts += [line[at:start], instead]
        at = end
    return "".join((*parts, line[at:]))
