"""Cached vectors: bit-equal, made once, kept when a run is interrupted."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from refdesk.embedding import CachedEmbedder, Vectors, cache_file
from refdesk.embedding.cache import CHECKPOINT
from refdesk.errors import Failed
from refdesk.testing.embedder import WordEmbedder

TEXTS = [f"passage number {number} of {number % 7}" for number in range(3 * CHECKPOINT)]


class Counting(WordEmbedder):
    """Counts what it embeds, and breaks after ``most`` texts."""

    def __init__(self, dimensions: int = 64, most: int = 1_000_000) -> None:
        super().__init__(dimensions)
        self.made = 0
        self.most = most

    def passages(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        if self.made + len(texts) > self.most:
            raise KeyboardInterrupt
        self.made += len(texts)
        return super().passages(texts, progress)


def test_vectors_are_made_once_and_come_back_bit_equal(tmp_path: Path) -> None:
    plain = WordEmbedder().passages(TEXTS)
    first, second = Counting(), Counting()
    assert np.array_equal(CachedEmbedder(first, cache_file(tmp_path)).passages(TEXTS), plain)
    assert np.array_equal(CachedEmbedder(second, cache_file(tmp_path)).passages(TEXTS[::-1]), plain[::-1])
    assert (first.made, second.made) == (len(TEXTS), 0)


def test_repeated_texts_are_made_once_and_counted_each(tmp_path: Path) -> None:
    embedder, told = Counting(), list[int]()
    vectors = CachedEmbedder(embedder, cache_file(tmp_path)).passages(["one", "two", "one"], told.append)
    assert embedder.made == 2
    assert sum(told) == 3
    assert np.array_equal(vectors[0], vectors[2])
    assert CachedEmbedder(embedder, cache_file(tmp_path)).passages([]).shape == (0, 64)


def test_another_fingerprint_finds_nothing(tmp_path: Path) -> None:
    CachedEmbedder(Counting(64), cache_file(tmp_path)).passages(TEXTS[:5])
    other = Counting(32)
    assert CachedEmbedder(other, cache_file(tmp_path)).passages(TEXTS[:5]).shape == (5, 32)
    assert other.made == 5


def test_an_interrupted_run_keeps_what_it_made(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        CachedEmbedder(Counting(most=2 * CHECKPOINT), cache_file(tmp_path)).passages(TEXTS)
    again = Counting()
    CachedEmbedder(again, cache_file(tmp_path)).passages(TEXTS)
    assert again.made == len(TEXTS) - 2 * CHECKPOINT


def test_questions_go_straight_through(tmp_path: Path) -> None:
    embedder = CachedEmbedder(WordEmbedder(), cache_file(tmp_path))
    assert np.array_equal(embedder.question("one two"), WordEmbedder().question("one two"))
    assert embedder.fingerprint == WordEmbedder().fingerprint
    assert not cache_file(tmp_path).exists()


PROCESS = """
import sys
from pathlib import Path
from refdesk.embedding import CachedEmbedder, cache_file
from refdesk.testing.embedder import WordEmbedder
texts = sys.stdin.read().splitlines()
vectors = CachedEmbedder(WordEmbedder(), cache_file(Path(sys.argv[1]))).passages(texts)
sys.stdout.buffer.write(vectors.tobytes())
"""


def test_processes_share_one_file(tmp_path: Path) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PROCESS, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for _ in range(3)
    ]
    made = [process.communicate("\n".join(TEXTS).encode())[0] for process in processes]
    assert set(made) == {WordEmbedder().passages(TEXTS).tobytes()}


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    cache_file(tmp_path).write_bytes(b"no database, but long enough to be looked at " * 100)
    with pytest.raises(Failed, match="can be deleted without loss"):
        CachedEmbedder(WordEmbedder(), cache_file(tmp_path)).passages(TEXTS)
