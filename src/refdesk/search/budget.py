"""What of the found passages is issued within a search's character budget (D9)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_SENTENCE_END = re.compile(r"(?<=[.!?…。！？؟।])(?=\s|$)|(?<=[。！？])|\n")


def within(texts: Sequence[str], k: int, most: int | None) -> Iterator[tuple[int, str, bool]]:
    """``(index, text, truncated)``, best first: whole passages, at most ``k``; one that would pass the
    budget is skipped; the first alone is cut at a sentence if it passes it."""
    left, issued = most, 0
    for index, text in enumerate(texts):
        if issued == k:
            return
        if left is None or len(text) <= left:
            issued += 1
            left = None if left is None else left - len(text)
            yield index, text, False
        elif issued == 0 and index == 0:
            issued, cut = 1, cut_at_sentence(text, left)
            left -= len(cut)
            yield index, cut, True


def cut_at_sentence(text: str, most: int) -> str:
    """The longest run of whole sentences within ``most`` characters; without one, of whole words."""
    head = text[:most]
    ends = [match.end() for match in _SENTENCE_END.finditer(head)]
    if ends:
        return head[: ends[-1]].rstrip()
    space = head.rfind(" ")
    return (head[:space] if space > 0 else head).rstrip()
