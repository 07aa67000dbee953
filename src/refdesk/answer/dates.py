"""Dates in a text, in figures and in words, so that one date is the same however it is written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_MONTHS = (
    "january januar janvier enero",
    "february februar février febrero",
    "march märz mars marzo",
    "april avril abril",
    "may mai mayo",
    "june juni juin junio",
    "july juli juillet julio",
    "august août agosto",
    "september septembre septiembre",
    "october oktober octobre octubre",
    "november novembre noviembre",
    "december dezember décembre diciembre",
)
_SHORT = 3  # letters of an abbreviated month: Jan, Sept.
_NUMBER_OF = {name: number for number, names in enumerate(_MONTHS, start=1) for name in names.split()}
_NUMBER_OF |= {
    name[:_SHORT]: number for name, number in _NUMBER_OF.items() if name[:_SHORT] not in {"mar", "jui", "ago"}
}
_NUMBER_OF |= {"mar": 3, "sept": 9}

_MONTH = "|".join(sorted(_NUMBER_OF, key=len, reverse=True))
_DAY = r"(?P<day>\d{1,2})"
_DATE = re.compile(
    rf"\b(?P<year>\d{{4}})[-/.](?P<month>\d{{1,2}})[-/.]{_DAY}\b"
    rf"|\b(?P<one>\d{{1,2}})[-/.](?P<two>\d{{1,2}})[-/.](?P<year2>\d{{4}})\b"
    rf"|\b(?P<day3>\d{{1,2}})(?:st|nd|rd|th|er|\.)?\s+(?:of\s+|de\s+)?(?P<name3>{_MONTH})\b\.?"
    r"(?:,?\s+(?:de\s+)?(?P<year3>\d{4}))?"
    rf"|\b(?P<name4>{_MONTH})\b\.?\s+(?P<day4>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(?P<year4>\d{{4}}))?",
    re.IGNORECASE,
)


class Date(NamedTuple):
    year: int | None
    month: int
    day: int


class Found(NamedTuple):
    """``text[start:end]`` is one of ``dates``: two where day and month may stand in either order."""

    start: int
    end: int
    dates: tuple[Date, ...]


def dates(text: str) -> Iterator[Found]:
    for match in _DATE.finditer(text):
        possible = tuple(date for date in _possible(match) if 1 <= date.month <= 12 and 1 <= date.day <= 31)
        if possible:
            yield Found(match.start(), match.end(), possible)


def agree(one: Date, other: Date) -> bool:
    """Whether both can be the same day; a year that is left out may be any."""
    return one[1:] == other[1:] and (one.year is None or other.year is None or one.year == other.year)


def month_of(word: str) -> int | None:
    """The number of the month that ``word`` names in any of the languages known."""
    return _NUMBER_OF.get(word.casefold())


def _possible(match: re.Match[str]) -> list[Date]:
    if match["year"]:
        return [Date(int(match["year"]), int(match["month"]), int(match["day"]))]
    if match["one"]:
        year, one, two = (int(match[name]) for name in ("year2", "one", "two"))
        return [Date(year, two, one), Date(year, one, two)]
    order = "3" if match["name3"] else "4"
    name, said = match[f"name{order}"], match[f"year{order}"]
    if name == "may":  # a small letter: "of 3 may be"
        return []
    return [Date(int(said) if said else None, _NUMBER_OF[name.casefold()], int(match[f"day{order}"]))]
