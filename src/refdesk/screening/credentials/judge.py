"""Whether a value can be a secret: no placeholder, no reference to one, no word of ordinary language."""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import pairwise

from refdesk.screening.credentials.words import one_of, words
from refdesk.screening.documented import is_documented

_NOT_YET = re.compile(
    r"""
      (?<![A-Za-z0-9])(?:your|my|the|an?|some|new|old|insert|replace|enter|put|set|add|use|see|ask)[-_ .]?
        (?:own|me|this|with|here|it|default|super|very|long|random|strong|safe|real|actual)?[-_ .]?
        (?:api|auth|access|client|secret|user|db|database|admin|root|token|key|pass(?:word|wd|phrase|code)?|pwd|value)
    | change[-_ .]?(?:me|this|it)|(?:to[-_ ]?be|tbd|todo|fixme)\b|replace[-_ ]?(?:me|with|this|by)
    | place[-_ ]?holder
    | example|sample|dummy|fake|mock|redacted|masked|hidden|omitted|removed|not[-_ ]?set|undefined
    | insert[-_ ]|fill[-_ ]?in|goes[-_ ]?here|not[-_ ]?a[-_ ]?real
    | x{4,}|\*{2,}|•{2,}|＊{2,}|…|\.{3,}|_{3,}|-{4,}|●{2,}
    """,
    re.IGNORECASE | re.VERBOSE,
)
_PLACEHOLDERS = frozenset(words("judge", "placeholders"))
_REFERENCE = re.compile(
    r"""
      \$[{(]|\{\{|\}\}|\#\{|<%|%>|%\(|@@\w+@@|__[A-Z]\w*__|<[^<>\n]{1,60}>
    | ^\$[A-Za-z_]\w*$|^%[sdv]$|^%[A-Z][A-Z0-9_]*%$|^\$env:\w+$
    | ^\{[^{}\n]{0,60}\}$|^\[[^\[\]\n]{0,60}\]$|^\([^()\n]{0,60}\)$|^[(\[{][^)\]}]*$
    | ^[~./\\]*(?:[\w.-]+[/\\]){2,}[\w.-]*$|^[A-Za-z]:\\|^/[\w./-]+$|^@[A-Za-z_]\w*$
    | ^!\w|^&\w|^\*\w+$
    | ^[A-Za-z_$]+\d?(?:(?:\??\.|->|::|!\.)[A-Za-z_$]+\d?)+$
    | ^[A-Za-z_$][\w$.:>-]*(?:\(|\[['"\d\]])
    | ^[A-Za-z][A-Za-z0-9]*<
    """,
    re.VERBOSE,
)
"""Variables, templates, calls, members and paths."""
_STORE = re.compile(rf"(?:{one_of('judge', 'stores')})(?::|\+)\S")

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
_WORDS = re.compile(r"[^\W\d_]+(?:['’.·/&-][^\W\d_]+)*[-/]?")
_SIGNS = frozenset("!#$%&*+=?@^_~|;:,<>(){}[]")
_MIN_PASSWORD, _MAX = 4, 512


def is_placeholder(value: str) -> bool:
    """Something that stands where a secret would, or is documented as an example."""
    bare = value.strip(" \t*`'\"")
    return (
        is_example(bare)
        or bare.lower() in _PLACEHOLDERS
        or _REFERENCE.search(bare) is not None
        or _STORE.match(bare) is not None
    )


def is_example(token: str) -> bool:
    """As ``is_placeholder`` of a value whose form alone says that it is no reference."""
    return len(set(token.lower())) <= 2 or _NOT_YET.search(token) is not None or is_documented(token)


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
    if not is_password(value) or is_figure(value) or _WORDS.fullmatch(value) or len(value) < 5:
        return False
    letters = any(sign.isalpha() for sign in value)
    others = any(sign.isdigit() or sign in _SIGNS for sign in value)
    return (letters and others) or (len(value) >= 8 and _jumps(value) >= 3)


def is_coined(value: str, letters: int) -> bool:
    """No word that descriptions use, though it has no sign or digit that would prove it; or digits alone."""
    if not is_password(value) or not value.isascii():
        return False
    if value.isdigit():
        return len(value) >= 6
    return value.isalpha() and len(value) >= letters and not _is_speech(value.lower())


def is_phrase(value: str) -> bool:
    """Several small words, as dice choose them."""
    words = value.split()
    return 3 <= len(words) <= 12 and all(word.isalpha() and word.islower() for word in words)


_ENDINGS = words("judge", "endings")
_SPEECH = frozenset(words("judge", "speech"))


def _is_speech(word: str) -> bool:
    return word in _SPEECH or word.endswith(_ENDINGS)


def _jumps(value: str) -> int:
    """How often small letters turn into capitals inside."""
    return sum(a.islower() and b.isupper() for a, b in pairwise(value))


def is_token(value: str, minimum: int = 12) -> bool:
    """Made by a machine: letters and digits without order, long enough that no person chose it."""
    if not minimum <= len(value) <= _MAX * 8 or " " in value or is_placeholder(value):
        return False
    if _UUID.fullmatch(value) is not None:
        return True
    if not re.search(r"[A-Za-z]", value) or (is_ordinary(value) and not _is_hex(value)):
        return False
    if not re.search(r"\d", value):
        return len(value) >= 20 and _jumps(value) >= 4
    return entropy(value) >= min(3.0, 0.75 * math.log2(len(value)))


def _is_hex(value: str) -> bool:
    return len(value) >= 16 and re.fullmatch(r"[0-9a-f]+|[0-9A-F]+", value) is not None


def entropy(value: str) -> float:
    """Bits a character, by how often each occurs in the value itself."""
    total = len(value)
    return -sum(count / total * math.log2(count / total) for count in Counter(value).values())


_CHAIN = re.compile(r"[a-z]{3,12}(?:-[a-z]{3,12}){3,9}")


def is_chain(value: str) -> bool:
    """Four or more small words joined by hyphens, as passphrases are."""
    return _CHAIN.fullmatch(value) is not None
