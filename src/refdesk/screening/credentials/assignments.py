"""``key = value`` in every syntax: YAML, JSON, INI, shells, flags, calls, XML, SQL, names beside values."""

from __future__ import annotations

import re
from collections.abc import Iterator

from refdesk.screening.credentials import judge
from refdesk.screening.credentials.nouns import Noun
from refdesk.screening.credentials.values import Value, read
from refdesk.screening.credentials.words import DESCRIBED
from refdesk.screening.model import Spotted

_CLOSE = r"[\"'`\])}*_]{0,3}"
_OPERATOR = re.compile(
    rf"""
      # token: String = …
      [ \t]*:[ \t]*[A-Za-z][\w.?<>\[\]| ]{{0,30}}[ \t]=[ \t]*(?P<typed>)
      # name: X, value: …
    | \\?["'`]?[,;]?[ \t]*(?:\n[ \t]*)?\\?["'`]?(?:value|wert|default)\\?["'`]?[ \t]*[:=][ \t]*(?P<beside>)
      # put("password", "…")
    | \\?["'],[ \t]*(?=[fbrn]?\\?["'`])(?P<pair>)
      # password: …
    | {_CLOSE}[ \t]*(?::=|=>|->|→|\?=|\|\|=|=(?![=~])|:(?![:/])|：|＝)
      [ \t]*(?:[*_]{{1,3}}(?=[ \t]))?[ \t]*(?:[>|][+-]?[ \t]*\n[ \t]+)?(?P<assign>)
      # <password>…</
    | ["']?[ \t]*>[ \t]*(?:\n[ \t]*)?(?:<(?:value|string)>[ \t]*)?(?P<element>)
      # WITH PASSWORD '…'
    | (?<=word)[ \t]*=?[ \t]*N?(?=')(?P<sql>)
      # setPassword("…")
    | [ \t]*\([ \t]*(?=[frbu]?["'`])(?P<call>)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_FLAG = re.compile(r"(?:^|[\s\[(\"'])--?(?:[\w.]+[-.]){0,4}$")
_COLON_FLAG = re.compile(r"[ \t]+(?![-|>&;<])")
_QUOTED_KEY = re.compile(r"[\"'`][\w.-]*$")
_SETTER = re.compile(r"(?:set|with|add|use|put|update|change|new|create|auth)[\w.]{0,20}$", re.IGNORECASE)
_KEY = re.compile(
    r"""(?:^|[\n;{,(&?])[ \t]*(?:(?:-|export|set|env)[ \t]+|\$(?:env:)?|["'])?[\w.\-\[\]"'$:]*$""",
    re.IGNORECASE,
)
_LOOSE = ("pair", "flag")
"""Next to the key, but perhaps only the next of a list or of a sentence: no word is believed there."""
_BARE_WORD, _QUOTED_WORD = 8, 6
"""Letters that a value without digit or sign must have."""


def assigned(text: str, noun: Noun) -> Iterator[Spotted]:
    """The value that is set to what ``noun`` names, if any; PINs are told in prose and tables."""
    match = _operator(text, noun)
    if match is None or noun.kind == "pin":
        return
    position, how = match
    value = read(text, position)
    if value is None:
        return
    if how == "element" and not text.startswith("</", value.after):
        return
    value = _cut(text, noun, value)
    if _believed(text, noun, value, how):
        yield Spotted("credential", f"assigned_{noun.kind}", value.start, value.end)


def _operator(text: str, noun: Noun) -> tuple[int, str] | None:
    match = _OPERATOR.match(text, noun.end)
    if match is not None and match.lastgroup is not None:
        if match.lastgroup == "call" and _SETTER.search(text, max(0, noun.start - 30), noun.start) is None:
            return None
        if (
            match.lastgroup == "pair"
            and _QUOTED_KEY.search(text, max(0, noun.start - 40), noun.start) is None
        ):
            return None
        return match.end(), match.lastgroup
    if _FLAG.search(text, max(0, noun.start - 60), noun.start):
        gap = _COLON_FLAG.match(text, noun.end)
        if gap is not None:
            return gap.end(), "flag"
    return None


_BESIDE_NAME = re.compile(r"[^\W\d_]{2,12} ?/ ?$")
_BRACED = re.compile(r"\{[^{}\"':]+\}(?=;|$)")
_STOPS = re.compile(r";|(?<=.)\\[nrt\"']|\$\$|</|,(?=[\w\"' ]+[:=])")
_QUERY_STOPS = re.compile(rf"&|{_STOPS.pattern}")


def _cut(text: str, noun: Noun, value: Value) -> Value:
    """A bare value ends where its own syntax goes on: ``;Encrypt=yes``, ``&ssl=1``."""
    if value.quoted:
        return value
    braced = _BRACED.match(value.text)
    if braced is not None:
        start, end = value.start + 1, value.start + braced.end()
        return Value(text[start : end - 1], start, end - 1, end, True)
    if "/" in value.text and _BESIDE_NAME.search(text, max(0, noun.start - 24), noun.start):
        start = value.start + value.text.index("/") + 1  # user/password: name/…
        return Value(text[start : value.end], start, value.end, value.after, False)
    stops = _QUERY_STOPS if text[noun.start - 1 : noun.start] in ("?", "&") else _STOPS
    stop = stops.search(value.text)
    if stop is None or stop.start() == 0:
        return value
    shorter = value.text[: stop.start()]
    return Value(shorter, value.start, value.start + len(shorter), value.start + len(shorter), False)


def _believed(text: str, noun: Noun, value: Value, how: str) -> bool:
    if not value.quoted and text[value.after : value.after + 1] == " " and DESCRIBED.match(text, value.after):
        return False
    if noun.kind == "token":
        return judge.is_token(value.text, 8 if value.quoted else 10)
    if judge.is_mixed(value.text) or (judge.is_set(value.text) and (value.quoted or _is_key(text, noun))):
        return True
    return how not in _LOOSE and _is_coined(text, noun, value)


def _is_coined(text: str, noun: Noun, value: Value) -> bool:
    if value.quoted:
        return _believed_quoted(text[noun.start : noun.end], value.text)
    alone = _is_key(text, noun) and _alone(text, value) and not value.text.istitle()
    return alone and judge.is_coined(value.text, _BARE_WORD)


def _believed_quoted(noun: str, value: str) -> bool:
    """Words in quotes are a label or a message, unless a passphrase's key stands before them."""
    if " " in value:
        return "phrase" in noun.lower() and judge.is_phrase(value)
    return judge.is_coined(value, _QUOTED_WORD)


def _alone(text: str, value: Value) -> bool:
    """Nothing but the line's end or its comment comes after it."""
    return re.match(
        r"[ \t]*(?:$|[\r\n;,&|}\]<]|#|//|--)", text[value.after : value.after + 8]
    ) is not None or (
        re.match(r"[ \t]+[\w./-]", text[value.after : value.after + 8]) is not None
        and "=" in text[value.start - 1]
    )


def _is_key(text: str, noun: Noun) -> bool:
    """``password`` or ``DB_PASSWORD`` at a line's beginning, not the ``Password`` of a form."""
    named = text[noun.start : noun.end]
    return (named.isupper() or named[0].islower()) and _KEY.search(
        text, max(0, noun.start - 60), noun.start
    ) is not None
