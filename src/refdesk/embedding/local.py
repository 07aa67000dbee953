"""A model that runs here, without network: onnxruntime and tokenizers, the extra ``refdesk[local]``.

Texts go through one at a time: in a batch, padding shifts the quantised activations and so the vectors.
Each run uses one thread, and as many runs as there are cores go on at once: as fast on two cores as two
threads within a run (10.4 against 8.4 passages of 327 tokens a second), and the sums never depend on how
work was split, so that vectors are bit-equal on a rerun, in any order and beside anything else.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from refdesk.embedding.model import Fingerprint, Vector, Vectors
from refdesk.embedding.models import KnownModel, wrong
from refdesk.embedding.native import NATIVE
from refdesk.errors import Failed

_UNEMBEDDABLE = re.compile("[\x00\ud800-\udfff]")


class LocalEmbedder:
    """Safe to use from several threads. The first text waits for the weights to load, about 0.4 s."""

    def __init__(self, model: KnownModel, folder: Path, *, threads: int | None = None) -> None:
        self._model = model
        self._folder = folder
        self._threads = threads or _cores()
        self._loading = threading.Lock()
        self._engine: _Engine | None = None
        self.fingerprint = Fingerprint(
            provider="local",
            model=model.name,
            sha256=model.weights.sha256[0],
            dimensions=model.dimensions,
            pooling=model.pooling,
            question_prefix=model.question_prefix,
            passage_prefix=model.passage_prefix,
            max_tokens=model.max_tokens,
        )

    def passages(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        vectors = np.empty((len(texts), self._model.dimensions), dtype=np.float32)
        prefixed = (self._model.passage_prefix + text for text in texts)
        for row, vector in enumerate(self._in_order(prefixed, len(texts))):
            vectors[row] = vector
            if progress is not None:
                progress(1)
        return vectors

    def question(self, text: str) -> Vector:
        return self._ready().embed(self._model.question_prefix + text)

    def _in_order(self, texts: Iterator[str], count: int) -> Iterator[Vector]:
        if count == 0:
            return
        embed = self._ready().embed
        workers = min(self._threads, count)
        if workers == 1:
            yield from map(embed, texts)
            return
        with ThreadPoolExecutor(workers, thread_name_prefix="embedding") as pool:
            yield from pool.map(embed, texts)

    def _ready(self) -> _Engine:
        with self._loading, NATIVE:
            if self._engine is None:
                self._engine = _Engine(self._model, self._folder)
            return self._engine


class _Engine:
    """The loaded weights and tokenizer. Both may be used by several threads at once."""

    def __init__(self, model: KnownModel, folder: Path) -> None:
        for file in model.files:
            if reason := wrong(file, folder):
                raise _unavailable(model, f"{reason}; run `refdesk models pull`")
        try:
            self._session = _session(folder / model.weights.name)
            self._tokenizer = _tokenizer(folder / model.tokenizer.name, model.max_tokens)
        except ImportError:
            raise _unavailable(model, "it needs `pip install 'refdesk[local]'`") from None
        except Exception as error:
            # The two libraries document no classes of their own for what they raise here.
            raise _unavailable(model, f"it does not load ({type(error).__name__}: {error})") from error

    def embed(self, text: str) -> Vector:
        with NATIVE:
            return self._embed(text)

    def _embed(self, text: str) -> Vector:
        encoded = self._tokenizer.encode(_UNEMBEDDABLE.sub("", text))
        ids = np.array([encoded.ids], dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        first_token = self._session.run(None, feed)[0][0, 0].astype(np.float64)
        unit: Vector = (first_token / np.sqrt(np.sum(first_token * first_token))).astype(np.float32)
        return unit


def _session(weights: Path) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    # Texts differ in length, so patterns never fit again. The arena holds two longest texts' memory at most:
    # 227 MB in all at the peak of two threads, where the system's allocator had 441 MB.
    options.enable_mem_pattern = False
    options.enable_cpu_mem_arena = True
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])


def _tokenizer(path: Path, max_tokens: int) -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens)
    return tokenizer


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _unavailable(model: KnownModel, why: str) -> Failed:
    return Failed(f"The embedding model {model.name} cannot be used: {why}.", code="embedding_unavailable")
