"""What a scrubbed file holds: all of the living, nothing of the dead, whatever died before or together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.index.local import files
from refdesk.index.local.scrub import scrub
from refdesk.index.local.segment import DEAD, Passages, Segment, build

_TERMS = st.lists(st.frozensets(st.integers(1, 12)), min_size=1, max_size=8)
_DEATHS = st.lists(st.frozensets(st.integers(0, 7)), min_size=1, max_size=4)


def _segment(terms: Sequence[frozenset[int]]) -> Segment:
    count = len(terms)
    hashes = np.array([term for some in terms for term in sorted(some)], np.uint64)
    return build(
        Passages(
            keys=np.arange(1, count + 1, dtype=np.int64),
            documents=[f"document {row // 2}" for row in range(count)],
            versions=np.ones(count, np.int64),
            positions=np.arange(count, dtype=np.uint32),
            words=np.full(count, 9, np.uint32),
            digests=np.full((count, 16), 7, np.uint8),
            embedded=np.ones(count, np.bool_),
            vectors=np.full((count, 4), 5, np.int8),
            hashes=hashes,
            counts=np.full(len(hashes), 3, np.uint16),
            terms=np.array(list(map(len, terms)), np.int64),
        )
    )


def _held(segment: Segment, term: int) -> set[int]:
    (start,), (end,) = segment.find(np.array([term], np.uint64))
    counted = segment.counts[start:end] > 0
    return set(segment.rows[start:end][counted].tolist())


@pytest.mark.req("D7")
@given(_TERMS, _DEATHS)
def test_a_scrubbed_file_has_all_of_the_living_and_nothing_of_the_dead(
    terms: list[frozenset[int]], deaths: list[frozenset[int]]
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.segment"
        files.write(path, _segment(terms))
        dead = np.zeros(len(terms), np.bool_)
        for rows in deaths:
            dead[[row for row in rows if row < len(terms)]] = True
            scrub(path, dead)
            segment = files.read(path)
            living = {row for row in range(len(terms)) if not dead[row]}
            for term in range(1, 13):
                assert _held(segment, term) == {row for row in living if term in terms[row]}
            assert set(segment.hashes.tolist()) <= {0, *(term for row in living for term in terms[row])}
            assert len(segment.counts.nonzero()[0]) == sum(len(terms[row]) for row in living)
            assert not set(segment.rows[segment.counts == 0].tolist()) - {0}
            assert not segment.vectors[dead].any()
            assert (segment.flags[dead] == DEAD).all()


def test_a_scrub_that_was_cut_before_its_end_is_done_again(tmp_path: Path) -> None:
    path = tmp_path / "a.segment"
    files.write(path, _segment([frozenset({1, 2}), frozenset({2, 3})]))
    dead = np.array([True, False])
    with files.changed(path) as segment:  # as a scrub leaves it that dies early
        segment.counts[0] = 0
        segment.words[dead] = 0
    scrub(path, dead)
    scrubbed = files.read(path)
    assert set(scrubbed.hashes.tolist()) == {0, 2, 3}
    assert _held(scrubbed, 2) == _held(scrubbed, 3) == {1}
