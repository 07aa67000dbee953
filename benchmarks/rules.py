"""Each rule of the analyzer and of search switched off alone, to see what it is worth (quality.py).

A rule is a function of the product, and switched off by putting another in its place for a while.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

from refdesk.index.analysis import passages, question, scripts, text, words
from refdesk.index.analysis.model import Form
from refdesk.search import halves

SETS = ("tv-manual", "stackfaq", "msvc-errors", "fetaqa-tables", "cmrc2018-zh", "xquad-de", "xquad-es")
WORDS = ("tv-manual", "stackfaq", "msvc-errors", "xquad-de", "xquad-es")
ACCENTS = ("xquad-de", "xquad-es")
NAMES = ("msvc-errors", "tv-manual", "stackfaq")
FIGURES = ("fetaqa-tables", "msvc-errors", "xquad-de")


@dataclass(frozen=True, slots=True)
class Rule:
    """``sets`` are those in which it could make a difference."""

    name: str
    sets: Sequence[str]
    switched_off: Callable[[], AbstractContextManager[None]]


@contextmanager
def replaced(*changes: tuple[ModuleType, Mapping[str, Any]]) -> Iterator[None]:
    """Module attributes by name; what the analyzer remembers is forgotten before and after, and no word takes
    the short cut of plain ones, which knows of no rule that is off."""
    changes = (*changes, (passages, {"is_plain": lambda word: False}))
    before = [(module, {name: getattr(module, name) for name in names}) for module, names in changes]
    try:
        _put(changes)
        yield
    finally:
        _put(before)


def _put(changes: Any) -> None:
    for module, values in changes:
        for name, value in values.items():
            getattr(module, name)  # a name that is gone is an error, not a rule without effect
            setattr(module, name, value)
    for remembering in (text.known, passages._packed, question._asked, question._shares):
        remembering.cache_clear()


def _only_whole(whole: str, *_: object) -> Form:
    return Form(whole)


def _without(**fields: tuple[()]) -> Callable[[str, Any], Form]:
    def form(token: str, stem: Any) -> Form:
        made = _FORM(token, stem)
        kept = {name: getattr(made, name) for name in ("whole", "folded", "stems", "fragments")}
        return Form(**{**kept, **fields}, identifier=made.identifier, figure=made.figure)

    return form


def _in_both(**names: object) -> tuple[tuple[ModuleType, Mapping[str, object]], ...]:
    return (text, names), (question, names)


def _as_it_is(value: str) -> str:
    return value


_FORM = words.form

RULES = (
    Rule("nothing", SETS, replaced),
    Rule("W2 stems", WORDS, partial(replaced, *_in_both(form=_without(stems=())))),
    Rule("W2 the word as typed above its stem", WORDS, partial(replaced, (question, {"STEM_SHARE": 1.0}))),
    Rule("W2 spellings without accents", ACCENTS, partial(replaced, *_in_both(form=_without(folded=())))),
    Rule(
        "W3 one spelling (case, width, composition)",
        (*WORDS, "cmrc2018-zh"),
        partial(replaced, (words, {"normalise": _as_it_is, "same": _as_it_is})),
    ),
    Rule("W4 names in parts", NAMES, partial(replaced, (words, {"_name": _only_whole}))),
    Rule("W4 compounds in parts", WORDS, partial(replaced, (words, {"_compound": _only_whole}))),
    Rule(
        "W5 figures with their unit or sign",
        FIGURES,
        partial(replaced, (words, {"figure": lambda token: None, "join_spaced": _as_it_is})),
    ),
    Rule(
        "W6 words inside scripts without spaces",
        ("cmrc2018-zh",),
        partial(replaced, (scripts, {"has_inner_words": lambda token: False})),
    ),
    Rule("W7 dropping frequent words", WORDS, partial(replaced, (halves, {"FREQUENT_SHARE": 1.0}))),
    Rule("W7 little weight for common words", WORDS, partial(replaced, (question, {"COMMON_WEIGHT": 1.0}))),
)
