"""Similarity: 0-1, in the cosine's order, and the same words for every known model."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from refdesk.embedding import LocalEmbedder, similarity
from refdesk.embedding.known import KNOWN
from refdesk.embedding.models import MODELS
from refdesk.testing.embedder import WordEmbedder

COSINES = [number / 100 for number in range(-100, 101)]


def test_a_known_model_rises_strictly_within_0_and_1(bge: LocalEmbedder) -> None:
    values = [similarity(bge.fingerprint, cosine) for cosine in COSINES]
    assert all(0 <= value <= 1 for value in values)
    assert all(below < above for below, above in pairwise(values))


def test_a_search_knows_every_model_that_is_run_here() -> None:
    assert KNOWN.keys() == MODELS.keys()


def test_on_topic_is_above_one_half_and_off_topic_below(bge: LocalEmbedder) -> None:
    passages = bge.passages(
        [
            "To pair the headset, hold the power button for five seconds until the light blinks blue.",
            "Annual leave must be requested two weeks ahead in the staff portal.",
        ]
    )
    on, off = (
        similarity(bge.fingerprint, float(cosine))
        for cosine in passages @ bge.question("How do I pair the headset with my phone?")
    )
    assert on > 0.75
    assert off < 0.25


@pytest.mark.parametrize(("cosine", "expected"), [(-0.4, 0.0), (0.0, 0.0), (0.61, 0.61), (1.0000001, 1.0)])
def test_without_a_calibration_it_is_the_cosine(cosine: float, expected: float) -> None:
    assert similarity(WordEmbedder().fingerprint, cosine) == expected


def test_a_calibration_is_for_local_models_alone(bge: LocalEmbedder) -> None:
    assert similarity(replace(bge.fingerprint, provider="elsewhere"), 0.5) == 0.5


def test_the_word_embedder_is_deterministic_and_knows_shared_words() -> None:
    embedder = WordEmbedder()
    vectors = embedder.passages(["The red apple", "the red car", "", "ist völlig anders"])
    assert vectors.shape == (4, 64)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0)
    assert np.array_equal(
        vectors, WordEmbedder().passages(["the RED apple", "the red car", "", "ist völlig anders"])
    )
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[3]
    assert np.array_equal(embedder.question("the red car"), vectors[1])
