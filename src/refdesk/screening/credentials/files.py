"""Lines of files that hold nothing but secrets: netrc, pgpass, shadow and htpasswd, npmrc."""

from __future__ import annotations

import re
from collections.abc import Iterator

from refdesk.screening.credentials import judge
from refdesk.screening.model import Spotted

_NETRC = re.compile(r"\bmachine\s+\S{1,253}\s+login\s+\S{1,128}\s+password\s+(?P<value>\S{3,256})")
_PGPASS = re.compile(
    r"^(?:[\w.*-]{1,253}):(?:\d{2,5}|\*):[\w.*-]{1,64}:[\w.*@-]{1,64}:(?P<value>[^\s:]{4,256})$", re.MULTILINE
)
_HASHES = re.compile(
    r"(?<![\w$])(?:\$(?:2[abxy]|apr1|1|5|6|7|y|gy|sha1|md5|P|H)\$[./A-Za-z0-9$=,-]{20,200}"
    r"|\$argon2(?:id?|d)\$v=\d+\$[\w=,]+\$[./A-Za-z0-9+$=]{20,200}"
    r"|\{(?:SSHA(?:256|512)?|SMD5|SHA|CRYPT)\}[./A-Za-z0-9+=$]{20,200}"
    r"|pbkdf2_sha(?:1|256|512)\$\d+\$[./A-Za-z0-9+$=]{20,200})"
)
_NPMRC = re.compile(r"_(?:auth(?:Token)?|password)[ \t]*=[ \t]*\"?(?P<value>[\w.+/=~:-]{8,512})")


def in_files(text: str) -> Iterator[Spotted]:
    if "machine" in text:
        yield from (
            _span(match, "netrc") for match in _NETRC.finditer(text) if judge.is_password(match["value"])
        )
    yield from (_span(match, "pgpass") for match in _PGPASS.finditer(text) if judge.is_mixed(match["value"]))
    if "_auth" in text or "_password" in text:
        yield from (
            _span(match, "npmrc") for match in _NPMRC.finditer(text) if judge.is_token(match["value"], 8)
        )
    if "$" in text or "}" in text:
        for match in _HASHES.finditer(text):
            if not judge.is_example(match[0]):
                yield Spotted("credential", "password_hash", match.start(), match.end())


def _span(match: re.Match[str], detector: str) -> Spotted:
    return Spotted("credential", detector, match.start("value"), match.end("value"))
