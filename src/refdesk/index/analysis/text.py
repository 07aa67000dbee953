"""A text as terms. Each distinct word is analyzed once and remembered: a book has few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

from refdesk.index.analysis import scripts
from refdesk.index.analysis.languages import stems_of
from refdesk.index.analysis.model import EXACT, FOLDED, PART, STEM, Analyzed, Form
from refdesk.index.analysis.words import Stem, chunks, form, tokens
from refdesk.index.memory import Memory

_REMEMBERED = 50_000
_REMEMBERED_LENGTH = 60

Terms = tuple[str, ...]


def analyze(text: str, languages: Sequence[str]) -> Analyzed:
    """The terms of a text whose languages are known (none: no stems)."""
    known = _known(tuple(languages))
    terms = Counter(chain.from_iterable(map(known.__getitem__, chunks(text))))
    return Analyzed(terms, sum(count for term, count in terms.items() if term[0] == EXACT))


class _Known(Memory[str, Terms]):
    """The terms of each chunk that was met, one of them exact for each of its words. Long ones are not
    remembered, nor runs of a script without spaces: they hardly come again."""

    def __init__(self, stem: Stem) -> None:
        super().__init__(self._terms, _REMEMBERED)
        self._stem = stem

    def __missing__(self, chunk: str) -> Terms:
        if len(chunk) > _REMEMBERED_LENGTH or scripts.has_inner_words(chunk):
            return self._terms(chunk)
        return super().__missing__(chunk)

    def _terms(self, chunk: str) -> Terms:
        if scripts.has_inner_words(chunk):
            return tuple(
                term for token in tokens(chunk) for run in scripts.runs(token) for term in self._run(run)
            )
        return tuple(term for token in tokens(chunk) for term in _terms(form(token, self._stem)))

    def _run(self, run: str) -> Sequence[str]:
        if scripts.is_korean(run):
            return _terms(scripts.korean(run))
        if scripts.has_inner_words(run):
            words = [EXACT + word for word in scripts.inner_words(run)]
            return words + [PART + character for character in run if scripts.is_word(character)]
        return self[run]


def _terms(form: Form) -> list[str]:
    terms = [EXACT + form.whole]
    terms += [FOLDED + word for word in form.folded]
    terms += [STEM + stem for stem in form.stems]
    terms += [PART + part for part, _ in form.fragments]
    return terms


@lru_cache(maxsize=32)
def _known(languages: tuple[str, ...]) -> _Known:
    return _Known(stems_of(languages))
