"""Where a long number may stand: most of a text holds none, and is passed over at the speed of memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import ascii_uppercase, digits

_INSIDE, _OUTSIDE = b"0", b" "
_KINDS = bytearray(_OUTSIDE * 256)
for sign in f"{digits}{ascii_uppercase} ./-?":
    _KINDS[ord(sign)] = _INSIDE[0]
_SPARSE = 16
"""Where a text has more stretches than one in so many characters, all of it is one."""


def found_in(text: str, pattern: re.Pattern[str], least: int) -> Iterator[re.Match[str]]:
    """What ``pattern.finditer`` finds, of a pattern for at least ``least`` digits, capital letters and the
    signs between them, which looks at most one character ahead and none back."""
    for start, end in _stretches(text, least):
        yield from pattern.finditer(text, start, end + 1)


def _stretches(text: str, least: int) -> Iterator[tuple[int, int]]:
    """Those of nothing but such characters; what is not ASCII may be a digit."""
    kinds = text.encode("ascii", "replace").translate(_KINDS)
    wanted = _INSIDE * least
    if kinds.count(wanted) * _SPARSE > len(text):
        yield 0, len(text)
        return
    start = kinds.find(wanted)
    while start >= 0:
        end = kinds.find(_OUTSIDE, start)
        end = len(text) if end < 0 else end
        yield start, end
        start = kinds.find(wanted, end)
