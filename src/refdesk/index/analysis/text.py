"""A text as terms. Each distinct word is analyzed once and remembered: a book has few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from refdesk.index.analysis import scripts
from refdesk.index.analysis.languages import Stems, stems_of
from refdesk.index.analysis.model import EXACT, FOLDED, PART, STEM, Analyzed, Form
from refdesk.index.analysis.words import chunks, form, tokens

_REMEMBERED = 100_000
_REMEMBERED_LENGTH = 60

Found = tuple[list[str], int]


def analyze(text: str, languages: Sequence[str]) -> Analyzed:
    """The terms of a text whose languages are known (none: no stems)."""
    return _analyzer(tuple(languages))(text)


class _TextAnalyzer:
    def __init__(self, stem: Stems) -> None:
        self._stem = stem
        self._known: dict[str, Found] = {}

    def __call__(self, text: str) -> Analyzed:
        terms: dict[str, int] = {}
        words = 0
        seen, known = terms.get, self._known.get
        inner: list[str] = []
        for chunk, count in Counter(chunks(text)).items():
            found, length = known(chunk) or self._found(chunk, inner, count)
            words += count * length
            for term in found:
                terms[term] = seen(term, 0) + count
        return Analyzed(terms, words + _add_inner(inner, terms))

    def _found(self, chunk: str, inner: list[str], count: int) -> Found:
        """The terms of a chunk and its number of words, remembered where it is likely to come again; runs
        of a script without spaces go to ``inner``."""
        if scripts.has_inner_words(chunk):
            return self._beside_inner(chunk, inner, count)
        return self._plain(chunk)

    def _plain(self, chunk: str) -> Found:
        pieces = tokens(chunk)
        found = [term for piece in pieces for term in _terms(form(piece, self._stem))], len(pieces)
        if len(chunk) <= _REMEMBERED_LENGTH:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[chunk] = found
        return found

    def _beside_inner(self, chunk: str, inner: list[str], count: int) -> Found:
        found: list[str] = []
        words = 0
        for run in (run for token in tokens(chunk) for run in scripts.runs(token)):
            if scripts.is_korean(run):
                terms, length = _terms(scripts.korean(run)), 1
            elif scripts.has_inner_words(run):
                inner += [run] * count
                continue
            else:
                terms, length = self._known.get(run) or self._plain(run)
            found += terms
            words += length
        return found, words


def _add_inner(runs: list[str], terms: dict[str, int]) -> int:
    """Adds what stands inside the runs; gives its number of words."""
    words = [word for run in runs for word in scripts.inner_words(run)]
    for word, count in Counter(words).items():
        terms[EXACT + word] = count
    for character, count in Counter("".join(runs)).items():
        if scripts.is_word(character):
            terms[PART + character] = count
    return len(words)


def _terms(form: Form) -> list[str]:
    return [
        EXACT + form.whole,
        *(FOLDED + word for word in form.folded),
        *(STEM + stem for stem in form.stems),
        *(PART + part for part, _ in form.fragments),
    ]


@lru_cache(maxsize=32)
def _analyzer(languages: tuple[str, ...]) -> _TextAnalyzer:
    return _TextAnalyzer(stems_of(languages))
