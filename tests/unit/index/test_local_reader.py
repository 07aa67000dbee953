"""What a reader loads again of the passages that are in no file, and what it must not keep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from refdesk.index.local import LocalIndex, generation, truth
from refdesk.index.local import index as local_index
from refdesk.index.local.segment import Passages
from refdesk.index.model import Entry, Weighted

Loaded = list[int]
_TERMS = [Weighted("=word", 1.0, "exact")]


def entries(passages: int) -> list[Entry]:
    terms = Counter(["=word"])
    return [Entry(at, "word", "", None, 0, 0, bytes(16), terms, 1, None) for at in range(1, passages + 1)]


def documents(index: LocalIndex) -> list[str]:
    found = index.keyword(_TERMS, index.statistics(["=word"]), 100)
    return sorted({candidate.document for candidate in found})


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> Loaded:
    """How many passages were loaded from the truth, each time."""
    sizes: Loaded = []
    passages: Callable[..., Passages | None] = truth.passages

    def counted(*given: object) -> Passages | None:
        found = passages(*given)
        sizes.append(len(found.keys) if found else 0)
        return found

    monkeypatch.setattr(truth, "passages", counted)
    return sizes


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LocalIndex:
    """With a file of one document and a tail of two."""
    monkeypatch.setattr(generation, "TAIL", 7)
    made = LocalIndex(tmp_path / "base")
    for name, passages in (("filed", 8), ("first", 3), ("second", 3)):
        made.put(name, 1, entries(passages))
    assert documents(made) == ["filed", "first", "second"]
    return made


@pytest.mark.parametrize("gone", ["filed", "first"])
def test_who_saw_a_deletion_keeps_the_tail_when_it_is_tidied(
    index: LocalIndex, loaded: Loaded, gone: str
) -> None:
    index.drop(gone)
    index.tidy()
    left = sorted({"filed", "first", "second"} - {gone})
    assert documents(index) == left
    assert set(loaded) == {0}
    index.put("third", 1, entries(1))
    assert documents(index) == [*left, "third"]
    assert sum(loaded) == 1


@pytest.mark.req("D7")
@pytest.mark.parametrize("gone", ["filed", "first"])
def test_who_did_not_see_a_deletion_before_it_was_tidied_keeps_nothing_of_it(
    index: LocalIndex, tmp_path: Path, gone: str
) -> None:
    other = LocalIndex(tmp_path / "base")
    other.drop(gone)
    other.tidy()
    left = sorted({"filed", "first", "second"} - {gone})
    assert documents(index) == left
    assert documents(other) == left


@pytest.mark.req("ING2")
def test_a_tail_that_became_a_file_is_no_tail_any_more(index: LocalIndex, tmp_path: Path) -> None:
    other = LocalIndex(tmp_path / "base")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(generation, "_LOOSE", 1)
        other.merge(100)
    assert documents(index) == ["filed", "first", "second"]
    assert index.statistics(["=word"]).passages == 14


@pytest.mark.req("ING6")
@pytest.mark.parametrize("tail", [1, 100])
def test_a_turn_to_another_model_that_is_cut_leaves_no_vector_to_read(
    index: LocalIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tail: int
) -> None:
    """Neither of a file nor of the tail, nor in a reader that holds them."""
    monkeypatch.setattr(generation, "TAIL", tail)
    vector = np.array([1, 0], np.float32)
    index.put("embedded", 1, [replace(entries(1)[0], vector=vector)], "a model")
    reader = LocalIndex(tmp_path / "base")
    assert reader.nearest(vector, 9)

    def cut(*given: object) -> None:
        raise OSError("no room")

    with monkeypatch.context() as cutting:
        cutting.setattr(local_index, "rebuild", cut)
        with pytest.raises(OSError, match="no room"):
            index.turn_to("another model")
    for one in (reader, LocalIndex(tmp_path / "base")):
        assert not one.nearest(vector, 9)
        assert len(documents(one)) == 4
    index.put("more", 1, entries(1))
    index.tidy()
    assert len(documents(reader)) == 5
