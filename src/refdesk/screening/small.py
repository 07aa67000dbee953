"""Small letters, sign for sign, and words in them."""

from __future__ import annotations

from collections.abc import Iterable


def small(text: str) -> str:
    """``text.lower()`` of the same length: the few letters that would become two stay as they are."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := sign.lower()) == 1 else sign for sign in text)


def occurrences(lowered: str, words: Iterable[str]) -> list[int]:
    """Where any of ``words`` ends in a text of small letters, in order."""
    found = []
    for word in words:
        start = lowered.find(word)
        while start >= 0:
            found.append(start + len(word))
            start = lowered.find(word, start + len(word))
    return sorted(found)
