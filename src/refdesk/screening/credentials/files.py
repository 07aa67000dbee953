"""Lines of files that hold nothing but secrets: netrc, pgpass, shadow and htpasswd, npmrc."""

from __future__ import annotations

import re
from collections.abc import Iterator

from refdesk.screening.credentials import judge
from refdesk.screening.credentials.placeholders import is_example
from refdesk.screening.model import Spotted
from refdesk.screening.small import Small

_NETRC = re.compile(r"machine\s+\S{1,253}\s+login\s+\S{1,128}\s+password\s+(?P<value>\S{3,256})")
_PORT = re.compile(r":(?:\d{2,5}|\*):")
_PGPASS = re.compile(
    r"[\w.*-]{1,253}:(?:\d{2,5}|\*):[\w.*-]{1,64}:[\w.*@-]{1,64}:(?P<value>[^\s:]{4,256})(?=\r?$)",
    re.MULTILINE,
)
_HASHES = (
    re.compile(r"\$(?:2[abxy]|apr1|1|5|6|7|y|gy|sha1|md5|P|H)\$[./A-Za-z0-9$=,-]{20,200}"),
    re.compile(r"\$argon2(?:id?|d)\$v=\d+\$[\w=,]+\$[./A-Za-z0-9+$=]{20,200}"),
    re.compile(r"\{(?:SSHA(?:256|512)?|SMD5|SHA|CRYPT)\}[./A-Za-z0-9+=$]{20,200}"),
    re.compile(r"pbkdf2_sha(?:1|256|512)\$\d+\$[./A-Za-z0-9+$=]{20,200}"),
)
_NPMRC = re.compile(r"_(?:auth(?:Token)?|password)[ \t]*=[ \t]*\"?(?P<value>[\w.+/=~:-]{8,512})")


def in_files(text: str, lowered: Small) -> Iterator[Spotted]:
    for start, _ in lowered.occurrences(("machine ",)):
        match = _NETRC.match(text, start)
        if match is not None and judge.is_password(match["value"]):
            yield _span(match, "netrc")
    for port in _PORT.finditer(text):
        match = _PGPASS.match(text, text.rfind("\n", 0, port.start()) + 1)
        if match is not None and judge.is_mixed(match["value"]):
            yield _span(match, "pgpass")
    for start, _ in lowered.occurrences(("_auth", "_password")):
        match = _NPMRC.match(text, start)
        if match is not None and judge.is_token(match["value"], 8):
            yield _span(match, "npmrc")
    yield from _hashes(text)


def _hashes(text: str) -> Iterator[Spotted]:
    for form in _HASHES:
        for match in form.finditer(text):
            if not is_example(match[0]) and not text[match.start() - 1 : match.start()].isalnum():
                yield Spotted("credential", "password_hash", match.start(), match.end())


def _span(match: re.Match[str], detector: str) -> Spotted:
    return Spotted("credential", detector, match.start("value"), match.end("value"))
