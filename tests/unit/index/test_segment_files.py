"""A file whose sections do not fit each other is damaged, before a compiled loop reads it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from refdesk.errors import Failed
from refdesk.index.local import files
from refdesk.index.local.hashes import term_hashes
from refdesk.index.local.part import Part
from refdesk.index.local.segment import Passages, Segment, build


def segment() -> Segment:
    return build(
        Passages(
            keys=np.arange(1, 4),
            documents=["a", "a", "b"],
            versions=np.ones(3, np.int64),
            positions=np.arange(3, dtype=np.uint32),
            words=np.ones(3, np.uint32),
            digests=np.zeros((3, 16), np.uint8),
            embedded=np.zeros(3, np.bool_),
            vectors=np.zeros((3, 0), np.int8),
            hashes=term_hashes(["=a", "=b", "=a"], 3),
            counts=np.ones(3, np.uint16),
            terms=np.ones(3, np.int64),
        )
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"counts": np.ones(2, np.uint16)},
        {"rows": np.zeros(3, ">u4")},
        {"rows": np.zeros(3, np.uint64)},
        {"words": np.ones(3, np.uint16)},
        {"lengths": np.ones(0, np.float32)},
        {"vectors": np.zeros((2, 4), np.int8)},
        {"signs": np.zeros((1, 2), np.uint64)},
        {"offsets": np.zeros(9, np.int64)},
    ],
)
def test_sections_that_do_not_fit_are_damage(tmp_path: Path, wrong: dict[str, np.ndarray]) -> None:
    files.write(tmp_path / "whole.segment", segment())
    assert len(files.read(tmp_path / "whole.segment")) == 3
    files.write(tmp_path / "wrong.segment", replace(segment(), **wrong))
    with pytest.raises(files.Damaged, match="fit"):
        files.read(tmp_path / "wrong.segment")


def test_a_passage_of_more_words_than_can_be_is_damage() -> None:
    words = np.array([1, 4_000_000_000, 1], np.uint32)
    with pytest.raises(Failed) as caught:
        Part(replace(segment(), words=words)).lengths(1.0)
    assert caught.value.code == "index_damaged"
