"""Secrets told in sentences (*the password is …*), in English, German, French, Spanish and Japanese."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from refdesk.screening.credentials import judge
from refdesk.screening.credentials.nouns import Noun
from refdesk.screening.credentials.values import Value, read
from refdesk.screening.credentials.words import DESCRIBED, one_of
from refdesk.screening.model import Spotted

_FILLER = (
    r"(?:[^.!?;:|@{}<>\\\n=()\[\]\"“„«「:：→]|\.(?=\w)"
    r"|\([^()\n]{0,30}\)|\[[^\]\n]{0,30}\]|\"[^\"\n]{0,40}\"(?=[ ,]))"
)
_SENTENCE = re.compile(rf"(?![A-Za-z0-9_-]){_FILLER}{{0,110}}(?:\n(?=\S){_FILLER}{{0,60}})?")
"""What may stand between the noun and its verb, with the verb."""
_TURN = re.compile(
    rf"""(?:
        (?<!\w)(?:
            (?:{one_of("prose", "verbs")})(?:\s+(?:{one_of("prose", "adverbs")})(?!\w)){{0,4}}
          | {one_of("prose", "orders")}
        )(?!\w)\s*[:=]?
      | (?<=\w)['’]s(?=\s)
      | \s*(?:[:=](?=\s|[*_]{{2}}|$)|[：→]|->|=>|\s[-–—](?=\s))(?:[*_]{{1,3}}(?=\s))?
      | [ \u3000]*[はがを]
    )[ \t\u3000]*(?:\r?\n[ \t]*){{0,2}}""",
    re.VERBOSE | re.IGNORECASE,
)
_MAX_TURNS = 4
_DIRECT = re.compile(
    r"""(?:
        [ \t\u3000]*[(,][ \t]*(?:(?:currently|now|zurzeit|derzeit|actuellement|actualmente)[ \t]+)?
      | [ \t\u3000]+
      | (?P<line>[ \t]*\r?\n{1,2})
    )(?=\S)""",
    re.VERBOSE | re.IGNORECASE,
)
_AS_NOUN = re.compile(
    r"\s(?:as|als|comme|como|is|ist)\s+(?:(?:its|the|their|his|her|our|a|an|das|sein|la|le|su)\s+)?(?:\w{1,24}\s+)?$",
    re.IGNORECASE,
)
_LAST_VALUE = re.compile(r"""["“„«'`「][^"”“»'`」\n]{4,128}["”“»'`」]$|\S{5,128}$""")
_PIN = re.compile(r"\d{4,8}|\d{2}(?:[- ]\d{2}){2,3}")
_LOCKED = re.compile(r"\b(?:safe|lock|locker|padlock|vault|strongbox|keybox)\b", re.IGNORECASE)
_LINE_END = re.compile(r"[ \t]*(?:\r?\n|$)")


_AND_PASS = re.compile(r"(?:user|login|account|id)\b[^\n]{0,40}(?:and|und|et|y|&|/|,)\s*$", re.IGNORECASE)


def told(text: str, noun: Noun) -> Iterator[Spotted]:
    """What a sentence says to be the secret that ``noun`` names; *pass* alone is a verb there."""
    if text[noun.start : noun.end].lower() == "pass" and not _AND_PASS.search(
        text, max(0, noun.start - 60), noun.start
    ):
        return
    for value, sure in _candidates(text, noun):
        if value is not None and _believed(text, noun, value, sure):
            yield Spotted("credential", f"told_{noun.kind}", value.start, value.end)
            return


def _candidates(text: str, noun: Noun) -> Iterator[tuple[Value | None, bool]]:
    sentence = _SENTENCE.match(text, noun.end)
    if sentence is not None:
        turns = _TURN.finditer(text, noun.end, min(len(text), sentence.end() + 4))
        for turn in islice(turns, _MAX_TURNS):
            yield read(text, turn.end()), True
    direct = _DIRECT.match(text, noun.end)
    if direct is not None and (direct["line"] is None or _heads_a_line(text, noun)):
        value = read(text, direct.end())
        if value is not None and (direct["line"] is None or _LINE_END.match(text, value.after)):
            yield value, value.quoted or direct["line"] is not None
    link = _AS_NOUN.search(text, max(0, noun.start - 48), noun.start)
    last = _LAST_VALUE.search(text, max(0, link.start() - 130), link.start()) if link is not None else None
    if last is not None:
        yield read(text, last.start()), False


def _heads_a_line(text: str, noun: Noun) -> bool:
    start = text.rfind("\n", 0, noun.start) + 1
    before = text[start : noun.start]
    return len(before.split()) <= 2 and not re.search(r"[,;|\t]", before)


def _believed(text: str, noun: Noun, value: Value, sure: bool) -> bool:
    if DESCRIBED.match(text, value.after):
        return False
    named = text[noun.start : noun.end]
    if noun.kind == "token":
        return judge.is_token(value.text, 10 if sure else 16)
    if noun.kind == "pin" and _PIN.fullmatch(value.text.rstrip("#*")):
        if named.lower() == "combination":
            return _LOCKED.search(text, max(0, noun.start - 40), value.start) is not None
        return sure or value.quoted or named.isupper() or named.lower() != "pin"
    return (noun.kind == "password" or "pass" in named.lower() or value.quoted) and _is_password(value, sure)


def _is_password(value: Value, sure: bool) -> bool:
    if judge.is_mixed(value.text):
        return sure or len(value.text) >= 6
    if value.quoted and sure:
        return judge.is_coined(value.text, 5) or judge.is_phrase(value.text)
    return judge.is_chain(value.text)
