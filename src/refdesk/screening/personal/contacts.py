"""E-mail addresses and telephone numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from refdesk.screening.model import Spotted

_EMAIL = re.compile(
    r"(?<![\w.%+-])[\w%+-][\w.%+-]{0,63}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,6}[A-Za-z]{2,24}(?![\w-])"
)
_RESERVED = re.compile(
    r"(?:^|[@.])(?:example(?:\.(?:com|net|org))?|test|invalid|localhost|local)$", re.IGNORECASE
)
"""RFC 2606 and 6761: addresses that can belong to nobody."""

_INTERNATIONAL = re.compile(r"(?<![\w+])\+[1-9](?:[ ().\-/]{0,2}\d){6,14}(?!\d)")
_NATIONAL = re.compile(r"(?<![\w+.,-])\(?\d(?:[ ().\-/]{0,2}\d){6,14}(?![\d-])")
_WORDS = re.compile(
    r"(?:\b(?:tel(?:e(?:phone|fon|fono))?|phone|fone?|mobil[e]?|cell|handy|call|fax|hotline|whatsapp|rufnummer"
    r"|t[ée]l(?:[ée]phone)?|portable|m[oó]vil|llame|anrufen)\b|電話|携帯)\W{0,3}(?:[\w-]+\W{1,3}){0,3}$",
    re.IGNORECASE,
)


def emails(text: str) -> Iterator[Spotted]:
    if "@" in text:
        for match in _EMAIL.finditer(text):
            if _RESERVED.search(match[0]) is None:
                yield Spotted("email", "address", match.start(), match.end())


def phones(text: str) -> Iterator[Spotted]:
    """Valid numbers in international form, and in a country's own form after a word that announces one."""
    if "+" in text:
        for match in _INTERNATIONAL.finditer(text):
            if _is_valid(match[0], None):
                yield Spotted("phone", "international", match.start(), match.end())
    for match in _NATIONAL.finditer(text):
        if _WORDS.search(text[max(0, match.start() - 50) : match.start()]) and any(
            _is_valid(match[0], region) for region in _REGIONS
        ):
            yield Spotted("phone", "national", match.start(), match.end())


_REGIONS = ("US", "GB", "DE", "FR", "ES", "IT", "NL", "AT", "CH", "JP", "IN", "BR", "AU")


def _is_valid(number: str, region: str | None) -> bool:
    import phonenumbers  # 27 ms: only where a policy asks for telephone numbers

    try:
        return phonenumbers.is_valid_number(phonenumbers.parse(number, region))
    except phonenumbers.NumberParseException:
        return False
