"""Makes the data of a comparison, with the product's own splitting into passages."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

import numpy as np

from data import PER_DOCUMENT, ResampledEmbedder, Texts, real_embedder, real_sentences
from refdesk.embedding.model import Embedder
from refdesk.ingest.steps import prepare
from refdesk.passages import split
from refdesk.policy import load_policy
from speed.given import Given, Passage, write_passages

CHANGES = 9
"""Documents to add and delete."""


def make(folder: Path, passages: int, bases: int, questions: int) -> Given:
    """What is there already is taken as it is."""
    return _once(folder, partial(_made_up, passages=passages, bases=bases, questions=questions))


def make_real(folder: Path, sentences: int, questions: int) -> Given:
    """Real sentences with their own vectors, which the cache folder keeps, as passages of one document."""
    return _once(folder, partial(_real, sentences=sentences, questions=questions))


def _once(folder: Path, write: Callable[[Given], None]) -> Given:
    if not folder.exists():
        begun = folder.with_suffix(".begun")
        shutil.rmtree(begun, ignore_errors=True)
        begun.mkdir(parents=True)
        write(Given(begun))
        begun.rename(folder)
    return Given(folder)


def _real(given: Given, sentences: int, questions: int) -> None:
    embedder = real_embedder()
    texts = real_sentences(sentences)
    passages = [Passage(0, "sentences.txt", number, text, text) for number, text in enumerate(texts, 1)]
    (given.documents / "0").mkdir(parents=True)
    write_passages(given.folder / "passages.jsonl", passages)
    np.save(given.folder / "passages.npy", embedder.passages(texts))
    _ask(given, Texts().questions(questions), embedder)


def _made_up(given: Given, passages: int, bases: int, questions: int) -> None:
    texts = Texts()
    embedder = ResampledEmbedder(texts.real, embed_questions=True)
    size = min(PER_DOCUMENT, passages // bases)
    dealt = ((number % bases, *document) for number, document in enumerate(texts.documents(passages, size)))
    _keep(given.folder / "passages", given.documents, sorted(dealt), embedder)
    more = ((0, f"more-{number}.txt", texts.document(PER_DOCUMENT)) for number in range(CHANGES))
    _keep(given.folder / "more", given.more_files, more, embedder)
    _ask(given, texts.questions(questions), embedder)
    about = {
        "fingerprint": asdict(embedder.fingerprint),
        "embeds": embedder.embeds_questions,
        "origin": f"{texts.origin}; {embedder.origin}",
    }
    (given.folder / "about.json").write_text(json.dumps(about))


def _ask(given: Given, questions: Sequence[str], embedder: Embedder) -> None:
    (given.folder / "questions.json").write_text(json.dumps(questions))
    np.save(given.folder / "questions.npy", np.stack([embedder.question(one) for one in questions]))


def _keep(
    name: Path, folder: Path, documents: Iterable[tuple[int, str, str]], embedder: ResampledEmbedder
) -> None:
    kept: list[Passage] = []
    for base, document, text in documents:
        file = folder / str(base) / document if folder.name == "documents" else folder / document
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        kept += _passages(base, document, text)
    write_passages(name.with_suffix(".jsonl"), kept)
    np.save(name.with_suffix(".npy"), embedder.passages([one.indexed for one in kept]))


def _passages(base: int, document: str, text: str) -> Iterator[Passage]:
    """As the queue's worker makes them, the title being the name without its extension."""
    policy = load_policy("packs").passages
    for one in prepare(Path(document).stem, split(text, "txt", (), policy)):
        yield Passage(base, document, one.passage.position, one.passage.text, one.indexed)
