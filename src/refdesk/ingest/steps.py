"""The steps from a text to index entries: passages, terms, vectors. They need no catalog."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from refdesk.embedding.model import Embedder, Interrupted, Vector
from refdesk.errors import Failed
from refdesk.index.analysis.passages import analyze_passages
from refdesk.index.model import DIGEST, Entry, Index
from refdesk.passages.model import Passage, section_path

KEPT_AT_ONCE = 256
"""Texts embedded between two moments at which vectors are kept: what a kill may cost at most."""


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


def reusable(prepared: Sequence[Prepared], index: Index, fingerprint: str) -> dict[bytes, Vector]:
    """The vectors by this model that the index has, also of what is not put yet or was put aside."""
    digests = list({one.digest: None for one in prepared})
    vectors = index.vectors(digests)
    return vectors | index.kept(fingerprint, [digest for digest in digests if digest not in vectors])


def embed(
    prepared: Sequence[Prepared],
    embedder: Embedder,
    index: Index,
    progress: Callable[[int], None] = lambda done: None,
    keep: Callable[[Mapping[bytes, Vector]], None] = lambda vectors: None,
) -> tuple[dict[bytes, Vector], Failed | None]:
    """A vector for each digest, or as many as there were before the failure that is returned beside them.

    What the index already has is not made again; ``keep`` is given what was just made, so that nothing is
    bought twice (ING6) though the process be killed before these are put.
    """
    texts = {one.digest: one.indexed for one in prepared}
    vectors = reusable(prepared, index, embedder.fingerprint.key)
    missing = [digest for digest in texts if digest not in vectors]
    progress(len(prepared) - len(missing))
    for start in range(0, len(missing), KEPT_AT_ONCE):
        some = missing[start : start + KEPT_AT_ONCE]
        made, trouble = _made([texts[digest] for digest in some], embedder, progress)
        new = dict(zip(some, made, strict=False))
        keep(new)
        vectors |= new
        if trouble:
            return vectors, trouble
    return vectors, None


def _made(
    texts: Sequence[str], embedder: Embedder, progress: Callable[[int], None]
) -> tuple[Iterable[Vector], Failed | None]:
    try:
        return embedder.passages(texts, progress), None
    except Interrupted as error:
        return error.made, error
    except Failed as error:
        return (), error


def entries(
    prepared: Sequence[Prepared], languages: Sequence[str], vectors: Mapping[bytes, Vector]
) -> list[Entry]:
    """A passage whose vector is not there is found by keyword."""
    made = []
    every = analyze_passages([one.indexed for one in prepared], languages)
    for one, analyzed in zip(prepared, every, strict=True):
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
