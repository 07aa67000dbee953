"""The best of several bases, as if they were one."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.index.local import LocalIndex
from refdesk.index.model import Candidate
from refdesk.index.visibility import Live
from refdesk.search import Searched
from refdesk.search.guard import Guard
from refdesk.search.halves import SPARE, gather


class Some:
    """Lets documents with an even number through, and counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def live(self, wanted: Mapping[str, Collection[str]]) -> Mapping[str, Mapping[str, Live]]:
        self.asked += 1
        return {
            base: {name: Live(name, 1, name, name, None, {}) for name in names if int(name) % 2 == 0}
            for base, names in wanted.items()
        }


class Lists:
    """What each base proposes, in pages, and how much of it was fetched."""

    def __init__(self, lists: Mapping[str, list[Candidate]]) -> None:
        self.lists = lists
        self.fetched = dict.fromkeys(lists, 0)

    def bases(self, index: LocalIndex) -> list[Searched]:
        return [Searched(name, name, index) for name in self.lists]

    def __call__(self, base: Searched, k: int, after: Candidate | None) -> list[Candidate]:
        every = self.lists[base.id]
        start = every.index(after) + 1 if after else 0
        self.fetched[base.id] = max(self.fetched[base.id], min(start + k, len(every)))
        return every[start : start + k]


def candidates(base: int, scores: list[int]) -> list[Candidate]:
    """Every third has the text of the one before it."""
    return [
        Candidate(
            i, str(base * 1_000 + i), 1, 1, (base * 1_000 + i - (i % 3 == 2)).to_bytes(16, "big")[::-1], s
        )
        for i, s in enumerate(sorted(scores, reverse=True))
    ]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> LocalIndex:
    return LocalIndex(tmp_path_factory.mktemp("index") / "none")


@pytest.mark.req("SRCH1")
@given(
    lists=st.lists(st.lists(st.integers(1, 9), max_size=60), min_size=1, max_size=5),
    enough=st.integers(1, 30),
)
def test_several_bases_give_what_one_with_all_of_it_gives(
    index: LocalIndex, lists: list[list[int]], enough: int
) -> None:
    lists_of = Lists({str(base): candidates(base, scores) for base, scores in enumerate(lists)})
    seen = gather(lists_of.bases(index), Guard(Some()), lists_of, enough, None, strict=True)
    every = [one for proposed in lists_of.lists.values() for one in proposed]
    best = [one for one in sorted(every, key=lambda one: -one.score) if int(one.document) % 2 == 0]
    assert [candidate for _, candidate in seen] == best[: len(seen)]
    assert len({candidate.digest for _, candidate in seen}) >= min(enough, len({one.digest for one in best}))


def test_the_catalog_is_asked_once_for_all_bases(index: LocalIndex) -> None:
    chance = random.Random(1)
    lists_of = Lists({str(base): candidates(base, chance.choices(range(1, 99), k=90)) for base in range(50)})
    some = Some()
    seen = gather(lists_of.bases(index), Guard(some), lists_of, 4, None, strict=True)
    assert some.asked == 1
    assert len(seen) <= 4 + SPARE
    assert sum(lists_of.fetched.values()) < 50 * (4 + SPARE)
