"""The words that announce a secret, in code and in several languages, and where they stand in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from refdesk.screening.credentials.words import any_of, one_of

Kind = Literal["password", "token", "pin"]


@dataclass(frozen=True, slots=True)
class Noun:
    """``text[start:end]`` names a secret of this kind."""

    kind: Kind
    start: int
    end: int


_LOOK_BACK = 24
_CORES = any_of("nouns", "cores")
_ALL_CORES = any_of("nouns", "cores", "beyond_ascii")
_QUALIFIER = re.compile(
    rf"(?:{one_of('nouns', 'qualifiers')}|{one_of('nouns', 'doors')})[-_. ]?(?:access[-_ ]?)?$"
)


def _form(name: str) -> re.Pattern[str]:
    form = one_of("nouns", name)
    for placeholder in ("qualifiers", "doors"):
        form = form.replace(placeholder.upper(), one_of("nouns", placeholder))
    return re.compile(form)


_FORMS: tuple[tuple[Kind, bool, re.Pattern[str]], ...] = (
    ("token", False, _form("token")),
    ("pin", False, _form("pin")),
    ("password", True, _form("password")),
    ("password", False, _form("short")),
)
"""Kind, whether it may stand inside a longer word, form."""

_TAIL = re.compile(rf"(?:[-_]?\d{{1,2}}|[-_](?:{one_of('nouns', 'tails')}))?(?![a-z0-9])")
_HARMLESS = re.compile(rf"(?:{one_of('nouns', 'harmless')})[-_. ]?$")
_TYPE = re.compile(r"::\w{0,40}$")


def nouns(text: str, lowered: str) -> Iterator[Noun]:
    """``lowered`` is ``text`` in small letters, sign for sign."""
    done = 0
    cores = _CORES if lowered.isascii() else _ALL_CORES
    for core in cores.finditer(lowered):
        if core.start() < done:
            continue
        noun = _noun(text, lowered, core)
        if noun is not None:
            done = noun.end
            yield noun


def _noun(text: str, lowered: str, core: re.Match[str]) -> Noun | None:
    for start in _beginnings(lowered, core.start()):
        for kind, anywhere, form in _FORMS:
            match = form.match(lowered, start)
            if match is None or match.end() < core.end() or not (anywhere or _begins(text, start)):
                continue
            tail = _TAIL.match(lowered, match.end())
            if tail is not None and not (kind == "token" and _is_harmless(lowered, start, tail.end())):
                return Noun(kind, start, tail.end())
    return None


def _beginnings(lowered: str, core: int) -> Iterator[int]:
    qualifier = _QUALIFIER.search(lowered, max(0, core - _LOOK_BACK), core)
    if qualifier is not None:
        yield qualifier.start()
    yield core


def _is_harmless(lowered: str, start: int, end: int) -> bool:
    """A page token, a public key, a type (AWS::…::ApiKey), a part of an address (arn:…:secret:…)."""
    if _HARMLESS.search(lowered, max(0, start - _LOOK_BACK), start) is not None:
        return True
    return lowered[max(0, start - 2) : start] == "::" or (
        lowered[start - 1 : start] == ":" == lowered[end : end + 1]
    )


def _begins(text: str, start: int) -> bool:
    """At a word's beginning, or at a hump of an identifier in camel case."""
    if start == 0:
        return True
    before, first = text[start - 1], text[start]
    return not before.isalnum() or (before.islower() and first.isupper()) or not first.isascii()
