"""Characters that nobody sees and a model reads: hidden messages are written with them.

Those stay that a script or an emoji needs: joiners between letters of scripts that join, spaces of no width
between words of scripts without spaces, direction marks near letters that run from right to left,
one variation selector behind the sign that it varies, and the tags of a flag. Soft hyphens stay: they say
where a word may be divided.
"""

from __future__ import annotations

import re
from unicodedata import bidirectional, category

from refdesk.screening.edits import Edit

_CANDIDATE = re.compile(
    "[\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
_ASCII = bytes(range(128))
_FLAG = "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"
_FLAG_OR_CANDIDATE = re.compile(f"(?P<flag>{_FLAG})|{_CANDIDATE.pattern}")
_JOINERS = "\u200c\u200d"
_MARKS = "\u061c\u200e\u200f"
_NEAR = 80  # characters
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_WITHOUT_SPACES = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x1950, 0x19DF), (0xA9E0, 0xAA7F))
_JOINING = ((0x0600, 0x08FF), (0x0900, 0x0DFF), (0x1000, 0x109F), (0x1780, 0x18AF), (0xA840, 0xABFF))
_HANGUL_JAMO = ((0x1100, 0x11FF), (0xA960, 0xA97F), (0xD7B0, 0xD7FF))
_HAN = ((0x2E80, 0x2FDF), (0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))
_MONGOLIAN = ((0x1800, 0x18AF),)
_OF_SCRIPTS = (
    ("\u200b", _WITHOUT_SPACES, False),
    ("\u115f\u1160", _HANGUL_JAMO, True),
    ("\u180b\u180c\u180d\u180f", _MONGOLIAN, False),
)
"""Characters, the letters that they belong behind, and whether they may stand before these as well."""


def invisible(text: str) -> list[Edit]:
    """The removals, one a character."""
    if text.isascii() or not _CANDIDATE.search(_beyond_ascii(text)):
        return []
    return [
        Edit(found.start(), found.end())
        for found in _FLAG_OR_CANDIDATE.finditer(text)
        if found["flag"] is None and not _needed(text, found.start())
    ]


def _beyond_ascii(text: str) -> str:
    """What of the text is not ASCII: of most texts a hundredth, and got faster than looked for."""
    return text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass")


def _needed(text: str, at: int) -> bool:
    character, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if character in _JOINERS:
        return _joins(before, after)
    if character in _MARKS:
        return _runs_from_right(text, at)
    if _SELECTORS.match(character):
        return _varies(before, character)
    return any(
        character in signs and (_in(before, script) or (either_side and _in(after, script)))
        for signs, script, either_side in _OF_SCRIPTS
    )


def _joins(before: str, after: str) -> bool:
    """Letters of a script that joins, behind them at the end of a word as well, or parts of one emoji."""
    return _in(before, _JOINING) or (_pictured(before) and _pictured(after))


def _pictured(character: str) -> bool:
    """A picture, the modifier of its colour, or the selector that makes a sign one."""
    return character == "\ufe0f" or category(character or " ") in ("So", "Sk")


def _varies(before: str, selector: str) -> bool:
    if not before or before.isspace() or _CANDIDATE.match(before):
        return False
    return selector < "\U000e0100" or _in(before, _HAN)


def _runs_from_right(text: str, at: int) -> bool:
    near = text[max(0, at - _NEAR) : at + _NEAR]
    return any(bidirectional(one) in ("R", "AL") and one not in _MARKS for one in near)


def _in(character: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    return bool(character) and any(low <= ord(character) <= high for low, high in ranges)
