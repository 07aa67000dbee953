"""Numbers, prices and measures: whole before they are parts, the same with and without a space (W5)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from string import ascii_uppercase, digits

from refdesk.index.analysis.characters import plain, same
from refdesk.index.analysis.model import Form

_SIGNS = {
    "$": "usd", "€": "eur", "£": "gbp", "¥": "jpy", "₹": "inr", "₽": "rub", "₩": "krw", "₺": "try",
    "₴": "uah", "₫": "vnd", "₪": "ils", "฿": "thb", "₱": "php", "₦": "ngn", "₸": "kzt", "¢": "cent",
}  # fmt: skip
_CODE_LIST = (
    "usd eur gbp chf jpy cny rub inr krw try uah pln czk huf sek nok dkk isk ron bgn brl mxn cad aud "
    "nzd sgd hkd zar ils thb vnd php ngn kzt aed sar"
)
_UNIT_LIST = (
    "km/h m/s mbit/s gbit/s kbit/s mb/s gb/s mg/l g/l mg/kg g/m2 w/m2 kwh/m2 m3/h l/min l/h % ‰ °c "
    "°f ° kg mg µg μg mcg dag lbs lb oz km cm mm nm µm μm dm ft yd mi ml cl dl hl gal m2 m3 cm2 cm3 "
    "km2 mm2 ha kb mb gb tb pb kib mib gib tib kbit mbit gbit bit bytes byte hz khz mhz ghz kw mw gw "
    "kwh mwh wh mah ah kv mv ma mbar hpa kpa mpa pa bar psi nm kn kj mj kcal cal db dpi ppi ppm px "
    "pt rpm fps ms sec min mins hrs hr std stk pcs am pm mol mmol kohm ohm ω lm lx k g l m s h v w t "
    "кг г мг км м см мм л мл т шт кб мб гб тб кв квт руб грн ч мин сек мс в вт гц"
)


def _one_of(words: Sequence[str]) -> str:
    """A pattern for any of the words, found by its first character: trying each in turn takes long. Of those
    with the same first character the first that matches is taken."""
    rests: dict[str, list[str]] = {}
    for word in words:
        rests.setdefault(re.escape(word[0]), []).append(re.escape(word[1:]))
    branches = (f"{first}(?:{'|'.join(rest)})" for first, rest in rests.items())
    return f"(?=[{''.join(rests)}])(?:{'|'.join(branches)})"


_CODES = tuple(_CODE_LIST.split())
_UPPER_CODES = "|".join(code.upper() for code in _CODES)
_SIGN = f"[{''.join(map(re.escape, _SIGNS))}]"
_SUFFIXES = sorted((*_UNIT_LIST.split(), *_SIGNS, *_CODES), key=len, reverse=True)
_SUFFIX = f"(?i:{_one_of(_SUFFIXES)})"
_UNITS = f"(?:(?i:{_one_of([unit for unit in _SUFFIXES if unit not in _CODES])})|{_UPPER_CODES})"

_JOINED = "\u2060"
"""Stands where a figure had a space; a normalised text has no other of it."""
_GROUPED = re.compile(r"\d(?<![\d.,]\d)(?<!\d \d)\d{0,2}(?: \d{3}){1,3}(?! ?[\d.,]*\d)(?!\w)")
_MEASURED = re.compile(rf"\d[ \n]{_UNITS}(?![\w/'’])")
_PRICED = re.compile(rf"{_SIGN} (?=\d)")
_CODED = re.compile(rf"(?:{_UPPER_CODES}) (?=\d)(?<!\w....)")
_KINDS = bytearray(b"a" * 256)
for _signs, _kind in ((digits + "?", "0"), (ascii_uppercase, "A"), (" \n", " "), ("$", "$")):
    for _sign in _signs:
        _KINDS[ord(_sign)] = ord(_kind)
_NUMBER = rf"(?:\d{{1,3}}(?:{_JOINED}\d{{3}})+(?!\d)|\d+(?:[.,']\d+)*)"

FIGURE = (
    rf"{_SIGN}{_JOINED}?{_NUMBER}(?!\w)|(?:{_UPPER_CODES}){_JOINED}{_NUMBER}(?!\w)"
    rf"|{_NUMBER}{_JOINED}?{_SUFFIX}(?![\w/'’])|\d{{1,3}}(?:{_JOINED}\d{{3}})+(?!\w)"
)
"""A figure with its sign or unit, or one with its thousands apart; a bare number is a word like others."""

_PARSE = re.compile(
    rf"(?P<front>{_SIGN}|{_UPPER_CODES})?{_JOINED}?(?P<number>{_NUMBER})(?:{_JOINED}?(?P<back>{_SUFFIX}))?"
)

_SEPARATOR = re.compile(rf"[.,'{_JOINED}]")


def join_spaced(text: str) -> str:
    """``text`` with its figures in one piece each: *5 kg*, *€ 49*, *10 000*.

    A sketch of it, in which whatever is not ASCII may be a digit or a sign, tells at a twentieth of the cost
    of the patterns where they can match.
    """
    kinds = text.encode("ascii", "replace").translate(_KINDS)
    if b"0 000" in kinds:
        text = _GROUPED.sub(_join, text)
    if b"0 " in kinds:
        text = _measured(text, kinds)
    if b"$ 0" in kinds or (b"0 0" in kinds and not text.isascii()):
        text = _PRICED.sub(_join, text)
    if b"AAA 0" in kinds:
        text = _CODED.sub(_join, text)
    return text


def _measured(text: str, kinds: bytes) -> str:
    """What ``_MEASURED.sub`` makes."""
    parts, done, place = [], 0, kinds.find(b"0 ")
    while place >= 0:
        found = _MEASURED.match(text, place)
        if found:
            parts += [text[done : place + 1], _JOINED]
            done = place + 2
        place = kinds.find(b"0 ", found.end() if found else place + 1)
    return "".join((*parts, text[done:])) if parts else text


def _join(found: re.Match[str]) -> str:
    return found[0].replace(" ", _JOINED).replace("\n", _JOINED)


def figure(token: str) -> Form | None:
    """``token`` as a figure, or ``None``: *49,99 €*, *$49.99*, *5 kg*, *1,234.56*, *10 000*, *4711*."""
    if token.isdecimal() and token.isascii():
        return Form(token, figure=True)
    found = _PARSE.fullmatch(token)
    if found is None:
        return None
    grouped = found["number"]
    number = grouped.replace(_JOINED, "")
    digits = plain(number)
    before, after = same(found["front"] or ""), same(found["back"] or "")
    if after in _SIGNS or after in _CODES:
        before, after = after, ""
    whole = f"{before}{number}{after}"
    values = _values(digits) or ((digits,) if before or after else None)
    if values is None:
        return None
    named = _SIGNS.get(before, before)
    folded = dict.fromkeys(f"{named}{value}{after}" for value in values)
    folded.pop(whole, None)
    return Form(whole, tuple(folded), (), _fragments(grouped, (number, *values), named or after), figure=True)


def _fragments(grouped: str, values: tuple[str, ...], unit: str) -> tuple[tuple[str, float], ...]:
    pieces = _SEPARATOR.split(grouped)
    parts: dict[str, float] = {}
    if unit:
        parts.update(dict.fromkeys(values, 0.7))
        parts[unit] = 0.3
    if len(pieces) > 1:
        for piece in pieces:
            parts.setdefault(piece, 0.5 / len(pieces))
    return tuple(parts.items())


def _values(number: str) -> tuple[str, ...] | None:
    """The value in digits and one point: two where *1,234* may be either; ``None`` for *2.1.3*."""
    whole, *groups = _SEPARATOR.split(number)
    if not groups:
        return (number,)
    separators = _SEPARATOR.findall(number)
    grouped = len(whole) <= 3 and whole[0] != "0" and all(len(group) == 3 for group in groups[:-1])
    kinds = set(separators)
    if len(kinds) == 2 and grouped and len(set(separators[:-1])) == 1:
        return (_decimal("".join((whole, *groups[:-1])), groups[-1]),)
    if len(kinds) > 1:
        return None
    if len(groups) == 1:
        decimal = () if "'" in kinds else (_decimal(whole, groups[0]),)
        return (whole + groups[0], *decimal) if grouped and len(groups[0]) == 3 else decimal or None
    return ("".join((whole, *groups)),) if grouped and len(groups[-1]) == 3 else None


def _decimal(whole: str, fraction: str) -> str:
    return whole if fraction in {"0", "00"} else f"{whole}.{fraction}"
