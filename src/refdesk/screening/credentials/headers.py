"""HTTP headers that carry secrets, cookies of sessions, and JSON web tokens."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator

from refdesk.screening.credentials import judge
from refdesk.screening.credentials.placeholders import is_example, is_placeholder
from refdesk.screening.model import Spotted
from refdesk.screening.small import Small

_AUTHORIZATION = re.compile(
    r"""(?<![A-Za-z:])authori[sz]ation["'`\]]{0,2}[ \t]*(?:[:=,]|=>)[ \t]*f?["'`]?
    (?:(?P<scheme>basic|bearer|token|apikey|api-key|key|negotiate|aws4[\w-]*)[ \t]+)?["'`]?
    (?P<value>[\w.+/=~:-]{8,4096})""",
    re.IGNORECASE | re.VERBOSE,
)
_BARE_SCHEME = re.compile(
    r"(?<!\w)(?P<scheme>Basic|Bearer|basic|bearer|BASIC|BEARER)[ \t]+[\"'`]?(?P<value>[\w.+/=~-]{12,4096})"
)
_COOKIES = re.compile(r"cookie[\"']{0,2}[ \t]*[:=][ \t]*[\"'`]?(?P<pairs>[^\n\"'`]{8,4096})", re.IGNORECASE)
_SESSION = re.compile(
    r"(?<![\w.-])(?P<name>[\w.-]{0,40}(?:sess(?:ion)?(?:[-_.]?id)?|sid|auth|token|jwt|login|remember[\w-]{0,12}|identity|application)s?)=(?P<value>[\w.%+/=:~-]{16,4096})",
    re.IGNORECASE,
)
_SESSION_VALUE = re.compile(r"(?P<value>[\w.%+/=:~-]{16,4096})")
_JWT = re.compile(
    r"(?<![\w-])eyJ[\w-]{10,2000}\.(?:eyJ[\w-]{6,4000}|[\w-]{0,600}\.[\w-]{10,400}\.[\w-]{10,8000})\.(?P<signature>[\w-]{16,1400})"
)


def in_headers(text: str, lowered: Small) -> Iterator[Spotted]:
    for form, literal in (
        (_AUTHORIZATION, "authorization"),
        (_AUTHORIZATION, "authorisation"),
        (_BARE_SCHEME, "basic "),
        (_BARE_SCHEME, "bearer "),
    ):
        for match in _near(form, text, lowered, literal):
            if _authorizes(match["scheme"] or "", match["value"]):
                yield _span(match, "authorization")
    for cookies in _near(_COOKIES, text, lowered, "cookie"):
        for match in _SESSION.finditer(text, *cookies.span("pairs")):
            if "csrf" not in match["name"].lower() and judge.is_token(match["value"], 16):
                yield _span(match, "cookie")
    for _, end in lowered.occurrences(("sessid=", "sessionid=", "session_id=", "connect.sid=")):
        session = _SESSION_VALUE.match(text, end)
        if session is not None and judge.is_token(session["value"], 16):
            yield _span(session, "cookie")
    if "eyJ" in text:
        yield from _web_tokens(text)


def _near(form: re.Pattern[str], text: str, lowered: Small, literal: str) -> Iterator[re.Match[str]]:
    """``form`` where it begins with ``literal``, and not within its last match."""
    done = 0
    for start, _ in lowered.occurrences((literal,)):
        match = form.match(text, start) if start >= done else None
        if match is not None:
            done = match.end()
            yield match


def _web_tokens(text: str) -> Iterator[Spotted]:
    for match in _JWT.finditer(text):
        if not is_example(match["signature"]):
            yield Spotted("credential", "jwt", match.start(), match.end())


def _authorizes(scheme: str, value: str) -> bool:
    if scheme.lower() == "basic":
        return _is_userinfo(value)
    return judge.is_token(value, 16)


def _is_userinfo(value: str) -> bool:
    """Base64 of a name, a colon and a password that is no example."""
    if is_example(value):
        return False
    try:
        decoded = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode("utf-8")
    except ValueError:  # no base64, or no text in it
        return False
    user, colon, password = decoded.partition(":")
    return (
        bool(colon)
        and decoded.isprintable()
        and bool(password or len(user) >= 16)
        and not is_placeholder(password or user)
    )


def _span(match: re.Match[str], detector: str) -> Spotted:
    return Spotted("credential", detector, match.start("value"), match.end("value"))
