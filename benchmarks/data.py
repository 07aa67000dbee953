"""Made-up documents of any number, seeded: a real vocabulary's words at their frequencies, and vectors
resampled from real ones.

A paragraph takes half of its words from one real passage and half from the whole vocabulary, so that
words meet as they do in real texts. Without the sets of ``../shared/corpus`` the words are invented and
follow Zipf's law; without the weights of the embedding model the vectors are random around random centres.
``origin`` says which, for the line beside a table.

    python benchmarks/data.py    how many words of a document are new, made up beside real
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, islice
from pathlib import Path
from random import Random
from statistics import mean

import numpy as np

from refdesk.embedding.accounts import open_embedder
from refdesk.embedding.cache import CachedEmbedder, cache_file
from refdesk.embedding.model import Embedder, Fingerprint, Vector, Vectors
from refdesk.errors import Failed
from refdesk.settings import Settings

CORPUS = Path(__file__).parents[2] / "shared" / "corpus" / "retrieval"
SETS = ("scifact", "fetaqa-tables", "stackfaq", "tv-manual")
SEED = 20261130
PARAGRAPH = 960
"""Characters: with its title a passage has about 1,000."""
PER_DOCUMENT = 100
_SENTENCE = 40, 200
"""Characters of a sentence that is taken, at least and at most."""
_REAL_VECTORS = 400
_CENTRES = 400
_NOISE = 0.5
_INVENTED = 60_000


class Texts:
    """Paragraphs, documents and questions; the same for the same seed."""

    def __init__(self, seed: int = SEED) -> None:
        self._random = Random(seed)
        self.real = _passages()
        self.origin = f"words of {', '.join(SETS)}" if self.real else "invented words after Zipf's law"
        counts = Counter(word for text in self.real for word in text.split()) or _zipf(self._random)
        self._words = list(counts)
        self._weights = list(accumulate(counts.values()))
        self._topics = [text.split() for text in self.real]
        self._questions = _questions()

    def paragraph(self) -> str:
        topic = self._random.choice(self._topics) if self._topics else self._words
        words: list[str] = []
        length = 0
        while length < PARAGRAPH:
            word = self._random.choice(topic) if self._random.random() < 0.5 else self._word()
            words.append(word)
            length += len(word) + 1
        return " ".join(words)

    def documents(self, passages: int, most: int = PER_DOCUMENT) -> Iterator[tuple[str, str]]:
        """Names and texts of documents that make about so many passages together, each at most ``most``."""
        for number, start in enumerate(range(0, passages, most)):
            yield f"document-{number:05d}.txt", self.document(min(most, passages - start))

    def document(self, passages: int = PER_DOCUMENT) -> str:
        return "\n\n".join(self.paragraph() for _ in range(passages)) + "\n"

    def questions(self, count: int) -> list[str]:
        if self._questions:
            return self._random.sample(self._questions, min(count, len(self._questions)))
        return [" ".join(self._word() for _ in range(8)) for _ in range(count)]

    def _word(self) -> str:
        return self._random.choices(self._words, cum_weights=self._weights)[0]


def real_sentences(count: int) -> list[str]:
    """Real texts short enough that thousands are embedded in minutes; fewer where there are not so many."""
    found = {
        sentence[: _SENTENCE[1]]: None
        for text in _passages()
        for sentence in re.split(r"(?<=[.!?])\s+", text)
        if len(sentence) >= _SENTENCE[0]
    }
    return Random(SEED).sample(list(found), min(count, len(found)))


class ResampledEmbedder:
    """An embedding model whose passage vectors cost nothing: a real one, by the text's hash, plus noise.

    Questions are embedded by the real model where there is one and ``embed_questions`` is set.
    """

    def __init__(self, real_texts: Sequence[str], *, embed_questions: bool) -> None:
        model = _local_model()
        self._model = model if embed_questions else None
        self.fingerprint = model.fingerprint if model else _invented_fingerprint()
        self._pool = _real_vectors(real_texts) if model else _random_vectors(self.fingerprint.dimensions)
        self.origin = (
            f"vectors resampled from {len(self._pool)} of {self.fingerprint.model} plus noise"
            if model
            else "random vectors around random centres (the embedding model is not here)"
        )

    @property
    def embeds_questions(self) -> bool:
        return self._model is not None

    def passages(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        vectors = np.stack([self._resampled(text) for text in texts]) if texts else self._pool[:0]
        if progress is not None:
            progress(len(texts))
        return vectors

    def question(self, text: str) -> Vector:
        return self._model.question(text) if self._model else self._resampled(text)

    def _resampled(self, text: str) -> Vector:
        random = np.random.default_rng(list(hashlib.blake2b(text.encode(), digest_size=16).digest()))
        noise = random.standard_normal(self._pool.shape[1], np.float32)
        vector = self._pool[random.integers(len(self._pool))] + _NOISE * noise / np.linalg.norm(noise)
        return vector / np.linalg.norm(vector)


def _passages() -> list[str]:
    return [text[:2000] for name in SETS for text in _records(name)]


def _records(name: str) -> Iterator[str]:
    for line in _lines(CORPUS / name / "corpus.jsonl.gz"):
        record = json.loads(line)
        yield f"{record['title']} {record['text']}"


def _questions() -> list[str]:
    return [
        json.loads(line)["text"].strip()
        for name in SETS
        for line in _lines(CORPUS / name / "queries.jsonl.gz")
    ]


def _lines(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().splitlines() if path.exists() else []


def _zipf(random: Random) -> Counter[str]:
    letters = "etaoinshrdlcumwfgypbvk"
    return Counter(
        {
            "".join(random.choices(letters, k=random.randint(2, 10))): round(1e7 / (rank + 2.7))
            for rank in range(_INVENTED)
        }
    )


def _local_model() -> Embedder | None:
    try:
        return open_embedder("local", Settings())
    except Failed:
        return None


def real_embedder() -> Embedder:
    """The local model, its passages' vectors kept in the cache folder. Raises ``Failed`` without it."""
    model = open_embedder("local", Settings())
    assert model is not None
    return CachedEmbedder(model, cache_file(Settings().cache_folder()))


