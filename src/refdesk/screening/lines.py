"""The lines of a text that are worth a closer look."""

from __future__ import annotations

import re
from collections.abc import Iterator


def lines_with(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, str]]:
    """Those in which ``pattern`` finds something, each once, with where it begins."""
    end = 0
    while found := pattern.search(text, end):
        start = text.rfind("\n", 0, found.start()) + 1
        end = text.find("\n", found.end())
        end = len(text) if end < 0 else end
        yield start, text[start:end]


def after(line: str, edits: list[tuple[int, int, str]]) -> str:
    """The line with each span replaced; the spans are in order and do not overlap."""
    parts, at = [], 0
    for start, end, instead in edits:
        parts += [line[at:start], instead]
        at = end
    return "".join((*parts, line[at:]))
