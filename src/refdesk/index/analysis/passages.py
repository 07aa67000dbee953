"""The terms of many passages at once, by their hashes: what an index keeps of a document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, chain, pairwise

import numpy as np
from numpy.typing import NDArray

from refdesk.index.analysis.languages import Stems
from refdesk.index.analysis.model import EXACT, STEM, Counted
from refdesk.index.analysis.text import REMEMBERED, known, may_come_again
from refdesk.index.analysis.words import bare, chunks, is_plain, tokens
from refdesk.index.hashed import HASHES, MOST_COUNTED, Hashed, term_hash
from refdesk.index.memory import Memory

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


class _Packed(Memory[str, bytes]):
    """Of each chunk the hashes of its terms, and behind them how many words it has. Words are remembered as
    well: most chunks that are new are a known word with other signs around it."""

    def __init__(self, languages: tuple[str, ...]) -> None:
        super().__init__(self._pack, REMEMBERED)
        self._terms = known(languages)
        self._stems = Stems(languages)
        self._words: Memory[str, bytes] = Memory(
            lambda word: self._pack_word(word, self._stems(word)), REMEMBERED
        )
        self._tokens = Memory(self._pack_token, REMEMBERED)

    def each(self, chunks: Sequence[str]) -> list[bytes]:
        """As of each chunk; what of them is new is made all at once, which takes less time."""
        distinct = dict.fromkeys(chunks)
        found = {chunk: packed for chunk in distinct if (packed := self.get(chunk)) is not None}
        new = [chunk for chunk in distinct if chunk not in found]
        found |= self._learned([chunk for chunk in new if may_come_again(chunk)])
        found |= {chunk: self._pack(chunk) for chunk in new if chunk not in found}
        return list(map(found.__getitem__, chunks))

    def _learned(self, chunks: Sequence[str]) -> dict[str, bytes]:
        plain: dict[str, str] = {}
        learned: dict[str, bytes] = {}
        for chunk, word in zip(chunks, map(bare, chunks), strict=True):
            if is_plain(word) and len(word) > 1:
                plain[chunk] = word.lower()
            else:
                learned[chunk] = self._pack_tokens(chunk)
        words = [word for word in dict.fromkeys(plain.values()) if word not in self._words]
        self._words.add(dict(zip(words, map(self._pack_word, words, self._stems.each(words)), strict=True)))
        learned |= {chunk: self._words[word] + _ONE for chunk, word in plain.items()}
        self.add(learned)
        return learned

    def __missing__(self, chunk: str) -> bytes:
        return super().__missing__(chunk) if may_come_again(chunk) else self._pack(chunk)

    def _pack(self, chunk: str) -> bytes:
        word = bare(chunk)
        if is_plain(word):
            return self._words[word.lower()] + _ONE
        if not may_come_again(chunk):
            terms = self._terms.terms(chunk)
            return _hashed(terms) + _number(sum([term[0] == EXACT for term in terms]))
        return self._pack_tokens(chunk)

    def _pack_tokens(self, chunk: str) -> bytes:
        """Of a chunk in a script with spaces."""
        found = tokens(chunk)
        return b"".join([self._tokens[token] for token in found]) + _number(len(found))

    def _pack_word(self, word: str, stems: Iterable[str]) -> bytes:
        return b"".join((term_hash(EXACT + word), *[HASHES[STEM + stem] for stem in stems]))

    def _pack_token(self, token: str) -> bytes:
        return _hashed(self._terms.of_token(token))


def _hashed(terms: Iterable[str]) -> bytes:
    return b"".join([HASHES[term] for term in terms])


def _number(number: int) -> bytes:
    return number.to_bytes(_WIDTH, "little")


@lru_cache(maxsize=32)
def _packed(languages: tuple[str, ...]) -> _Packed:
    return _Packed(languages)
