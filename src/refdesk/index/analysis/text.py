"""A text as terms. Each distinct word is analyzed once and remembered: a book has few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

from refdesk.index.analysis import scripts
from refdesk.index.analysis.languages import KnownStems, known_stems
from refdesk.index.analysis.model import EXACT, FOLDED, PART, STEM, Analyzed, Form
from refdesk.index.analysis.words import chunks, form, tokens
from refdesk.index.memory import Memory

REMEMBERED = 50_000
_REMEMBERED_LENGTH = 60

Terms = tuple[str, ...]


def analyze(text: str, languages: Sequence[str]) -> Analyzed:
    """The terms of a text whose languages are known (none: no stems)."""
    terms = Counter(chain.from_iterable(map(known(tuple(languages)).__getitem__, chunks(text))))
    return Analyzed(terms, sum(count for term, count in terms.items() if term[0] == EXACT))


def may_come_again(chunk: str) -> bool:
    """Long ones hardly do, nor runs of a script without spaces."""
    return len(chunk) <= _REMEMBERED_LENGTH and not scripts.has_inner_words(chunk)


class Known(Memory[str, Terms]):
    """The terms of each chunk that was met, one of them exact for each of its words."""

    def __init__(self, stems: KnownStems) -> None:
        super().__init__(self.terms, REMEMBERED)
        self._stems = stems
        self._stem = stems.__getitem__

    worth = staticmethod(may_come_again)

    def terms(self, chunk: str) -> Terms:
        """Without remembering the chunk."""
        if scripts.has_inner_words(chunk):
            runs = chain.from_iterable(map(scripts.runs, tokens(chunk)))
            return tuple(chain.from_iterable(map(self._run, runs)))
        return tuple(chain.from_iterable(map(self.of_token, tokens(chunk))))

    def of_token(self, token: str) -> list[str]:
        """In a script with spaces; the first of the terms is the only exact one."""
        return _terms(form(token, self._stem))

    def of_tokens(self, tokens: Sequence[str]) -> list[list[str]]:
        """Of each, in less time."""
        self._stems.meet(tokens)
        return list(map(self.of_token, tokens))

    def _run(self, run: str) -> Sequence[str]:
        if scripts.is_korean(run):
            return _terms(scripts.korean(run))
        if scripts.has_inner_words(run):
            words = [EXACT + word for word in scripts.inner_words(run)]
            return words + [PART + character for character in run if scripts.is_word(character)]
        return self[run]


def _terms(form: Form) -> list[str]:
    whole, folded, stems, fragments, _, _ = form
    terms = [EXACT + whole]
    if folded:
        terms += [FOLDED + word for word in folded]
    if stems:
        terms += [STEM + stem for stem in stems]
    if fragments:
        terms += [PART + part for part, _ in fragments]
    return terms


@lru_cache(maxsize=32)
def known(languages: tuple[str, ...]) -> Known:
    return Known(known_stems(languages))
