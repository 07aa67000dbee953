"""The local model: unit vectors, bit-equal however they are made, and a clear word when it can't be had."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from tests.unit.embedding.conftest import CONTENTS, small_model

from refdesk.embedding import LocalEmbedder, accounts, open_embedder
from refdesk.embedding.models import BGE_SMALL
from refdesk.errors import Failed, UsageError
from refdesk.settings import Settings

TEXTS = [
    "Refunds arrive within ten working days.",
    "The turbine's blades are inspected every spring.",
    "Warranty\nThe guarantee covers parts for two years. " * 9,
    "",
    "价格表 €49.99 — ñandú 😀",
    "word " * 3_000,
]


def test_rows_are_unit_vectors_of_the_right_shape(bge: LocalEmbedder) -> None:
    vectors = bge.passages(TEXTS)
    assert vectors.shape == (len(TEXTS), BGE_SMALL.dimensions)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)
    assert bge.passages([]).shape == (0, BGE_SMALL.dimensions)


def test_vectors_are_bit_equal_in_any_order_alone_and_beside_others(bge: LocalEmbedder) -> None:
    texts = TEXTS[:5]
    vectors = bge.passages(texts)
    assert np.array_equal(bge.passages(texts[::-1])[::-1], vectors)
    assert all(np.array_equal(bge.passages([text])[0], row) for text, row in zip(texts, vectors, strict=True))
    one_thread = LocalEmbedder(BGE_SMALL, bge._folder, threads=1)
    assert np.array_equal(one_thread.passages(texts), vectors)
    with ThreadPoolExecutor(4) as pool:
        assert all(np.array_equal(made, vectors) for made in pool.map(bge.passages, [texts] * 4))


def test_nearest_is_what_answers(bge: LocalEmbedder) -> None:
    cosines = bge.passages(TEXTS[:3]) @ bge.question("When do I get my money back?")
    assert int(np.argmax(cosines)) == 0


def test_a_question_is_prefixed_and_a_passage_is_not(bge: LocalEmbedder) -> None:
    text = TEXTS[0]
    assert np.array_equal(bge.question(text), bge.passages([BGE_SMALL.question_prefix + text])[0])
    assert not np.array_equal(bge.question(text), bge.passages([text])[0])
    assert bge.fingerprint.question_prefix == BGE_SMALL.question_prefix


def test_nul_and_lone_surrogates_are_removed(bge: LocalEmbedder) -> None:
    plain, dirty = "before after", "before\x00 \ud800af\udfffter"
    assert np.array_equal(*bge.passages([plain, dirty]))
    assert np.array_equal(bge.question(plain), bge.question(dirty))


def test_text_past_the_window_changes_nothing(bge: LocalEmbedder) -> None:
    assert np.array_equal(*bge.passages(["word " * 600, "word " * 600 + "refund"]))


def test_progress_counts_each_text_once(bge: LocalEmbedder) -> None:
    told: list[int] = []
    bge.passages(TEXTS[:2], told.append)
    assert sum(told) == 2


def test_an_interrupted_run_stops_at_once(bge: LocalEmbedder) -> None:
    done = []

    def interrupt(count: int) -> None:
        done.append(count)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bge.passages(TEXTS[:2] * 10_000, interrupt)
    assert done == [1]


def test_files_that_are_missing_or_wrong_are_named(tmp_path: Path) -> None:
    embedder = LocalEmbedder(small_model(), tmp_path)
    assert embedder.passages([]).shape == (0, 4)
    with pytest.raises(Failed, match=r"model\.onnx is not there; run `refdesk models pull`") as caught:
        embedder.question("anything")
    assert caught.value.code == "embedding_unavailable"
    (tmp_path / "model.onnx").write_bytes(b"other")
    with pytest.raises(Failed, match=r"model\.onnx does not verify"):
        embedder.passages(["anything"])


def test_verified_files_that_do_not_load_are_our_failure(tmp_path: Path) -> None:
    for name, content in CONTENTS.items():
        (tmp_path / name).write_bytes(content)
    with pytest.raises(Failed) as caught:
        LocalEmbedder(small_model(), tmp_path).question("anything")
    assert caught.value.code == "embedding_unavailable"


def test_the_extra_is_named_where_it_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, content in CONTENTS.items():
        (tmp_path / name).write_bytes(content)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(Failed, match=r"pip install 'refdesk\[local\]'") as caught:
        LocalEmbedder(small_model(), tmp_path).question("anything")
    assert caught.value.code == "embedding_unavailable"
    monkeypatch.setattr(accounts, "find_spec", lambda name: None)
    with pytest.raises(Failed, match=r"pip install 'refdesk\[local\]'"):
        open_embedder("local", Settings(cache=tmp_path))


def test_accounts(tmp_path: Path, bge: LocalEmbedder) -> None:
    with pytest.raises(UsageError, match="'elsewhere'"):
        open_embedder("elsewhere", Settings(cache=tmp_path))
    with pytest.raises(Failed, match="`refdesk models pull`") as caught:
        open_embedder("local", Settings(cache=tmp_path))
    assert caught.value.code == "embedding_unavailable"
    opened = open_embedder("local", Settings())
    assert opened is open_embedder("local", Settings()), "loaded weights are shared"
    assert opened.fingerprint == bge.fingerprint
