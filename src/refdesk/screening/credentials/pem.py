"""Private keys in armour: PEM, OpenSSH, PGP and PuTTY."""

from __future__ import annotations

import re
from collections.abc import Iterator

from refdesk.screening.model import Spotted

MAX_CHARACTERS = 40_000
"""A key of 16,384 bits has about 13,000."""
MIN_BODY = 48

_OPEN = re.compile(r"-----BEGIN ([A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?)-----")
_PUTTY = re.compile(r"PuTTY-User-Key-File-\d: ?[\w-]{1,40}")
_PUTTY_END = re.compile(r"Private-MAC: ?[0-9a-f]{40,64}")
_BODY = re.compile(r"[A-Za-z0-9+/=]{16,}")


def private_keys(text: str) -> Iterator[Spotted]:
    """Armour with a key's body in it; one that breaks off runs as far as its body goes on."""
    if "PRIVATE KEY" in text:
        for match in _OPEN.finditer(text):
            end = text.find(f"-----END {match[1]}-----", match.end(), match.end() + MAX_CHARACTERS)
            stop = end + len(match[1]) + 14 if end >= 0 else _cut_off(text, match.end())
            if _has_body(text[match.end() : stop]):
                yield Spotted("private_key", "pem", match.start(), stop)
    if "PuTTY-User-Key-File" in text:
        for match in _PUTTY.finditer(text):
            ending = _PUTTY_END.search(text, match.end(), match.end() + MAX_CHARACTERS)
            if ending is not None and _has_body(text[match.end() : ending.start()]):
                yield Spotted("private_key", "putty", match.start(), ending.end())


_TAIL = re.compile(r"(?:[ \t>|]*(?:\\n|\r?\n)?[ \t>|\"'+]*[A-Za-z0-9+/=]{20,})+")


def _cut_off(text: str, start: int) -> int:
    match = _TAIL.match(text, start, start + MAX_CHARACTERS)
    return match.end() if match else start


def _has_body(text: str) -> bool:
    return sum(len(run) for run in _BODY.findall(text)) >= MIN_BODY