def _real_vectors(texts: Sequence[str]) -> Vectors:
    chosen = Random(SEED).sample(list(texts), min(_REAL_VECTORS, len(texts)))
    return real_embedder().passages(chosen)


def _random_vectors(dimensions: int) -> Vectors:
    vectors = np.random.default_rng(SEED).standard_normal((_CENTRES, dimensions), np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def _invented_fingerprint() -> Fingerprint:
    return Fingerprint("benchmark", "random", "", 384, "", "", "", 512)


def main() -> None:
    """What a document costs depends on how many of its words no document before it had: of the made-up ones
    and of real passages put together to their size."""
    texts = Texts()
    size = PER_DOCUMENT * PARAGRAPH
    print("| documents | words | distinct | new in the 1st | 2nd to 9th | 21st to 30th |")
    print("|---|---|---|---|---|---|")
    _show("made up", (texts.document() for _ in range(30)))
    for name in SETS:
        _show(name, _joined(_records(name), size))


def _joined(passages: Iterable[str], size: int) -> Iterator[str]:
    some: list[str] = []
    for passage in passages:
        some.append(passage)
        if sum(map(len, some)) >= size:
            yield "\n\n".join(some)
            some = []


def _show(name: str, documents: Iterable[str]) -> None:
    seen: set[str] = set()
    words, distinct, new = [], [], []
    for document in islice(documents, 30):
        found = document.split()
        words.append(len(found))
        distinct.append(len(set(found)))
        new.append(len(set(found) - seen))
        seen.update(found)
    of = [new[:1], new[1:9], new[20:30]]
    shares = [f"{sum(some) / len(some):,.0f}" if some else "–" for some in of]
    print(f"| {name} | {mean(words):,.0f} | {mean(distinct):,.0f} | {' | '.join(shares)} |")


if __name__ == "__main__":
    sys.exit(main())
