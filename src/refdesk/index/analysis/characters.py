"""Spelling: what makes no difference at all, and what is folded as an extra way to find a word (W2, W3)."""

from __future__ import annotations

import re
import unicodedata

_ASCII = bytes(range(128))
MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f"
    "\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u0900-\u0963"
    "\u0971-\u0df3\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u0f18\u0f19\u0f35\u0f37"
    "\u0f39\u0f71-\u0f84\u0f86-\u0fbc\u102b-\u103e\u1056-\u1059\u105e-\u1064\u1067-\u106d\u1071-\u1074"
    "\u1082-\u108d\u135d-\u135f\u17b4-\u17d3\u17dd\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\u3099\u309a\ua8e0-\ua8f1"
)
"""Combining marks, which belong to a word though ``\\w`` leaves them out (with Indic letters)."""

_REPLACEMENTS = {
    "\u00ad": "",  # soft hyphen
    "\u034f": "",
    "\u061c": "",
    "\u0640": "",  # Arabic tatweel
    "\u115f": "",
    "\u180e": "",
    "\ufeff": "",
    "\u2122": " ",  # NFKC would write these two into the word before them
    "\u2120": " ",
    "\u00bc": " 1/4",
    "\u00bd": " 1/2",
    "\u00be": " 3/4",
    "\u066b": ".",  # the decimal sign of Arabic figures; the next stands between thousands
    "\u066c": "",
    **{chr(c): "" for c in range(0x200B, 0x2010)},  # zero width, direction
    **{chr(c): "" for c in range(0x202A, 0x202F)},
    **{chr(c): "" for c in range(0x2060, 0x2070)},
    **{chr(c): "" for c in range(0xFE00, 0xFE10)},  # variation selectors
}
_REPLACED = re.compile(f"[{''.join(_REPLACEMENTS)}]")

_ALIKE = str.maketrans(
    {"’": "'", "ʼ": "'", "‐": "-", "‑": "-", "‒": "-", "–": "-", "−": "-", "ı": "i", "İ": "i", "\\": "/"}
)
_ACCENTS = re.compile("[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed]")
_LETTERS = str.maketrans(
    {
        "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "þ": "th", "æ": "ae", "œ": "oe", "ŋ": "n",
        "ك": "ک", "ي": "ی", "ى": "ی", "ة": "ه",
    }
)  # fmt: skip
_DIGRAPHS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})


def beyond_ascii(text: str) -> str:
    """What of it is not ASCII: of most texts a hundredth, and got faster than looked for."""
    if text.isascii():
        return ""
    return text.encode("utf-8", "surrogatepass").translate(None, _ASCII).decode("utf-8", "surrogatepass")


def normalise(text: str) -> str:
    """NFKC without what cannot be seen; case is kept, since it parts camelCase."""
    if text.isascii():
        return text
    if _REPLACED.search(beyond_ascii(text)):
        text = _REPLACED.sub(lambda found: _REPLACEMENTS[found[0]], text)
    return unicodedata.normalize("NFKC", text)


def same(word: str) -> str:
    """A normalised word in the spelling that is compared: case, dashes and apostrophes make no difference."""
    if word.isascii():
        return word.lower().replace("\\", "/")
    folded = word.translate(_ALIKE).casefold()
    if folded.isascii():
        return folded
    return unicodedata.normalize("NFC", folded.replace("i\u0307", "i"))


def plain(word: str) -> str:
    """Without accents, in one letter for several that sound alike, with the digits 0-9."""
    if word.isascii():
        return word
    bare = _ACCENTS.sub("", unicodedata.normalize("NFD", word)).translate(_LETTERS)
    digits = "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in bare)
    return unicodedata.normalize("NFC", digits)


def spellings(word: str) -> tuple[str, ...]:
    """Other spellings of ``word`` without accents: *muller* and *mueller* for *müller*."""
    if word.isascii():
        return ()
    found = dict.fromkeys((plain(word), plain(word.translate(_DIGRAPHS))))
    found.pop(word, None)
    return tuple(found)
