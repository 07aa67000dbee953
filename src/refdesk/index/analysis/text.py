"""A text as terms. Each distinct word is analyzed once and remembered, for a book has few of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from refdesk.index.analysis import scripts
from refdesk.index.analysis.characters import normalise, same
from refdesk.index.analysis.languages import Stems, stems_of
from refdesk.index.analysis.model import EXACT, FOLDED, PART, STEM, Analyzed, Form
from refdesk.index.analysis.words import TOKEN, form

_REMEMBERED = 100_000


def analyze(text: str, languages: Sequence[str]) -> Analyzed:
    """The terms of a text whose languages are known (none: no stems)."""
    return _analyzer(tuple(languages))(text)


class _TextAnalyzer:
    def __init__(self, stem: Stems) -> None:
        self._stem = stem
        self._known: dict[str, tuple[str, ...]] = {}

    def __call__(self, text: str) -> Analyzed:
        terms: dict[str, int] = {}
        words = 0
        seen, known = terms.get, self._known
        for token, count in Counter(TOKEN.findall(normalise(text))).items():
            found = known.get(token)
            if found is None:
                if scripts.has_inner_words(token):
                    words += count * self._add_runs(token, count, terms)
                    continue
                found = self._remember(token)
            words += count
            for term in found:
                terms[term] = seen(term, 0) + count
        return Analyzed(terms, words)

    def _remember(self, token: str) -> tuple[str, ...]:
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        found = self._known[token] = _terms(form(token, self._stem))
        return found

    def _add_runs(self, token: str, count: int, terms: dict[str, int]) -> int:
        """Adds the terms of a token of, or with, a script without spaces; its number of words."""
        words = 0
        for run in scripts.runs(token):
            if scripts.is_korean(run):
                found: Sequence[str] = _terms(scripts.korean(run))
                words += 1
            elif scripts.has_inner_words(run):
                inner = scripts.inner_words(same(run))
                found = [EXACT + word for word in inner]
                found += [PART + character for character in scripts.inner_characters(run)]
                words += len(inner)
            else:
                pieces = TOKEN.findall(run)
                found = [term for piece in pieces for term in _terms(form(piece, self._stem))]
                words += len(pieces)
            for term in found:
                terms[term] = terms.get(term, 0) + count
        return words


def _terms(form: Form) -> tuple[str, ...]:
    return (
        EXACT + form.whole,
        *(FOLDED + word for word in form.folded),
        *(STEM + stem for stem in form.stems),
        *(PART + part for part, _ in form.fragments),
    )


@lru_cache(maxsize=32)
def _analyzer(languages: tuple[str, ...]) -> _TextAnalyzer:
    return _TextAnalyzer(stems_of(languages))
