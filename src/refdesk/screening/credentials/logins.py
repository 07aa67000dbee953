"""Names and passwords side by side, and what opens with a word or a code, in sentences that name neither."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from refdesk.screening.credentials import judge
from refdesk.screening.credentials.values import Value, read
from refdesk.screening.credentials.words import one_of
from refdesk.screening.model import Spotted
from refdesk.screening.small import Small, occurrences

_LOGINS = re.compile(one_of("prose", "logins"))
_SIGNING_IN = re.compile(
    r"(?:log(?:ged)?[- ]?(?:in|on)|sign[- ]in|credential|credencial|zugangsdaten|anmeld|identifiant)"
)
_SPACED_USER = re.compile(r"(?<!\S)[\"'`*(]{0,3}[\w.@+\\-]{2,64}[\"'`*]{0,3}$")
_TIGHT_PAIR = re.compile(
    r"""[^\n|]{0,60}?(?<=[\s"'`(*])(?P<user>[\w.@+\\-]{2,64})(?:/|:(?!:))(?=\S)(?P<pw>[^\s"]{5,128})"""
)
_LOCAL = re.compile(r"[\w.+-]{1,64}\Z")
_DOMAIN_AND = re.compile(r"@[\w.-]{1,128}\s+(?:and|with|und|mit|et|avec|y|con)\s+(?=\S)")
_OPENED = re.compile(
    r"""(?:(?<=with)|\w*\s+(?:\w+\s+){0,3}?(?:with|by|using))\s+(?:the\s+)?(?:phrase\s+|words?\s+)?(?=["“„«'`「*])""",
    re.IGNORECASE,
)
_OPENING = ("authenticat", "opens with", "opened with", "unlock", "decrypt")
_CODE = re.compile(r"\s+(?P<pin>\d{4,8})(?![\d.,-]*\d)")
_CODE_OPENS = re.compile(
    rf"(?:{one_of('prose', 'opens')})[^.\n]{{0,60}}?(?<!\w)"
    r"(?:enter|key in|type|dial|press|with|use|using|mit|saisir|tapez)\s+(?:the\s+|den\s+|le\s+)?code$"
    r"|(?:safe|door|gate|alarm|lock|tür|tresor)[^.\n]{0,25}[:,]\s*code$"
)


_KEYPAD = re.compile(r"(?:type|enter|press|dial|key in|code)\s+(?P<pin>\d{4,8})\s[^.\n\d]{0,40}keypad$")
_AS_SOMEBODY = re.compile(r"[^.;\n]{0,50}?\bas\s+\S{2,40}\s+(?:with|using|/)\s+(?=\S)")
_AND_PAIR = re.compile(r"s?\s*(?:are|:|sind|sont|son)\s+\S{2,40}\s+(?:and|und|et|y)\s+(?=\S)")
_TO_OPEN = tuple(
    f" to {what}"
    for what in ("unlock", "decrypt", "log in", "log on", "sign in", "open", "get in", "authenticate")
)
_USED = re.compile(r"(?:\buse|\btype|\benter|\bwith|\busing)\s+(?P<value>\S{5,128})$", re.IGNORECASE)


def signed_in(text: str, lowered: Small) -> Iterator[Spotted]:
    """Names and passwords side by side (*tester / …*), and things that open with what is quoted."""
    pairs = (_spaced, _tight, _addressed, _to_open)
    for value in chain.from_iterable(find(text, lowered) for find in pairs):
        if judge.is_mixed(value.text):
            yield Spotted("credential", "told_login", value.start, value.end)
    for _, end in lowered.occurrences(("code",)):
        pin = _CODE.match(text, end)
        if pin is not None and _CODE_OPENS.search(lowered.text, max(0, end - 110), end):
            yield Spotted("credential", "told_code", *pin.span("pin"))
    for _, end in lowered.occurrences(("keypad",)):
        pin = _KEYPAD.search(lowered.text, max(0, end - 80), end)
        if pin is not None:
            yield Spotted("credential", "told_code", *pin.span("pin"))
    for _, end in lowered.occurrences(_OPENING):
        match = _OPENED.match(text, end)
        phrase = read(text, match.end()) if match is not None else None
        if phrase is not None and (judge.is_mixed(phrase.text) or judge.is_phrase(phrase.text)):
            yield Spotted("credential", "told_opened", phrase.start, phrase.end)


def _spaced(text: str, lowered: Small) -> Iterator[Value]:
    """*name / password*, somewhere after a word that speaks of accounts."""
    for start, end in occurrences(text, (" / ",)):
        value = read(text, end)
        user = _SPACED_USER.search(text, max(0, start - 70), start)
        if (
            value is not None
            and user is not None
            and _LOGINS.search(lowered.text, max(0, user.start() - 70), start)
        ):
            yield value


def _tight(text: str, lowered: Small) -> Iterator[Value]:
    """*name:password*, *name/password* or *as name with password*, soon after a word for signing in."""
    for start, _ in lowered.occurrences(
        ("log", "sign", "credential", "zugangsdaten", "anmeld", "identifiant")
    ):
        login = _SIGNING_IN.match(lowered.text, start)
        if login is None:
            continue
        pair = _TIGHT_PAIR.match(text, login.end(), min(len(text), start + 280))
        if pair is not None and not pair["user"].isdigit():
            value = read(text, pair.start("pw"))
            if value is not None and "/" not in value.text:
                yield value
        somebody = _AS_SOMEBODY.match(text, login.end()) or _AND_PAIR.match(text, login.end())
        value = read(text, somebody.end()) if somebody is not None else None
        if value is not None:
            yield value


def _addressed(text: str, lowered: Small) -> Iterator[Value]:
    """*Use a@b and … to log in.*"""
    for start, end in _addresses(text):
        value = read(text, end)
        if value is not None and _LOGINS.search(lowered.text, max(0, start - 60), end + 120):
            yield value


def _addresses(text: str) -> Iterator[tuple[int, int]]:
    """Each with the *and* behind it."""
    done = 0
    for at, _ in occurrences(text, ("@",)):
        user = _LOCAL.search(text, max(done, at - 64), at)
        rest = _DOMAIN_AND.match(text, at) if user is not None else None
        if user is not None and rest is not None:
            done = rest.end()
            yield user.start(), done


def _to_open(text: str, lowered: Small) -> Iterator[Value]:
    """*Use … to unlock the archive.*"""
    for start, _ in lowered.occurrences(_TO_OPEN):
        match = _USED.search(text, max(0, start - 140), start)
        value = read(text, match.start("value")) if match is not None else None
        if value is not None:
            yield value
