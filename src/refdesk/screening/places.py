"""Where a finding stands, in words for people."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from refdesk.screening.model import Part, Spotted

_PAGE_LINE = re.compile(r"^Page (\d{1,6})$", re.MULTILINE)


def places(part: Part, content: str, spans: Sequence[Spotted]) -> list[str]:
    """One place a span: ``page 3``, ``line 12``, or the part itself where it is no text."""
    if part != "text" or not spans:
        return [part] * len(spans)
    unit, starts = _units(content)
    return [f"{unit} {bisect_right(starts, span.start)}" for span in spans]


def _units(text: str) -> tuple[str, list[int]]:
    """A text read from pages opens with ``Page 1``; each page's line carries the next number."""
    lines = list(_PAGE_LINE.finditer(text)) if text.startswith("Page 1\n") else []
    pages: list[int] = []
    for line in lines:
        if int(line[1]) == len(pages) + 1:
            pages.append(line.start())
    if pages:
        return "page", pages
    return "line", [0, *(match.end() for match in re.finditer("\n", text))]
