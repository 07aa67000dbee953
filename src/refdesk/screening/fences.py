"""The lines that fence quoted knowledge in a prompt: how they are written, and how their likes leave a text.

A prompt's mark is drawn at random, so no document can forge it; what looks alike is removed before storage
all the same, since a model may not compare 32 digits with care (RUN5).
"""

from __future__ import annotations

import re
import unicodedata
from functools import partial
from string import hexdigits

from refdesk.screening.edits import Edit
from refdesk.screening.lines import after, lines_with

MARK_DIGITS = 32

_RULE_SIGNS = "-=_*~#+"
_RULE = f"[{_RULE_SIGNS}]"
_FENCE = re.compile(
    rf"(?<!{_RULE}){_RULE}{{2,}}+\s*+"
    r"(?:[0-9a-f]{16,64}\b[^\n]{0,80}?|reference\s{0,9}\[\s{0,9}\d{1,4}\s{0,9}\]\s{0,9})"
    rf"\b(?:begins|ends)\b\s*+{_RULE}*+"
)
_ANNOUNCED = re.compile(rf"^\s*mark\s*:\s*[0-9a-f]{{{MARK_DIGITS}}}\s*$")
_INVISIBLE = "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
_NO_WIDTH = re.compile(f"[{_INVISIBLE}]")
_TWO_DIGITS = "\u2469-\u2473\u3251-\u325f\u32b1-\u32bf\u3372\u33c4\u33c5\u33c8\ufb00\U0001f12d"
"""Signs that are written like two digits of a mark."""
_LIKE_A_MARK = re.compile(
    f"[0-9A-Fa-f\u00aa-\u058f\u1c83\u1d00-\u1fff\u2070-\u218f\u2460-\u24ff\ua69d\ua7f2\ua7f3\ufe20-\ufe2f"
    f"\uff10-\uff5a\U0001d400-\U0001d7ff\U0001f12b-\U0001f135\U0001fbf0-\U0001fbf9{_INVISIBLE}]{{16}}"
    f"|[{_TWO_DIGITS}]"
)
"""As many digits in a row as a mark has, or letters of whatever kind that are written like these."""
_LIKE_A_RULE = (
    rf"[{_RULE_SIGNS}\u2010-\u2015\u2212\u2500\u2501\u2550\u23af\u207a-\u207c\u208a-\u208c\u2260\u2a74-\u2a76"
    r"\ufe31-\ufe34\ufe4d-\ufe4f\ufe58\ufe5f-\ufe66\uff03\uff0a\uff0b\uff0d\uff1d\uff3f\uff5e]"
)
_LIKE_A_REFERENCE = re.compile(
    rf"{_LIKE_A_RULE}[{_INVISIBLE}\u0300-\u036f]*+{_LIKE_A_RULE}[^\S\n]*+[^\n]{{0,60}}"
    r"[\[\uff3b\u3010\u3014\u27e6\ufe39\ufe3b\ufe47\ufe5d]"
)
"""A number in brackets behind a rule."""
_WRITTEN_OTHERWISE = re.compile(r"&#?\w{1,31};|\\[!-/:-@\[-`{-~]")
"""A sign as something else than itself."""
_MARK_SKETCH, _RULE_SKETCH = (
    bytes(ord("x" if chr(byte) in f"{signs}?" else " ") for byte in range(256))
    for signs in (hexdigits, _RULE_SIGNS)
)
_LETTERS = (
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u0501\u04bb\u0458\u04cf\u051b\u051d\u0578"
    "\u043c\u043a\u0433\u044c\u03b1\u03b5\u03bf\u03bd\u03b9\u03ba\u03c1\u03c4\u0581\u0261\u0131\u03b7\u03c3\u03c5",
    "aeopcyxisdhjlqwnmkrbaeovikptgginou",
)
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2500\u2501\u2550\u23af"
_BRACKETS = ("\u3010\u3014\u27e6\u3011\u3015\u27e7", "[[[]]]")
_ALIKE = str.maketrans(_LETTERS[0] + _DASHES + _BRACKETS[0], _LETTERS[1] + "-" * len(_DASHES) + _BRACKETS[1])
"""Cyrillic, Greek and Armenian letters that look like Latin ones; dashes and brackets of any kind."""
_UNIT = re.compile(
    r"&(?:amp;){0,3}(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,30});|\\[!-/:-@\[-`{-~]|.",
    re.IGNORECASE | re.DOTALL,
)
"""One character as it is written: as itself, as an entity of HTML, or behind a backslash."""


