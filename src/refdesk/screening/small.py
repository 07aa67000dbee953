"""Small letters, sign for sign, and words in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def small(text: str) -> str:
    """``text.lower()`` of the same length; İ is the one letter of Unicode that would become two."""
    return text.replace("İ", "i").lower()


def occurrences(text: str, words: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Every span in which one of ``words`` stands in ``text``."""
    for word in words:
        start = text.find(word)
        while start >= 0:
            yield start, start + len(word)
            start = text.find(word, start + len(word))
