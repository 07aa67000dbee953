"""The terms of many passages at once, by their hashes: what an index keeps of a document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, chain, compress, islice, pairwise

import numpy as np
from numpy.typing import NDArray

from refdesk.index.analysis.languages import Stems
from refdesk.index.analysis.model import EXACT, STEM, Counted
from refdesk.index.analysis.scripts import has_inner_words
from refdesk.index.analysis.text import REMEMBERED, known, may_come_again
from refdesk.index.analysis.words import bare, chunks, is_plain, tokens
from refdesk.index.hashed import HASHES, MOST_COUNTED, Hashed, hash_each
from refdesk.index.memory import Remembered

_WIDTH = 8
"""Bytes of a hash."""
_ONE = (1).to_bytes(_WIDTH, "little")

Numbers = NDArray[np.uint64]
Places = NDArray[np.int64]


def analyze_passages(texts: Sequence[str], languages: Sequence[str]) -> list[Counted]:
    """As ``analyze`` makes them of each."""
    packed = _packed(tuple(languages))
    cut = [chunks(text) for text in texts]
    every = list(chain.from_iterable(cut))
    found = packed.each(every)
    numbers = np.frombuffer(b"".join(found), "<u8")
    lasts = np.cumsum(np.fromiter(map(len, found), np.int64, len(found)) // _WIDTH) - 1
    bounds = np.fromiter(accumulate(map(len, cut), initial=0), np.int64, len(cut) + 1)
    words = np.diff(_sums(numbers[lasts])[bounds]).tolist()
    terms = _counted(np.delete(numbers, lasts), np.append(0, lasts - np.arange(len(lasts)))[bounds])
    return list(map(Counted, terms, words))


def _sums(numbers: Numbers) -> Places:
    return np.append(0, np.cumsum(numbers, dtype=np.int64))


def _counted(hashes: Numbers, bounds: Places) -> list[Hashed]:
    """Of each text, whose hashes stand between two of ``bounds``; their order becomes another."""
    first = np.ones(len(hashes), np.bool_)
    for start, end in pairwise(bounds.tolist()):
        hashes[start:end].sort()
    np.not_equal(hashes[1:], hashes[:-1], out=first[1:])
    first[bounds[bounds < len(hashes)]] = True
    places = np.flatnonzero(first)
    counts = np.minimum(np.diff(np.append(places, len(hashes))), MOST_COUNTED)
    every, often = hashes[places].astype("<u8").tobytes(), counts.astype("<u2").tobytes()
    ends = np.searchsorted(places, bounds).tolist()
    return [Hashed(every[8 * start : 8 * end], often[2 * start : 2 * end]) for start, end in pairwise(ends)]


class _Packed:
    """Of each chunk the hashes of its terms, and behind them how many words it has. Words and tokens are
    remembered as well: most chunks that are new are a known word with other signs around it."""

    def __init__(self, languages: tuple[str, ...]) -> None:
        self._terms = known(languages)
        self._stems = Stems(languages)
        self.chunks = _Chunks(REMEMBERED)
        self.words: Remembered[str, bytes] = Remembered(REMEMBERED)
        self.tokens: Remembered[str, bytes] = Remembered(REMEMBERED)

    def each(self, chunks: Sequence[str]) -> list[bytes]:
        return self.chunks.each(chunks, self._of_chunks)

    def _of_chunks(self, chunks: Sequence[str]) -> list[bytes]:
        words = list(map(bare, chunks))
        plain = [is_plain(word) and len(word) > 1 for word in words]
        small = [word.lower() for word in compress(words, plain)]
        of_words = iter(self.words.each(small, self._of_words))
        of_others = self._of_others([chunk for chunk, its in zip(chunks, plain, strict=True) if not its])
        return [next(of_words) + _ONE if its else next(of_others) for its in plain]

    def _of_words(self, words: Sequence[str]) -> list[bytes]:
        """Of plain words in small letters."""
        stems = self._stems.each(words)
        exact = hash_each([EXACT + word for word in words])
        of_stems = iter(hash_each([STEM + stem for some in stems for stem in some]))
        return [one + b"".join(islice(of_stems, len(some))) for one, some in zip(exact, stems, strict=True)]

    def _of_others(self, chunks: Sequence[str]) -> Iterator[bytes]:
        cut = [None if has_inner_words(chunk) else tokens(chunk) for chunk in chunks]
        every = list(chain.from_iterable(filter(None, cut)))
        of_tokens = iter(self.tokens.each(every, self._of_tokens))
        for chunk, its in zip(chunks, cut, strict=True):
            if its is None:
                terms = self._terms.terms(chunk)
                yield _hashed(terms) + _number(sum([term[0] == EXACT for term in terms]))
            else:
                yield b"".join(islice(of_tokens, len(its))) + _number(len(its))

    def _of_tokens(self, tokens: Sequence[str]) -> list[bytes]:
        """In a script with spaces."""
        terms = self._terms.of_tokens(tokens)
        hashes = iter(hash_each(list(chain.from_iterable(terms))))
        return [b"".join(islice(hashes, len(some))) for some in terms]


class _Chunks(Remembered[str, bytes]):
    worth = staticmethod(may_come_again)


def _hashed(terms: Iterable[str]) -> bytes:
    return b"".join([HASHES[term] for term in terms])


def _number(number: int) -> bytes:
    return number.to_bytes(_WIDTH, "little")


@lru_cache(maxsize=32)
def _packed(languages: tuple[str, ...]) -> _Packed:
    return _Packed(languages)
