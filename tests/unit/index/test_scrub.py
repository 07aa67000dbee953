"""What a scrubbed file holds: all of the living, nothing of the dead, whatever died before or together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refdesk.index.local import files
from refdesk.index.local.arrays import Mask
from refdesk.index.local.scrub import scrub
from refdesk.index.local.segment import DEAD, SECTIONS, Passages, Segment, build
from refdesk.index.local.vectors import cosines

_CHANGED = files.changed
_TERMS = st.lists(st.frozensets(st.integers(1, 12)), min_size=1, max_size=8)
_DEATHS = st.lists(st.frozensets(st.integers(0, 7)), min_size=1, max_size=4)


def _segment(terms: Sequence[frozenset[int]]) -> Segment:
    passages = len(terms)
    hashes = np.array([term for some in terms for term in sorted(some)], np.uint64)
    return build(
        Passages(
            keys=np.arange(1, passages + 1, dtype=np.int64),
            documents=[f"document {row // 2}" for row in range(passages)],
            versions=np.ones(passages, np.int64),
            positions=np.arange(passages, dtype=np.uint32),
            words=np.full(passages, 9, np.uint32),
            digests=np.full((passages, 16), 7, np.uint8),
            embedded=np.ones(passages, np.bool_),
            vectors=np.full((passages, 4), 5, np.int8),
            hashes=hashes,
            counts=np.full(len(hashes), 3, np.uint16),
            terms=np.array(list(map(len, terms)), np.int64),
        )
    )


def _held(segment: Segment, term: int) -> set[int]:
    (start,), (end,) = segment.find(np.array([term], np.uint64))
    counted = segment.counts[start:end] > 0
    return set(segment.rows[start:end][counted].tolist())


def _assert_scrubbed(segment: Segment, terms: Sequence[frozenset[int]], dead: Mask) -> None:
    """All of the living is in it, and nothing of the dead."""
    living = {row for row in range(len(terms)) if not dead[row]}
    for term in range(1, 13):
        assert _held(segment, term) == {row for row in living if term in terms[row]}
    assert set(segment.hashes.tolist()) <= {0, *(term for row in living for term in terms[row])}
    assert len(segment.counts.nonzero()[0]) == sum(len(terms[row]) for row in living)
    assert not set(segment.rows[segment.counts == 0].tolist()) - {0}
    for section in (segment.words, segment.versions, segment.positions, segment.digests, segment.vectors):
        assert not section[dead].any()
    assert not segment.signs[:, dead].any()
    assert np.isinf(segment.lengths[dead]).all()
    assert np.isfinite(segment.lengths[~dead]).all()
    assert (segment.flags[dead] == DEAD).all()
    names = {f"document {row // 2}" for row in living}
    found = [segment.name(place) for place in range(len(segment.name_ends))]
    assert {name for name in found if name.strip("\0")} == names


def _assert_unharmed(segment: Segment, terms: Sequence[frozenset[int]], dead: Mask) -> None:
    """The living passages are as they were put, and are found for their words alone."""
    whole = _segment(terms)
    for term in range(1, 13):
        found = {row for row in _held(segment, term) if not dead[row]}
        assert found == {row for row in range(len(terms)) if not dead[row] and term in terms[row]}
    for row in np.flatnonzero(~dead):
        assert segment.name(segment.documents[row]) == whole.name(whole.documents[row])
    for section in ("keys", "words", "versions", "positions", "digests", "flags", "vectors", "lengths"):
        assert np.array_equal(getattr(segment, section)[~dead], getattr(whole, section)[~dead])


class _Cut(BaseException):
    """A process ends here."""


def _is_cut(path: Path, dead: Mask, changed: Callable[[Path], AbstractContextManager[Segment]]) -> bool:
    """Whether a scrub ends before its end where it changes the file so."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "changed", changed)
        try:
            scrub(path, dead)
        except _Cut:
            return True
    return False


