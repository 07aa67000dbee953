"""The local index through any order of calls, with files made and merged after a few passages already."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from refdesk.index.bm25 import bm25
from refdesk.index.local import LocalIndex, generation, segment
from refdesk.index.model import Entry, Statistics, Weighted

WORDS = ("refund", "return", "policy")
DOCUMENTS = st.sampled_from(("a", "b", "c"))
VERSIONS = st.integers(1, 3)
ASKED = [Weighted("=refund", 1.0, "exact"), Weighted("=policy", 0.5, "exact")]
NAMES = [term.term for term in ASKED]


def entry(position: int, words: tuple[str, ...]) -> Entry:
    vector = np.array([words.count(word) + 0.1 for word in WORDS], np.float32)
    return Entry(
        position, " ".join(words), "", None, 0, 0, bytes(16), Counter(f"={w}" for w in words), len(words),
        vector / np.linalg.norm(vector),
    )  # fmt: skip


ENTRIES = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(tuple), max_size=4).map(
    lambda texts: [entry(i, words) for i, words in enumerate(texts, 1)]
)


class AnyOrder(RuleBasedStateMachine):
    """Two objects on one folder, as two processes would have: both must see every change at once."""

    @initialize(tail=st.integers(1, 6))
    def open(self, tail: int) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.limits = (
            mock.patch.multiple(generation, TAIL=tail, _LOOSE=2),
            mock.patch.multiple(segment, _GATHERED_AT_ONCE=3),
        )
        for limit in self.limits:
            limit.start()
        self.indexes = [LocalIndex(self.folder / "base"), LocalIndex(self.folder / "base")]
        self.held: dict[tuple[str, int], list[Entry]] = {}

    def teardown(self) -> None:
        for limit in self.limits:
            limit.stop()
        for index in self.indexes:
            index.close()
        shutil.rmtree(self.folder)

    @rule(by=st.sampled_from((0, 1)), document=DOCUMENTS, version=VERSIONS, entries=ENTRIES)
    def put(self, by: int, document: str, version: int, entries: list[Entry]) -> None:
        self.indexes[by].put(document, version, entries)
        self.held[document, version] = entries

    @rule(by=st.sampled_from((0, 1)), document=DOCUMENTS, below=st.none() | VERSIONS)
    def drop(self, by: int, document: str, below: int | None) -> None:
        self.indexes[by].drop(document, below)
        for place in list(self.held):
            if place[0] == document and (below is None or place[1] < below):
                del self.held[place]

    @rule(by=st.sampled_from((0, 1)))
    def tidy(self, by: int) -> None:
        self.indexes[by].tidy()

    @rule(by=st.sampled_from((0, 1)))
    def merge(self, by: int) -> None:
        self.indexes[by].merge(100)

    @rule(by=st.sampled_from((0, 1)))
    def reopen(self, by: int) -> None:
        self.indexes[by].close()

    @rule(by=st.sampled_from((0, 1)), pick=st.integers(0, 9))
    def lose_a_file(self, by: int, pick: int) -> None:
        segments = sorted((self.folder / "base").glob("*.segment"))
        if segments:
            segments[pick % len(segments)].unlink()
            self.indexes[by].close()

    @rule(by=st.sampled_from((0, 1)))
    def destroy(self, by: int) -> None:
        self.indexes[by].destroy()
        self.held.clear()

    @invariant()
    def both_find_what_is_held(self) -> None:
        every = {(d, e.position, v): e for (d, v), entries in self.held.items() for e in entries}
        statistics = Statistics(
            len(every),
            sum(one.words for one in every.values()),
            {term: sum(term in one.terms for one in every.values()) for term in NAMES},
        )
        scores = {place: bm25(ASKED, one.terms, one.words, statistics) for place, one in every.items()}
        best = sorted((place for place in scores if scores[place] > 0), key=lambda p: (-scores[p], p))
        vector = next(iter(every.values())).vector if every else np.ones(3, np.float32)
        cosines = sorted((float(one.vector @ vector) for one in every.values()), reverse=True)
        for index in self.indexes:
            assert index.statistics(NAMES) == statistics
            found = index.keyword(ASKED, statistics, 100)
            assert [(one.document, one.position, one.version) for one in found] == best
            assert [one.score for one in found] == pytest.approx([scores[place] for place in best])
            paged = index.keyword(ASKED, statistics, 3)
            while more := index.keyword(ASKED, statistics, 3, after=paged[-1] if paged else None):
                paged += more
            assert paged == found
            near = index.nearest(vector, 100)
            assert [one.score for one in near] == pytest.approx(cosines, abs=0.01)
            assert set(index.stored([one.key for one in near])) == {one.key for one in near}


TestAnyOrder = pytest.mark.req("ING2", "ING4")(AnyOrder.TestCase)
AnyOrder.TestCase.settings = settings(max_examples=40, stateful_step_count=20, deadline=None)
