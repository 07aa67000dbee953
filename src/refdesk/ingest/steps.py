"""The steps from a text to index entries: passages, terms, vectors. They need no catalog."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from refdesk.embedding.model import Embedder, Interrupted, Vector
from refdesk.errors import Failed
from refdesk.index.analysis import analyze
from refdesk.index.model import DIGEST, Entry, Index
from refdesk.passages.model import Passage, section_path


@dataclass(frozen=True, slots=True)
class Prepared:
    """A passage with what is indexed beside it: title and section path count for every passage (W10)."""

    passage: Passage
    indexed: str
    digest: bytes


def prepare(title: str, passages: Sequence[Passage]) -> list[Prepared]:
    prepared = []
    for passage in passages:
        parts = (title, section_path(passage.section), passage.text)
        indexed = "\n".join(part for part in parts if part)
        prepared.append(Prepared(passage, indexed, _hash(_said(passage)) + _hash(indexed)))
    return prepared


def _said(passage: Passage) -> str:
    """The text without its page line, which differs where the same text stands on another page (W9)."""
    return passage.text.removeprefix(f"Page {passage.page}\n")


def embed(
    prepared: Sequence[Prepared],
    embedder: Embedder,
    index: Index,
    progress: Callable[[int], None] = lambda done: None,
) -> tuple[dict[bytes, Vector], Failed | None]:
    """A vector for each digest, or as many as there were before the failure that is returned beside them.

    What the index already has is not made again: once these are put, nothing is bought twice (ING6).
    """
    texts = {one.digest: one.indexed for one in prepared}
    vectors = index.vectors(list(texts))
    missing = [digest for digest in texts if digest not in vectors]
    progress(len(prepared) - len(missing))
    try:
        made = embedder.passages([texts[digest] for digest in missing], progress)
    except Interrupted as error:
        return vectors | dict(zip(missing, error.made, strict=False)), error
    except Failed as error:
        return vectors, error
    return vectors | dict(zip(missing, made, strict=True)), None


def entries(
    prepared: Sequence[Prepared], languages: Sequence[str], vectors: Mapping[bytes, Vector]
) -> list[Entry]:
    """A passage whose vector is not there is found by keyword."""
    made = []
    for one in prepared:
        analyzed = analyze(one.indexed, languages)
        passage = one.passage
        made.append(
            Entry(
                position=passage.position,
                text=passage.text,
                section=section_path(passage.section),
                page=passage.page,
                start=passage.start,
                end=passage.end,
                digest=one.digest,
                terms=analyzed.terms,
                words=analyzed.words,
                vector=vectors.get(one.digest),
            )
        )
    return made


def _hash(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=DIGEST // 2).digest()