def opening(mark: str, what: str) -> str:
    return f"---- {mark} {what} begins ----"


def closing(mark: str, what: str) -> str:
    return f"---- {mark} {what} ends ----"


def announcement(mark: str) -> str:
    return f"Mark: {mark}"


def forged(text: str) -> list[Edit]:
    """The removals: what could be taken for a fence or for the line that announces a mark, written in
    whatever width or case, as entities, with look-alike letters and with signs of no width inside."""
    return [
        Edit(start + begin, start + end, instead)
        for start, line in sorted(_worth_a_look(text).items())
        for begin, end, instead in _in_line(line)
    ]


def _worth_a_look(text: str) -> dict[int, str]:
    """Lines by where they begin. A sketch of the text, in which what is not ASCII may be of a rule or a mark,
    tells where to look: two of a mark's digits may be one sign that is not ASCII."""
    signs = text.encode("ascii", "replace")
    marks = partial(signs.translate(_MARK_SKETCH).find, b"x" * (16 if text.isascii() else 8))
    rules = partial(signs.translate(_RULE_SKETCH).find, b"xx")
    return {
        **dict(lines_with(_LIKE_A_MARK, text, marks)),
        **dict(lines_with(_LIKE_A_REFERENCE, text, rules)),
        **dict(lines_with(_WRITTEN_OTHERWISE, text, partial(text.find, "&"))),
        **dict(lines_with(_WRITTEN_OTHERWISE, text, partial(text.find, "\\"))),
    }


def _in_line(line: str) -> list[tuple[int, int, str]]:
    """All of the line where what is left beside a fence makes another."""
    if not _is_forged(line):
        return []
    written, places = _by_unit(line)
    spans = []
    for found in _FENCE.finditer(written):
        start, end = places[found.start()][0], places[found.end() - 1][1]
        spans.append((start, end, "" if _apart(line, start, end) else " "))
    if not spans or _ANNOUNCED.search(written) or _is_forged(after(line, spans)):
        return [(0, len(line), "")]
    return spans


def _apart(line: str, start: int, end: int) -> bool:
    """Whether what stands around a span does not run together without it."""
    return not line[:start].strip() or not line[end:].strip() or line[start - 1] + line[end] == "  "


def _is_forged(line: str) -> bool:
    folded = _folded(line)
    return bool(_FENCE.search(folded) or _ANNOUNCED.search(folded))


def _folded(text: str) -> str:
    if "&" in text or "\\" in text:
        text = "".join(map(_read, _UNIT.findall(text)))
    if text.isascii():
        return text.casefold()
    plain = unicodedata.normalize("NFKD", _NO_WIDTH.sub("", text))
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold().translate(_ALIKE)


def _read(unit: str) -> str:
    if len(unit) == 2 and unit[0] == "\\":
        return unit[1]
    if len(unit) <= 2:
        return unit
    import html  # its table of entities takes a quarter of a megabyte, and hardly a name has any

    return html.unescape(re.sub("amp;", "", unit, flags=re.IGNORECASE))


def _by_unit(line: str) -> tuple[str, list[tuple[int, int]]]:
    """The folded line, and for each of its characters where what it was made of stands."""
    parts = [(_folded(unit[0]), unit.span()) for unit in _UNIT.finditer(line)]
    return "".join(part for part, _ in parts), [place for part, place in parts for _ in part]
