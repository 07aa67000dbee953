"""Reading the value that follows a key: quoted, marked up, or bare."""

from __future__ import annotations

import re
from dataclasses import dataclass

MAX = 512

_QUOTES = {
    '"': '"',
    "'": "'",
    "`": "`",
    "“": "”",
    "„": "“”",
    "‘": "’",
    "«": "»",
    "»": "«",
    "「": "」",
    "『": "』",
    "”": "”",
    "‹": "›",
    "＂": "＂",
}
_OPENING = re.compile(
    r"""(?P<mark>\*{1,3}|_{2})?(?P<raw>[rbRBuUnNf@$]{0,2})(?P<quote>'''|\"\"\"|```|\\["']|["'`“„‘«»「『”‹＂])|(?P<bold>\*{2,3}|__)"""
)
_BARE = re.compile(r"[^\s\"'`<|。、」』）】，；]+(?:['\"][^\s\"'`<|。、」』）】，；]+)*")
_PUNCTUATION = re.compile(r"[.,;:!?)\]}>*_]+$")
_WIDE = re.compile("[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]")
_PAIRS = {")": "(", "]": "[", "}": "{", ">": "<"}


@dataclass(frozen=True, slots=True)
class Value:
    """``text[start:end]`` without its quotes; ``after`` is where the quotes end."""

    text: str
    start: int
    end: int
    after: int
    quoted: bool


def read(text: str, position: int) -> Value | None:
    """The value at ``position``, on one line; None where none stands there."""
    opening = _OPENING.match(text, position)
    if opening is None:
        return bare(text, position)
    if opening["bold"]:
        return _until(text, opening.end(), opening["bold"])
    quote = opening["quote"]
    inside = (
        _until(text, opening.end(), quote) if len(quote) > 1 else _quoted(text, opening.end(), _QUOTES[quote])
    )
    if inside is None or not opening["mark"]:
        return inside
    return Value(inside.text, inside.start, inside.end, inside.after + len(opening["mark"]), True)


def _until(text: str, start: int, closing: str) -> Value | None:
    end = text.find(closing, start, start + MAX + len(closing))
    if end <= start or "\n" in text[start:end]:
        return None
    inner = text[start:end]
    lead = len(inner) - len(inner.lstrip(" \u00a0`"))
    core = inner.strip(" \u00a0`")
    return Value(core, start + lead, start + lead + len(core), end + len(closing), True) if core else None


def _quoted(text: str, start: int, closing: str) -> Value | None:
    position, limit = start, min(len(text), start + MAX)
    while position < limit and text[position] != "\n":
        sign = text[position]
        if sign == "\\" and position + 1 < limit and closing in ('"', "'"):
            position += 2
            continue
        if sign in closing:
            inner = text[start:position]
            core = inner.strip(" \u00a0")
            lead = len(inner) - len(inner.lstrip(" \u00a0"))
            return Value(core, start + lead, start + lead + len(core), position + 1, True) if core else None
        position += 1
    return None


def bare(text: str, position: int) -> Value | None:
    """Up to the next space, without the punctuation that belongs to the sentence around it."""
    match = _BARE.match(text, position, min(len(text), position + MAX))
    if match is None:
        return None
    value = _WIDE.split(match[0], maxsplit=1)[0] if match[0][0].isascii() else match[0]
    while (tail := _PUNCTUATION.search(value)) is not None:
        kept = _kept(value[: tail.start()], tail[0])
        if kept == value or not kept:
            break
        value = kept
    return Value(value, position, position + len(value), position + len(value), False) if value else None


def _kept(head: str, tail: str) -> str:
    """``tail`` loses a sign at its end: a bracket that nothing opened, one stop, Markdown's marks."""
    last = tail[-1]
    if last in _PAIRS:
        return (
            head + tail[:-1] if (head + tail).count(last) > (head + tail).count(_PAIRS[last]) else head + tail
        )
    if last in "*_":
        return head + tail.rstrip("*_") if tail.endswith(("**", "__")) else head + tail
    if last in ".,;:":
        return head + tail[:-1]
    return head + tail
