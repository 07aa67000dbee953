"""Secrets told in sentences (*the password is …*), in English, German, French, Spanish and Japanese."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from refdesk.screening.credentials import judge
from refdesk.screening.credentials.nouns import Noun
from refdesk.screening.credentials.values import Value, read
from refdesk.screening.credentials.words import one_of
from refdesk.screening.model import Spotted
from refdesk.screening.small import occurrences

_FILLER = r"(?:[^.!?;:|@{}<>\\\n=()\[\]\"“„«「:：→]|\.(?=\w)|\([^()\n]{0,30}\)|\"[^\"\n]{0,40}\"(?=[ ,]))"
_SENTENCE = re.compile(rf"(?![A-Za-z0-9_-]){_FILLER}{{0,110}}(?:\n(?=\S){_FILLER}{{0,60}})?")
"""What may stand between the noun and its verb, with the verb."""
_TURN = re.compile(
    rf"""(?:
        (?<!\w)(?:
            (?:{one_of("prose", "verbs")})(?:\s+(?:{one_of("prose", "adverbs")})(?!\w)){{0,4}}
          | {one_of("prose", "orders")}
        )(?!\w)\s*[:=]?
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
_DESCRIBED = re.compile(rf"[-\s]{{0,2}}(?:{one_of('prose', 'described')})", re.IGNORECASE)
_PIN = re.compile(r"\d{4,8}|\d{2}(?:[- ]\d{2}){2,3}")
_LINE_END = re.compile(r"[ \t]*(?:\r?\n|$)")


def told(text: str, noun: Noun) -> Iterator[Spotted]:
    """What a sentence says to be the secret that ``noun`` names; *pass* alone is a verb there."""
    if text[noun.start : noun.end].lower() == "pass":
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
    if _DESCRIBED.match(text, value.after):
        return False
    named = text[noun.start : noun.end]
    if noun.kind == "token":
        return judge.is_token(value.text, 10 if sure else 16)
    if noun.kind == "pin" and _PIN.fullmatch(value.text):
        return sure or value.quoted or named.isupper()
    return (noun.kind == "password" or "pass" in named.lower()) and _is_password(value, sure)


def _is_password(value: Value, sure: bool) -> bool:
    if judge.is_mixed(value.text):
        return sure or len(value.text) >= 6
    if value.quoted and sure:
        return judge.is_coined(value.text, 5) or judge.is_phrase(value.text)
    return judge.is_chain(value.text)


_LOGINS = re.compile(one_of("prose", "logins"))
_SIGNING_IN = re.compile(
    r"(?:log(?:ged)?[- ]?(?:in|on)|sign[- ]in|credential|credencial|zugangsdaten|anmeld|identifiant)"
)
_SPACED_USER = re.compile(r"(?<!\S)[\"'`*(]{0,3}[\w.@+\\-]{2,64}[\"'`*]{0,3}$")
_TIGHT_PAIR = re.compile(
    r"""[^\n|]{0,60}?(?<=[\s"'`(*])(?P<user>[\w.@+\\-]{2,64})(?:/|:(?!:))(?=\S)(?P<pw>[^\s"]{5,128})"""
)
_ADDRESS_AND = re.compile(r"[\w.+-]{1,64}@[\w.-]{1,128}\s+(?:and|with|und|mit|et|avec|y|con)\s+(?=\S)")
_OPENED = re.compile(
    r"""(?:(?<=with)|\w*\s+(?:\w+\s+){0,3}?(?:with|by|using))\s+(?:the\s+)?(?:phrase\s+|words?\s+)?(?=["“„«'`「*])""",
    re.IGNORECASE,
)
_OPENING = ("authenticat", "opens with", "opened with", "unlock", "decrypt")
_CODE = re.compile(r"\s+(?P<pin>\d{4,8})(?![\d.,-]*\d)")
_CODE_OPENS = re.compile(
    rf"(?:{one_of('prose', 'opens')})[^.\n]{{0,60}}?(?<!\w)"
    r"(?:enter|key in|type|dial|press|with|use|using|mit|saisir|tapez)\s+(?:the\s+|den\s+|le\s+)?code$"
)


def signed_in(text: str, lowered: str) -> Iterator[Spotted]:
    """Names and passwords side by side (*tester / …*), and things that open with what is quoted."""
    for value in (*_spaced(text, lowered), *_tight(text, lowered), *_addressed(text, lowered)):
        if judge.is_mixed(value.text):
            yield Spotted("credential", "told_login", value.start, value.end)
    for _, end in occurrences(lowered, ("code",)):
        pin = _CODE.match(text, end)
        if pin is not None and _CODE_OPENS.search(lowered, max(0, end - 110), end):
            yield Spotted("credential", "told_code", *pin.span("pin"))
    for _, end in occurrences(lowered, _OPENING):
        match = _OPENED.match(text, end)
        phrase = read(text, match.end()) if match is not None else None
        if phrase is not None and (judge.is_mixed(phrase.text) or judge.is_phrase(phrase.text)):
            yield Spotted("credential", "told_opened", phrase.start, phrase.end)


def _spaced(text: str, lowered: str) -> Iterator[Value]:
    """*name / password*, somewhere after a word that speaks of accounts."""
    for start, end in occurrences(text, (" / ",)):
        value = read(text, end)
        user = _SPACED_USER.search(text, max(0, start - 70), start)
        if (
            value is not None
            and user is not None
            and _LOGINS.search(lowered, max(0, user.start() - 70), start)
        ):
            yield value


def _tight(text: str, lowered: str) -> Iterator[Value]:
    """*name:password* or *name/password*, soon after a word that speaks of signing in."""
    for start, _ in occurrences(
        lowered, ("log", "sign", "credential", "zugangsdaten", "anmeld", "identifiant")
    ):
        login = _SIGNING_IN.match(lowered, start)
        if login is None:
            continue
        pair = _TIGHT_PAIR.match(text, login.end(), min(len(text), start + 280))
        value = read(text, pair.start("pw")) if pair is not None else None
        if pair is not None and value is not None and "/" not in value.text and not pair["user"].isdigit():
            yield value


def _addressed(text: str, lowered: str) -> Iterator[Value]:
    """*Use a@b and … to log in.*"""
    for match in _ADDRESS_AND.finditer(text) if "@" in text else ():
        value = read(text, match.end())
        if value is not None and _LOGINS.search(lowered, max(0, match.start() - 60), match.end() + 120):
            yield value
