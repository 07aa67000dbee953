"""Many patterns as one that is fast: those with the same first letter stand together."""

from __future__ import annotations

import re
from collections.abc import Iterable

_BOUND = r"\b"
_PARTS = re.compile(r"(?:\\.|\((?:\\.|[^()])*\)|\[[^\]]*\]|[^|])+")
"""What stands between the bars that are in no group."""


def any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    """Matches where any of the patterns does, whose alternatives begin with a letter, or a word that does."""
    rests: dict[str, list[str]] = {}
    for part in (part for pattern in patterns for part in _PARTS.findall(pattern)):
        first, rest = _divided(part)
        rests.setdefault(first, []).append(rest)
    return re.compile("|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in rests.items()))


def _divided(part: str) -> tuple[str, str]:
    """The first letter, and what must be so behind it: also that nothing of a word is before it."""
    if part.startswith(_BOUND):
        word = part.removeprefix(_BOUND)
        return word[0], rf"(?<!\w.){word[1:]}"
    return part[0], part[1:]
