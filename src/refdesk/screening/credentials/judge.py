"""Whether a value can be a secret: no placeholder, no reference to one, no word of ordinary language."""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import pairwise

from refdesk.screening.credentials.placeholders import is_member, is_placeholder
from refdesk.screening.credentials.words import one_of, words

_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_FIGURE = re.compile(
    rf"""
      v?\d+(?:[.,]\d+)*[-+]?(?:rc|alpha|beta|build|snapshot|[a-z])?\.?\d{{0,3}}  # versions, numbers
    | \d{{1,4}}[-./]\d{{1,2}}[-./]\d{{1,4}}(?:[T ]\d.*)?|\d{{1,2}}:\d\d(?::\d\d)?\w{{0,4}}  # dates, times
    | [-+~≥≤<>]?\d+(?:[.,:x/-]\d+)*  # measures, spans
      (?:%|°|[ -]?[A-Za-zµ]{{1,3}}|-[a-z]{{1,12}}|days|hours|minutes|months|years|times|chars|bits?|bytes)?
    | (?:{one_of("judge", "standards")})[-_ /]?\d[\w./]{{0,9}}(?:-\w{{1,12}}){{0,2}}
    | [\w.%+-]+@[\w-]+(?:\.[\w-]+)+|(?:[a-z][a-z0-9+.-]*://|www\.)\S+  # addresses
    | [\w-]+(?:\.[\w-]+)*\.(?:{one_of("judge", "extensions")})  # files
    | \#[0-9a-f]{{3,8}}|0x[0-9a-f]{{1,10}}|\d{{1,4}}(?:st|nd|rd|th)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_IDENTIFIER = re.compile(
    r"[A-Z]{1,6}[-_ ]?\d{1,10}(?:[-_/.][A-Z0-9]{1,4})?|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Za-z]\d"
)
"""T-17, SM12, INC0048213, RFC_PASSWORD."""
_WORDS = re.compile(r"[_$]*[^\W\d_]+(?:['’.·/&_-]+[^\W\d_]+)*[-/_]*")
_LETTER = re.compile(r"[^\W\d_]")
_NO_LETTER = re.compile(r"[\d!#$%&*+=?@^~]")
"""Digits, and signs that no word has."""
_LAST = "!?:;,.)@*"
"""What a word may end with."""
_MIN_PASSWORD, _MAX, _MAX_MIXED = 4, 512, 128


def is_figure(value: str) -> bool:
    """A date, a version, a measure, an address, a file, a standard."""
    return _FIGURE.fullmatch(value) is not None


def is_ordinary(value: str) -> bool:
    """What prose is full of: figures, identifiers in capitals, words."""
    return is_figure(value) or any(form.fullmatch(value) for form in (_IDENTIFIER, _WORDS))


def is_password(value: str) -> bool:
    """Believable where a key or a sentence says that a password follows."""
    return _MIN_PASSWORD <= len(value) <= _MAX and not is_placeholder(value)


def is_mixed(value: str) -> bool:
    """Letters with digits or with signs that no word has: nobody would write it but as a password."""
    return is_set(value) and _IDENTIFIER.fullmatch(value) is None


def is_set(value: str) -> bool:
    """As ``is_mixed``, where what is set can be in capitals, as in ``password=START123``."""
    if not 5 <= len(value) <= _MAX_MIXED:
        return False
    core = value.rstrip(_LAST)
    if " " in value or not (_NO_LETTER.search(core) and _LETTER.search(core)):
        return False
    return not (_WORDS.fullmatch(core) or is_figure(core)) and is_password(value)


def is_coined(value: str, letters: int) -> bool:
    """No word that descriptions use, though it has no sign or digit that would prove it; or digits alone."""
    if not is_password(value) or not value.isascii():
        return False
    if value.isdigit():
        return len(value) >= 6
    return (
        value.isalpha()
        and (value.islower() or value.istitle())
        and len(value) >= letters
        and not _is_speech(value.lower())
    )


_FUNCTION_WORDS = frozenset(
    ("is", "are", "the", "to", "in", "of", "not", "be", "a", "an", "and", "or", "must", "at", "with", "for")
)


def is_phrase(value: str) -> bool:
    """Several small words, as dice choose them."""
    words = value.split()
    if not 3 <= len(words) <= 12 or _FUNCTION_WORDS & set(words):
        return False
    return all(word.isalpha() and word.islower() for word in words)


_ENDINGS = words("judge", "endings")
_SPEECH = frozenset(words("judge", "speech"))


def _is_speech(word: str) -> bool:
    return word in _SPEECH or word.endswith(_ENDINGS)


def is_token(value: str, minimum: int = 12) -> bool:
    """Made by a machine: letters and digits without order, long enough that no person chose it."""
    if not minimum <= len(value) <= _MAX * 8 or " " in value:
        return False
    if _UUID.fullmatch(value) is None and not _is_product_key(value):
        if not any(_is_random(part) for part in _PARTS.findall(value)):
            return False
        if is_ordinary(value) and not (_HEX.fullmatch(value) or _is_scrambled(value)):
            return False
    return not is_member(value) and not is_placeholder(value)


_PRODUCT_KEY = re.compile(r"[A-Z0-9]{4,6}(?:-[A-Z0-9]{4,6}){3,7}")


def _is_product_key(value: str) -> bool:
    return _PRODUCT_KEY.fullmatch(value) is not None and bool(
        _NO_LETTER.search(value) and _LETTER.search(value)
    )


_HEX = re.compile(r"[0-9a-f]{16,}|[0-9A-F]{16,}")
_PARTS = re.compile(r"[A-Za-z0-9+/=!@#$%^&*()~]{8,}")
"""What stands between the dots, hyphens and underlines of a token."""


def _is_random(part: str) -> bool:
    if re.search(r"[A-Za-z]", part) is None:
        return False
    if re.search(r"\d", part) is None:
        return _is_scrambled(part)
    return entropy(part) >= min(3.0, 0.75 * math.log2(len(part)))


def _is_scrambled(part: str) -> bool:
    """Letters alone, changing between small and capital more often than words in camel case do."""
    changes = sum(a.islower() != b.islower() for a, b in pairwise(part))
    return len(part) >= 20 and part.isalpha() and changes >= 0.35 * len(part)


def entropy(value: str) -> float:
    """Bits a character, by how often each occurs in the value itself."""
    total = len(value)
    return -sum(count / total * math.log2(count / total) for count in Counter(value).values())


_CHAIN = re.compile(r"[a-z]{3,12}(?:-[a-z]{3,12}){3,9}")


def is_chain(value: str) -> bool:
    """Four or more small words joined by hyphens, as passphrases are."""
    return _CHAIN.fullmatch(value) is not None and not is_placeholder(value)
