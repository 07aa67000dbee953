"""Payment cards (Luhn, issuers' ranges) and IBANs (ISO 13616: mod 97 and the country's length)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from refdesk.screening.documented import is_documented
from refdesk.screening.model import Spotted
from refdesk.screening.personal.checksums import luhn, mod97
from refdesk.screening.personal.stretches import found_in

_DIGITS = re.compile(r"\d(?:[ -]?\d){11,22}")
_BOUNDED = re.compile(r"(?<![\w.,/+-])(?<![A-Z0-9]{4}[ -])\d")
_GOES_ON = re.compile(r"[\w/-]|[.,]\d")
_CARD = re.compile(
    r"[2-6]\d{3}(?P<sep>[ -])\d{4}(?P=sep)\d{4}(?P=sep)\d{1,4}(?:(?P=sep)\d{3})?"
    r"|3\d{3}(?P<amex>[ -])\d{6}(?P=amex)\d{4,5}|(?P<plain>[2-6]\d{12,18})"
)
_CARD_WORDS = re.compile(
    r"\b(?:cards?|visa|master ?card|amex|american express|discover|diners|maestro|jcb|unionpay"
    r"|pan|cc|credit|debit|(?:kredit|debit|zahl)?karten?(?:nummer|nr)?|carte|tarjeta|carta|cart[aã]o|cvv2?|cvc2?)\b|カード",
    re.IGNORECASE,
)
_CONTEXT = 60

_ISSUERS = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})"
    r"|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}"
    r"|3[47]\d{13}"
    r"|3(?:0[0-5]|[68]\d)\d{11}"
    r"|35(?:2[89]|[3-8]\d)\d{12,15}"
    r"|(?:6011|64[4-9]\d|65\d\d)\d{12,15}"
    r"|62\d{14,17}"
)
"""Visa, Mastercard, American Express, Diners, JCB, Discover, UnionPay."""

_IBAN = re.compile(r"[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])")
_IBAN_LENGTHS = {
    country: int(length)
    for length, countries in {
        "15": "NO",
        "16": "BE",
        "18": "DK FI FO GL NL SD",
        "19": "MK SI",
        "20": "AT BA EE KZ LT LU XK",
        "21": "CH HR LI LV",
        "22": "BG BH CR DE GB GE IE ME RS VA",
        "23": "AE GI IL IQ OM SO TL",
        "24": "AD CZ ES MD PK RO SA SE SK TN VG",
        "25": "LY PT ST",
        "26": "IS TR",
        "27": "BI DJ FR GR IT MC MR SM",
        "28": "AL AZ BY CY DO GT HU LB NI PL SV",
        "29": "BR EG PS QA UA",
        "30": "JO KW MU YE",
        "31": "MT SC",
        "32": "LC",
        "33": "RU",
    }.items()
    for country in countries.split()
}


def payment_cards(text: str) -> Iterator[Spotted]:
    """Grouped as on a card, or undivided beside a word that speaks of cards."""
    for match in found_in(text, _DIGITS, 12):
        form = _CARD.fullmatch(match[0])
        if form is None or not _BOUNDED.match(text, match.start()) or _GOES_ON.match(text, match.end()):
            continue
        number = re.sub(r"\D", "", match[0])
        if _ISSUERS.fullmatch(number) is None or not luhn(number) or _is_test_card(number):
            continue
        around = text[max(0, match.start() - _CONTEXT) : match.end() + _CONTEXT]
        if form["plain"] is None or _CARD_WORDS.search(around):
            yield Spotted("payment_card", "luhn", match.start(), match.end())


def _is_test_card(number: str) -> bool:
    return is_documented(number) or len(set(number)) <= 3 or number.startswith("400000")


def ibans(text: str) -> Iterator[Spotted]:
    for match in found_in(text, _IBAN, 12):
        length = _IBAN_LENGTHS.get(match[0][:2])
        if length is None or text[match.start() - 1 : match.start()].isalnum():
            continue
        end = _end_of(match, length)
        if text[end : end + 1].isalnum():
            continue
        number = match[0][: end - match.start()].replace(" ", "")
        if len(number) == length and mod97(number[4:] + number[:4]) and not is_documented(number):
            yield Spotted("iban", "mod97", match.start(), end)


def _end_of(match: re.Match[str], length: int) -> int:
    """Where the first ``length`` signs end: the pattern may run on into the next capital word."""
    seen = 0
    for offset, sign in enumerate(match[0]):
        seen += sign != " "
        if seen == length:
            return match.start() + offset + 1
    return match.end()
