"""National identity, tax and insurance numbers: form, checksum, and a word that announces them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from refdesk.screening.model import Spotted
from refdesk.screening.personal.announced import any_of
from refdesk.screening.personal.checksums import (
    codice_fiscale,
    ean13,
    luhn,
    mod11_10,
    verhoeff,
    weighted,
)
from refdesk.screening.personal.stretches import found_in
from refdesk.screening.small import small

_CONTEXT = 60


@dataclass(frozen=True, slots=True)
class _Number:
    """``words`` must stand in the 60 characters before the number; None where its form is proof enough."""

    name: str
    pattern: re.Pattern[str]
    valid: Callable[[str], bool]
    words: re.Pattern[str] | None = None


def _number(name: str, pattern: str, valid: Callable[[str], bool], words: str | None = None) -> _Number:
    bounded = re.compile(rf"(?<![\w.-])(?:{pattern})(?![\w-]|\.\d)")
    return _Number(name, bounded, valid, re.compile(words) if words else None)


def _ssn(number: str) -> bool:
    return number not in ("078051120", "219099999", "123456789", "987654321")


def _steuer_id(number: str) -> bool:
    """Of the first ten digits exactly one occurs twice or three times."""
    return len(set(number[:10])) in (8, 9) and mod11_10(number)


def _nir(number: str) -> bool:
    digits = number.replace("2A", "19").replace("2B", "18")
    return 97 - int(digits[:13]) % 97 == int(digits[13:])


def _dni(number: str) -> bool:
    digits = number[:-1].translate(str.maketrans("XYZ", "012"))
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(digits) % 23] == number[-1]


def _rijksregister(number: str) -> bool:
    body, check = int(number[:9]), int(number[9:])
    return check in (97 - body % 97, 97 - (2_000_000_000 + body) % 97)


def _cpf(number: str) -> bool:
    if len(set(number)) == 1:
        return False
    for length in (9, 10):
        rest = sum(int(digit) * (length + 1 - i) for i, digit in enumerate(number[:length])) * 10 % 11 % 10
        if rest != int(number[length]):
            return False
    return True


def _resident_id(number: str) -> bool:
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    rest = sum(int(digit) * weight for digit, weight in zip(number[:17], weights, strict=True)) % 11
    return "10X98765432"[rest] == number[17]


def _my_number(number: str) -> bool:
    weights = (6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)
    rest = sum(int(digit) * weight for digit, weight in zip(number[:11], weights, strict=True)) % 11
    return (0 if rest <= 1 else 11 - rest) == int(number[11])


def _bsn(number: str) -> bool:
    return weighted(number, (9, 8, 7, 6, 5, 4, 3, 2, -1), 11)


def _pesel(number: str) -> bool:
    return weighted(number, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1), 10)


def _tfn(number: str) -> bool:
    return weighted(number, (1, 4, 3, 7, 5, 8, 6, 9, 10), 11)


def _personnummer(number: str) -> bool:
    return luhn(number[-10:])


_NUMBERS = (
    _number(
        "us_ssn",
        r"(?!000|666|9)\d{3}[- ](?!00)\d\d[- ](?!0000)\d{4}",
        _ssn,
        r"\bssn\b|social[ -]security|\bss ?#",
    ),
    _number(
        "uk_nino",
        r"(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d\d ?\d\d ?\d\d ?[A-D]",
        lambda number: number != "QQ123456C",
        r"national insurance|\bnino\b|\bni (?:no|number)",
    ),
    _number(
        "de_steuer_id",
        r"[1-9]\d ?\d{3} ?\d{3} ?\d{3}",
        _steuer_id,
        r"steuer|identifikationsnummer|\bidnr|\btin\b|\btax",
    ),
    _number(
        "fr_nir",
        r"[12] ?\d\d ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d\d|2[AB]) ?\d{3} ?\d{3} ?\d\d",
        _nir,
        r"s[ée]cu|\bnir\b|\binsee\b|num[ée]ro de s|social",
    ),
    _number("es_dni", r"(?:\d{8}|[XYZ]\d{7})-?[A-HJ-NP-TV-Z]", _dni, r"\bdni\b|\bnif\b|\bnie\b|identidad"),
    _number("it_codice_fiscale", r"[A-Z]{6}\d\d[A-EHLMPR-T]\d\d[A-Z]\d{3}[A-Z]", codice_fiscale),
    _number("nl_bsn", r"\d{9}|\d{4}[. ]\d\d[. ]\d{3}", _bsn, r"\bbsn\b|burgerservice|sofi"),
    _number(
        "be_rijksregister",
        r"\d\d\.?\d\d\.?\d\d-?\d{3}\.?\d\d",
        _rijksregister,
        r"rijksregister|registre national|\binsz\b|\bniss\b|national register",
    ),
    _number("pl_pesel", r"\d{11}", _pesel, r"\bpesel\b"),
    _number("se_personnummer", r"(?:19|20)?\d{6}[-+]?\d{4}", _personnummer, r"person(?:nummer|al identity)"),
    _number("br_cpf", r"\d{3}\.\d{3}\.\d{3}-\d\d", _cpf),
    _number("in_aadhaar", r"[2-9]\d{3} ?\d{4} ?\d{4}", verhoeff, r"aadhaar|आधार|\buidai?\b"),
    _number(
        "ch_ahv", r"756\.?\d{4}\.?\d{4}\.?\d\d", ean13, r"\bahv|\bavs\b|sozialversicherung|\bssn\b|\bnavs"
    ),
    _number(
        "cn_resident_id",
        r"[1-9]\d{5}(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dX]",
        _resident_id,
    ),
    _number("jp_my_number", r"\d{4}[ -]?\d{4}[ -]?\d{4}", _my_number, r"マイナンバー|個人番号|my ?number"),
    _number("ca_sin", r"[1-79]\d\d[- ]?\d{3}[- ]?\d{3}", luhn, r"\bsin\b|social insurance|assurance sociale"),
    _number("au_tfn", r"\d{3} ?\d{3} ?\d{3}", _tfn, r"\btfn\b|tax file"),
)


_DIGITS = re.compile(r"\d(?:[ ./-]?[\dA-Z]){6,21}")
_LETTERS_BEFORE = 6
_ANNOUNCED = any_of([number.words.pattern for number in _NUMBERS if number.words is not None])
_PLAIN = tuple(number for number in _NUMBERS if number.words is None)


def national_ids(text: str) -> Iterator[Spotted]:
    done = 0
    for digits in found_in(text, _DIGITS, 7):
        if digits.start() < done:
            continue
        before = small(text[max(0, digits.start() - _CONTEXT) : digits.start()])
        announced = _ANNOUNCED.search(before) is not None
        for number in _NUMBERS if announced else _PLAIN:
            if number.words is None or number.words.search(before):
                match = number.pattern.search(
                    text, max(0, digits.start() - _LETTERS_BEFORE), digits.end() + 1
                )
                if match is not None and number.valid(re.sub(r"[^0-9A-Z]", "", match[0])):
                    done = match.end()
                    yield Spotted("national_id", number.name, match.start(), match.end())
                    break
