"""Changes to a text, each a span and what takes its place, and where other spans lie afterwards."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """``text[start:end]`` becomes ``replacement``."""

    start: int
    end: int
    replacement: str = ""


class Edited:
    """A text after edits that do not overlap, in any order."""

    def __init__(self, text: str, edits: Iterable[Edit]) -> None:
        self._edits: Sequence[Edit] = sorted(edits)
        self._starts = [edit.start for edit in self._edits]
        self._moved = [0, *accumulate(len(e.replacement) - (e.end - e.start) for e in self._edits)]
        self.text = self._applied(text)

    def place(self, offset: int) -> int:
        """Where the character at ``offset`` is now; inside a span that was replaced, where that begins."""
        before = bisect_right(self._starts, offset)
        if before:
            edit = self._edits[before - 1]
            if offset < edit.end:
                return edit.start + self._moved[before - 1]
        return offset + self._moved[before]

    def end(self, offset: int) -> int:
        """Where a span that ended at ``offset`` ends now: what took its last character's place is inside."""
        before = bisect_right(self._starts, offset - 1)
        if before:
            edit = self._edits[before - 1]
            if offset <= edit.end:
                return edit.start + self._moved[before - 1] + len(edit.replacement)
        return offset + self._moved[before]

    def _applied(self, text: str) -> str:
        parts: list[str] = []
        at = 0
        for edit in self._edits:
            parts += (text[at : edit.start], edit.replacement)
            at = edit.end
        return "".join((*parts, text[at:]))
