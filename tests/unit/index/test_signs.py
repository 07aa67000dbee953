"""Vectors of a large segment: bits choose what is compared, every score is exact."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from refdesk.index.local import files, signs
from refdesk.index.local.part import Part
from refdesk.index.local.scrub import scrub
from refdesk.index.local.segment import EMBEDDED, Passages, Segment, build, combine
from refdesk.index.local.view import View

DIMENSIONS = 200  # the last of its 64-bit words is not full
COUNT = signs.FROM + 1_000
CLUSTERS = 1_000
QUESTIONS = 40

Floats = NDArray[np.float32]

pytestmark = pytest.mark.usefixtures("loops")


def clustered(count: int, seed: int) -> Floats:
    """Around centres that share a direction, as the vectors of embedding models do."""
    random = np.random.default_rng(seed)
    shared = random.standard_normal(DIMENSIONS)
    centres = np.random.default_rng(0).standard_normal((CLUSTERS, DIMENSIONS)) + shared
    near = centres[random.integers(CLUSTERS, size=count)] + random.standard_normal((count, DIMENSIONS)) * 0.7
    unit: Floats = (near / np.linalg.norm(near, axis=1, keepdims=True)).astype(np.float32)
    return unit


def segment_of(vectors: Floats, first_key: int = 1) -> Segment:
    count = len(vectors)
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    return build(
        Passages(
            keys=np.arange(first_key, first_key + count),
            documents=["a"] * count,
            versions=np.ones(count, np.int64),
            positions=np.arange(first_key, first_key + count, dtype=np.uint32),
            words=np.ones(count, np.uint32),
            digests=np.zeros((count, 16), np.uint8),
            embedded=np.ones(count, np.bool_),
            vectors=np.rint(vectors * (127 / largest)).astype(np.int8),
            hashes=np.empty(0, np.uint64),
            counts=np.empty(0, np.uint16),
            terms=np.zeros(count, np.int64),
        )
    )


@pytest.fixture(scope="module")
def segment() -> Segment:
    return segment_of(clustered(COUNT, 1))


@pytest.fixture(scope="module")
def questions() -> Floats:
    return clustered(QUESTIONS, 2)


def brute(segment: Segment, question: Floats, without: NDArray[np.int64] | None = None) -> list[int]:
    """Keys, best first, by the bytes as they are kept."""
    rows = segment.vectors.astype(np.float64)
    cosines = rows @ question / np.linalg.norm(rows, axis=1)
    if without is not None:
        cosines[without] = -2
    return segment.keys[np.lexsort((segment.positions, -cosines))].tolist()


def found(view: View, question: Floats, k: int) -> list[int]:
    return [one.key for one in view.nearest(question, k, None, None)]


def recall(view: View, segment: Segment, questions: Floats, k: int) -> float:
    return float(np.mean([len({*found(view, q, k)} & {*brute(segment, q)[:k]}) / k for q in questions]))


@pytest.mark.req("SRCH1")
def test_bits_find_what_comparing_everything_finds(segment: Segment, questions: Floats) -> None:
    assert len(segment.signs)
    view = View([Part(segment)])
    assert recall(view, segment, questions, 10) >= 0.98
    assert recall(view, segment, questions, 108) >= 0.93  # what is outside a cluster is equally far here


def test_what_is_proposed_is_about_as_much_as_was_asked_for(segment: Segment, questions: Floats) -> None:
    everything = np.ones(len(segment), np.bool_)
    for question in questions:
        rows = signs.proposed(segment.signs, segment.centre, question, everything, 5_000)
        assert 5_000 <= len(rows) <= 7_000


def test_a_score_is_the_cosine_of_every_byte(segment: Segment, questions: Floats) -> None:
    few = segment_of(np.zeros((0, DIMENSIONS), np.float32))
    for question in questions[:5]:
        for one in View([Part(segment), Part(few)]).nearest(question, 20, None, None):
            row = segment.vectors[one.key - 1].astype(np.float64)
            assert one.score == pytest.approx(float(row @ question / np.linalg.norm(row)), abs=1e-6)


def test_what_is_deleted_is_never_proposed_and_takes_no_place(segment: Segment, questions: Floats) -> None:
    question = questions[0]
    gone = np.array(brute(segment, question)[:9_000]) - 1
    dead = np.zeros(len(segment), np.bool_)
    dead[gone] = True
    view = View([Part(segment, dead)])
    keys = found(view, question, 10)
    assert len(keys) == 10
    assert not {*keys} & {*(gone + 1).tolist()}
    assert set(keys) <= {*brute(segment, question, gone)[:30]}


def test_passages_without_a_vector_are_not_found(segment: Segment, questions: Floats) -> None:
    flags = segment.flags.copy()
    flags[::2] = 0
    part = Part(replace(segment, flags=flags))
    assert all(key % 2 == 0 for key in found(View([part]), questions[0], 50))
    assert len(found(View([part]), questions[0], 50)) == 50


def test_a_list_goes_on_in_the_order_of_everything(segment: Segment, questions: Floats) -> None:
    view = View([Part(segment)])
    question = questions[1]
    head = view.nearest(question, 30, None, None)
    more = view.nearest(question, 60, None, head[-1])
    every = brute(segment, question)
    place = every.index(head[-1].key)
    assert [one.key for one in more] == every[place + 1 : place + 61]
    assert not {one.key for one in more} & {one.key for one in head}


def test_a_long_list_is_of_everything(segment: Segment, questions: Floats) -> None:
    view = View([Part(segment)])
    assert found(view, questions[2], 1_000) == brute(segment, questions[2])[:1_000]


def test_merged_segments_find_what_one_finds(segment: Segment, questions: Floats) -> None:
    vectors = clustered(COUNT, 1)
    half = COUNT // 2
    parts = [segment_of(vectors[:half]), segment_of(vectors[half:], half + 1)]
    assert not any(len(part.signs) for part in parts)
    merged = combine(parts, [None, None])
    for question in questions:
        assert found(View([Part(merged)]), question, 20) == found(View([Part(segment)]), question, 20)
    dead = np.zeros(half, np.bool_)
    dead[:2_000] = True
    assert not len(combine(parts, [dead, None]).signs)  # too few are left


def test_a_file_holds_the_bits_and_is_scrubbed_of_the_deleted(segment: Segment, tmp_path: Path) -> None:
    path = tmp_path / "1.segment"
    files.write(path, segment)
    read = files.read(path)
    assert np.array_equal(read.signs, segment.signs)
    assert np.array_equal(read.centre, segment.centre)
    dead = np.zeros(len(segment), np.bool_)
    dead[7] = True
    assert read.signs[:, 7].any()
    scrub(path, dead)
    assert not read.signs[:, 7].any()
    assert not (read.flags[7] & EMBEDDED)


@pytest.mark.req("SRCH4")
def test_the_deadline_holds(segment: Segment, questions: Floats) -> None:
    with pytest.raises(TimeoutError):
        View([Part(segment)]).nearest(questions[0], 10, time.monotonic() - 1, None)
