"""A segment as one view has it: with the rows that are dead."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from refdesk.errors import Failed
from refdesk.index.bm25 import K1, B
from refdesk.index.local.arrays import Mask, Places, Scores
from refdesk.index.local.segment import EMBEDDED, Segment

_MOST_WORDS = 2**24
Spans = tuple[Places, Places]
"""Where the postings of some terms begin and end."""


@dataclass(frozen=True)
class Part:
    """A segment and which of its rows are dead (``None``: none). It never changes, so what searches need of
    it is made once."""

    segment: Segment
    dead: Mask | None = None

    @classmethod
    def of(cls, segment: Segment) -> Part:
        return cls(segment, segment.dead())

    @cached_property
    def living(self) -> int:
        return len(self.segment) - len(self.dead_rows)

    @cached_property
    def dead_rows(self) -> Places:
        return np.empty(0, np.int64) if self.dead is None else np.flatnonzero(self.dead)

    @cached_property
    def words(self) -> int:
        words = self.segment.words
        return int(words.sum(dtype=np.int64)) - int(words.take(self.dead_rows).sum(dtype=np.int64))

    @cached_property
    def comparable(self) -> Mask | None:
        """The rows that are alive and have a vector; ``None``: all."""
        mask = (self.segment.flags & EMBEDDED) != 0
        mask[self.dead_rows] = False
        return None if mask.all() else mask

    def lengths(self, mean_words: float) -> Scores:
        """What BM25 adds below the line for a row of so many words, from none to the most that one has."""
        words: Scores = np.arange(self._most_words + 1, dtype=np.float64)
        return K1 * (1.0 - B + B * words / mean_words) if mean_words else np.full(len(words), K1)

    @cached_property
    def _most_words(self) -> int:
        """Raises ``Failed`` where it cannot be: a table by a damaged file's words might fill the memory."""
        most = int(self.segment.words.max(initial=0))
        if most > _MOST_WORDS:
            raise Failed(
                f"A file of the index says that a passage has {most} words: reindex the base.",
                code="index_damaged",
            )
        return most

    def without(self, keys: NDArray[np.int64]) -> Part:
        """The part after these of its passages were deleted; keys of others are ignored."""
        if not len(self.segment):
            return self
        places = np.minimum(np.searchsorted(self.segment.keys, keys), len(self.segment) - 1)
        places = places[self.segment.keys[places] == keys]
        if not len(places):
            return self
        dead = np.zeros(len(self.segment), np.bool_) if self.dead is None else self.dead.copy()
        dead[places] = True
        return Part(self.segment, dead)

    def holding(self, starts: Places, ends: Places) -> list[int]:
        """The living passages that hold each of some terms."""
        if self.dead is None:
            lengths: list[int] = (ends - starts).tolist()
            return lengths
        rows, counts, dead = self.segment.rows, self.segment.counts, self.dead
        return [
            int(np.count_nonzero(~dead.take(rows[start:end]) & (counts[start:end] > 0)))
            for start, end in zip(starts, ends, strict=True)
        ]
