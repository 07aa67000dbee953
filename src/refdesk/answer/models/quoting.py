"""The quoting model: the offline default. It answers with the sentences of the references that answer best,
quoted and cited, and says plainly when there are none. It puts nothing in words of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from refdesk.answer.model import QUOTING, Completion, Prompt, Reference, Said
from refdesk.answer.models.units import Unit, units
from refdesk.answer.words import Word, held, telling_words
from refdesk.index.analysis import detect_languages
from refdesk.passages import count_tokens

MOST = 3  # statements that are quoted at most
ALIKE = 0.85  # a further statement must be worth so much of the best
PASSAGE_SHARE = 0.35  # of a statement's worth: what the passage around it holds of the question
HEADING_WORDS = 8
RANK_SHARE = 0.25  # of the worth: the place of its reference

_NUMBERED = re.compile(r"[\[［【]\s*(\d[\d\s,;–-]*)[\]］】]")
"""What would read as a citation of ours where it stands in no quotation."""

_NOTHING = "The documents do not cover this question."
_EMPTY = "There are no documents to answer from yet."


@dataclass(frozen=True, slots=True)
class _Statement:
    reference: Reference
    place: int
    unit: Unit
    words: frozenset[str]
    worth: float


class QuotingModel:
    name = QUOTING

    def complete(self, prompt: Prompt, said: Said | None = None) -> Completion:
        text = self._answer(prompt)
        tokens = count_tokens(prompt.system) + count_tokens(prompt.user)
        return Completion(text, tokens, count_tokens(text), 0.0)

    def _answer(self, prompt: Prompt) -> str:
        if prompt.coverage == "empty":
            return _EMPTY
        if prompt.coverage != "found":
            return _NOTHING
        languages = detect_languages("\n".join(one.text for one in prompt.references)) or ["english"]
        statements = _statements(prompt, languages)
        if not statements:
            return _NOTHING
        return "\n\n".join(_quoted(statement) for statement in _best(statements))


def _statements(prompt: Prompt, languages: Sequence[str]) -> list[_Statement]:
    words = telling_words(prompt.question, languages)
    parts = [(reference, units(reference.text)) for reference in prompt.references]
    there = {
        (reference.number, place): held(words, unit.text, languages)
        for reference, found in parts
        for place, unit in enumerate(found)
    }
    weights = _weights(words, list(there.values()))
    statements = []
    for reference, found in parts:
        around = "\n".join((reference.title, reference.section or "", reference.text))
        passage = _share(held(words, around, languages), weights)
        for place, unit in enumerate(found):
            has = there[reference.number, place]
            worth = (1 - PASSAGE_SHARE) * _share(has, weights) + PASSAGE_SHARE * passage
            worth += RANK_SHARE / reference.number
            worth -= _doubt(unit)
            statements.append(_Statement(reference, place, unit, frozenset(has), worth))
    return statements


def _doubt(unit: Unit) -> float:
    """A question does not answer one, and few words without an end or a figure may be a heading."""
    if unit.text.endswith("?"):
        return 0.5
    ended = unit.text[-1] in ".!:;…。！：" or any(character.isdigit() for character in unit.text)
    return 0.0 if ended or not unit.verbatim or len(unit.text.split()) > HEADING_WORDS else 0.2


def _weights(words: Sequence[Word], holding: Sequence[set[str]]) -> dict[str, float]:
    """Words in few statements tell more; one that stands in none tells nothing."""
    counts = {word.text: sum(word.text in has for has in holding) for word in words}
    return {text: log(1 + len(holding) / count) for text, count in counts.items() if count}


def _share(has: set[str], weights: dict[str, float]) -> float:
    whole = sum(weights.values())
    return sum(weights.get(text, 0.0) for text in has) / whole if whole else 0.0


def _best(statements: Sequence[_Statement]) -> list[_Statement]:
    """The best statement, those nearly as good that say more, and what an opening line leads to."""
    ranked = sorted(statements, key=lambda one: (-one.worth, one.reference.number, one.place))
    chosen = [ranked[0]]
    said = {ranked[0].unit.text.casefold()}
    for one in ranked[1:]:
        if len(chosen) == MOST or one.worth < ALIKE * chosen[0].worth:
            break
        new = one.words - frozenset().union(*(other.words for other in chosen))
        if one.unit.text.casefold() not in said and (new or one.worth >= 0.9 * chosen[0].worth):
            chosen.append(one)
            said.add(one.unit.text.casefold())
    return [each for one in chosen for each in (one, *_led_to(one, chosen, statements))]


def _led_to(
    one: _Statement, chosen: Sequence[_Statement], statements: Sequence[_Statement]
) -> list[_Statement]:
    """What follows a statement that ends in a colon."""
    if not one.unit.text.endswith(":"):
        return []
    place = (one.reference.number, one.place + 1)
    next_ones = [other for other in statements if (other.reference.number, other.place) == place]
    return [other for other in next_ones if other not in chosen]


def _quoted(statement: _Statement) -> str:
    text = statement.unit.text
    number = statement.reference.number
    if statement.unit.verbatim:
        return f"“{text}” [{number}]"
    own = _NUMBERED.sub(r"(\1)", text)
    return f"{own} [{number}]"
