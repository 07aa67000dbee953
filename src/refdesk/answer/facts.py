"""The figures, dates, codes and names of a sentence, and those that stand in none of its passages (A2).

A figure is compared by its value, a date by its day, a code as it is spelled, a name by its stem.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from refdesk.answer.dates import Found, agree, dates, month_of
from refdesk.answer.words import held, telling_words
from refdesk.index.analysis.characters import normalise, same

_TOKEN = re.compile(r"[^\W_]\w*(?:[-./:,'’@#&+]\w+)*")
_CHAIN = re.compile(r"(?<![\w.])\d+(?:[-./:,'’]\d+)*")
_FIGURE = re.compile(r"(\d+(?:[-./:,'’]\d+)*)(?:[^\W\d_]{0,5})", re.UNICODE)
_APART = re.compile(r"[-/:]")
_JOINT = re.compile(r"[-./:,'’@#&+_]")
_CODE = re.compile(r"\w*(?:\d|_|[a-z][A-Z]|[A-Z]{2})")
_SIGNS = {"€": "eur", "$": "usd", "£": "gbp", "¥": "jpy"}
_POSSESSIVE = re.compile(r"['’]s$")
_LISTED = re.compile(r"^\s*(?:[-*•]\s+)?(?:\d{1,2}|[a-z])[.)]\s+")
_BEGINS = re.compile(r"^[\s\"'“„«(\[*_-]*")
_WORDS = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty
""".split()  # noqa: SIM905
_VALUE_OF_WORD = {word: str(value) for value, word in enumerate(_WORDS)}


class Passages:
    """What the passages that a sentence cites hold, prepared for looking facts up."""

    def __init__(self, text: str, languages: Sequence[str]) -> None:
        plain = normalise(text)
        self._text = text
        self._languages = languages
        self._tokens = {same(token) for token in _TOKEN.findall(plain)}
        self._tokens |= {name for sign, name in _SIGNS.items() if sign in plain}
        self._joined = {_JOINT.sub("", token) for token in self._tokens}
        self._parts = {part for token in self._tokens for part in _JOINT.split(token)}
        found = list(dates(plain))
        self._dates = [date for one in found for date in one.dates]
        self._months = {date.month for date in self._dates}
        self._values = {
            value for chain in _CHAIN.findall(_blanked(plain, found)) for value in _with_parts(chain)
        }
        self._values |= {str(date.year) for date in self._dates if date.year is not None}
        self._values |= {_VALUE_OF_WORD[token] for token in self._tokens & _VALUE_OF_WORD.keys()}

    def missing(self, sentence: str) -> list[str]:
        """The facts of ``sentence`` that stand in none of the passages, as they are written."""
        plain = _LISTED.sub("", normalise(sentence))
        found = list(dates(plain))
        absent = [plain[date.start : date.end] for date in found if not self._has_date(date)]
        return absent + self._missing_tokens(_blanked(plain, found))

    def _has_date(self, found: Found) -> bool:
        for one in found.dates:
            for other in self._dates:
                if agree(one, other):
                    return other.year is not None or one.year is None or str(one.year) in self._values
        return False

    def _missing_tokens(self, plain: str) -> list[str]:
        absent, names = [], []
        first = _BEGINS.match(plain)
        begins = first.end() if first else 0
        for match in _TOKEN.finditer(plain):
            token = match[0]
            if _FIGURE.fullmatch(token):
                absent += [] if self._has_figure(token) else [token]
            elif _CODE.match(token):
                absent += [] if self._has_code(token) else [token]
            elif token[0].isupper() and len(token) > 1 and match.start() != begins:
                names.append(token)
        return absent + self._missing_names(names, plain)

    def _has_figure(self, token: str) -> bool:
        chain = _CHAIN.match(token)
        assert chain is not None
        if same(token) in self._tokens or not _values(chain[0]).isdisjoint(self._values):
            return True
        parts = _APART.split(chain[0])
        return len(parts) > 1 and all(not _part(part).isdisjoint(self._values) for part in parts)

    def _has_code(self, token: str) -> bool:
        spelled = _POSSESSIVE.sub("", same(token))
        if spelled in self._tokens or _JOINT.sub("", spelled) in self._joined:
            return True
        parts = spelled.split("-")
        coded = [part for part in parts if not part.isalpha()]
        if not coded:
            return all(part in self._parts for part in parts)
        # a compound of a code or figure and words, like "P1-incident": the code stands there on its own
        return len(parts) > 1 and all(
            self._has_figure(part) if part.isdecimal() else part in self._tokens for part in coded
        )

    def _missing_names(self, names: Sequence[str], plain: str) -> list[str]:
        spelled = {same(_POSSESSIVE.sub("", name)): name for name in names}
        telling = [word for word in telling_words(plain, self._languages) if word.text in spelled]
        there = held(telling, self._text, self._languages) | self._tokens
        absent = [spelled[word.text] for word in telling if word.text not in there]
        return [name for name in absent if month_of(name) not in self._months]


def _blanked(text: str, found: Sequence[Found]) -> str:
    """Without the dates, for their parts are no figures on their own."""
    for one in found:
        text = text[: one.start] + " " * (one.end - one.start) + text[one.end :]
    return text


def _with_parts(chain: str) -> set[str]:
    parts = _APART.split(chain)
    return _values(chain).union(*(_part(part) for part in parts)) if len(parts) > 1 else _values(chain)


def _part(part: str) -> set[str]:
    """Of a time, range or fraction: ``07:30`` holds a 7."""
    return _values(part) | {part.lstrip("0") or "0"}


def _values(chain: str) -> set[str]:
    """A figure as digits with one point: two values where ``1,234`` may be either; itself in any case."""
    values = {chain}
    if re.fullmatch(r"\d{1,3}(?:([.,'’])\d{3})(?:\1\d{3})*", chain):
        values.add(re.sub(r"\D", "", chain))
    if decimal := re.fullmatch(r"(\d+|\d{1,3}(?:[.,'’]\d{3})+)[.,](\d+)", chain):
        whole = re.sub(r"\D", "", decimal[1])
        fraction = decimal[2].rstrip("0")
        values.add(f"{whole}.{fraction}" if fraction else whole)
    return values
