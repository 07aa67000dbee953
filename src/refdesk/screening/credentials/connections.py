"""Passwords in addresses and connection strings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from refdesk.screening.credentials import judge
from refdesk.screening.model import Spotted
from refdesk.screening.small import Small, occurrences

_USERINFO = re.compile(
    r"://(?P<user>[^\s:@/'\"<>`|\[\]]{0,128}):(?P<value>[^\s@/'\"<>`|]{1,256})@(?P<host>[\w.\[\]$%-]{1,253})"
)
_TOKEN_USER = re.compile(r"://(?P<value>[^\s:@/'\"<>`|]{16,256})@[\w.-]{1,253}")
_ORACLE = re.compile(
    r"(?:thin:|sqlplus\s+(?:-\w+\s+)*|userid=|sqlldr\s+)(?P<user>[\w$#]{1,40})/(?P<value>[^\s@/'\"]{3,64})@"
)
_SIGNATURE = re.compile(
    r"[?&;](?:sig|signature|access_token|api_key|apikey|token|X-Amz-Security-Token)=(?P<value>[\w%+/=.~-]{16,1024})"
)


def in_connections(text: str, lowered: Small) -> Iterator[Spotted]:
    """``scheme://user:password@host``, ``user/password@host`` of Oracle, signed links."""
    passwords = [*(_USERINFO.finditer(text) if "://" in text else ()), *_oracle(text, lowered)]
    yield from (_span(match, "userinfo") for match in passwords if _is_real(match["user"], match["value"]))
    if "://" in text:
        yield from (_span(match, "userinfo") for match in _TOKEN_USER.finditer(text) if _is_token(match))
        yield from (_span(match, "signed_link") for match in _signatures(text) if _is_token(match))


def _signatures(text: str) -> Iterator[re.Match[str]]:
    """What the pattern finds: none of the signs that it begins with stands inside a match."""
    for start, _ in occurrences(text, "?&;"):
        match = _SIGNATURE.match(text, start)
        if match is not None:
            yield match


def _oracle(text: str, lowered: Small) -> Iterator[re.Match[str]]:
    for start, _ in lowered.occurrences(("thin:", "sqlplus", "userid=", "sqlldr")):
        match = _ORACLE.match(text, start)
        if match is not None:
            yield match


def _is_token(match: re.Match[str]) -> bool:
    return judge.is_token(match["value"], 16)


def _is_real(user: str, value: str) -> bool:
    if not judge.is_password(value) or value.lower() in ("pass", "password", "pw", user.lower()):
        return False
    return not value.isdigit() or len(value) > 5


def _span(match: re.Match[str], detector: str) -> Spotted:
    return Spotted("credential", detector, match.start("value"), match.end("value"))