def _killed(path: Path, dead: Mask, after: int) -> bool:
    """A scrub that stops before an assignment, after so many; whether it came to it."""
    left = after

    class Stopping(np.ndarray[Any, Any]):
        def __setitem__(self, key: Any, value: Any) -> None:
            nonlocal left
            if not left:
                raise _Cut
            left -= 1
            super().__setitem__(key, value)

    @contextmanager
    def changed(path: Path) -> Iterator[Segment]:
        with _CHANGED(path) as segment:
            yield replace(segment, **{name: getattr(segment, name).view(Stopping) for name in SECTIONS})

    return _is_cut(path, dead, changed)


def _without_power(path: Path, dead: Mask, flushes: int, seed: int) -> bool:
    """A scrub of which so many flushes ended, and of the next any part is on disk; whether it came to it."""
    left, chance = flushes, np.random.default_rng(seed)

    @contextmanager
    def changed(path: Path) -> Iterator[Segment]:
        nonlocal left
        with _CHANGED(path) as segment:
            arrays = {name: getattr(segment, name).copy() for name in SECTIONS}
            yield replace(segment, **arrays)
            share = 1.0 if left else chance.choice([0.1, 0.5, 0.9])
            for name, array in arrays.items():
                written = (array != getattr(segment, name)) & (chance.random(array.shape) <= share)
                getattr(segment, name)[written] = array[written]
        if not left:
            raise _Cut
        left -= 1

    return _is_cut(path, dead, changed)


def _dead(rows: Iterable[int], passages: int) -> Mask:
    dead = np.zeros(passages, np.bool_)
    dead[[row for row in rows if row < passages]] = True
    return dead


@pytest.mark.req("D7")
@settings(deadline=None)
@given(_TERMS, _DEATHS)
def test_a_scrubbed_file_has_all_of_the_living_and_nothing_of_the_dead(
    terms: list[frozenset[int]], deaths: list[frozenset[int]]
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.segment"
        files.write(path, _segment(terms))
        dead = _dead((), len(terms))
        for rows in deaths:
            dead |= _dead(rows, len(terms))
            scrub(path, dead)
            _assert_scrubbed(files.read(path), terms, dead)


_CUT_TERMS = [frozenset({5, 6}), frozenset({1, 2, 7, 8}), frozenset({2, 3}), frozenset({4, 8, 9})]


@pytest.mark.req("D7")
@pytest.mark.parametrize("earlier", [(), (0,), (3,)])
@pytest.mark.parametrize("now", [(0,), (1,), (1, 2), (0, 1)])
def test_a_scrub_that_is_killed_at_any_point_harms_nothing_and_is_done_again(
    tmp_path: Path, earlier: tuple[int, ...], now: tuple[int, ...]
) -> None:
    before, dead = _dead(earlier, 4), _dead((*earlier, *now), 4)
    for after in count():
        path = tmp_path / f"{after}.segment"
        files.write(path, _segment(_CUT_TERMS))
        scrub(path, before)
        cut = _killed(path, dead, after)
        _assert_unharmed(files.read(path), _CUT_TERMS, dead)
        scrub(path, dead)
        _assert_scrubbed(files.read(path), _CUT_TERMS, dead)
        if not cut:
            break
    assert after > len(SECTIONS) // 2


@pytest.mark.req("D7")
@settings(deadline=None)
@given(_TERMS, _DEATHS, st.integers(0, 2), st.integers(0, 2**32))
def test_whatever_of_a_scrub_a_power_failure_leaves_harms_nothing_and_is_done_again(
    terms: list[frozenset[int]], deaths: list[frozenset[int]], flushes: int, seed: int
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.segment"
        files.write(path, _segment(terms))
        dead = _dead((), len(terms))
        for rows in deaths:
            dead |= _dead(rows, len(terms))
            assert _without_power(path, dead, flushes, seed)
            _assert_unharmed(files.read(path), terms, dead)
            scrub(path, dead)
            _assert_scrubbed(files.read(path), terms, dead)


def test_a_vector_that_was_read_before_it_was_scrubbed_has_no_cosine_above_one(tmp_path: Path) -> None:
    path = tmp_path / "a.segment"
    files.write(path, _segment(_CUT_TERMS))
    segment = files.read(path)
    read = segment.vectors.copy()
    scrub(path, _dead((1,), 4))
    assert cosines(read, segment.lengths, np.full(4, 0.5, np.float32)).tolist() == [1, 0, 1, 1]
