"""Documents of a folder into an index that is thrown away once it was baked: no catalog, no queue."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Self

from refdesk.embedding.model import Embedder, Vector
from refdesk.errors import Refusal
from refdesk.index.analysis import VERSION
from refdesk.index.local import LocalIndex
from refdesk.index.visibility import Live
from refdesk.ingest.screened import Labels, screened
from refdesk.ingest.settings import IndexSettings, languages_of
from refdesk.ingest.steps import Prepared, embed, entries, prepare
from refdesk.package.documents import File
from refdesk.passages import split
from refdesk.policy.model import Policy
from refdesk.reading.reader import Reader

log = logging.getLogger(__name__)

Progress = Callable[[str, str, int, int], None]


@dataclass(frozen=True, slots=True)
class _Document:
    live: Live
    languages: Sequence[str]
    prepared: Sequence[Prepared]


@dataclass(slots=True)
class Taken:
    """``skipped`` has documents that stayed out, by name, each with why."""

    live: list[Live] = field(default_factory=list)
    passages: int = 0
    skipped: dict[str, str] = field(default_factory=dict)


class Indexing:
    def __init__(self, folder: Path) -> None:
        self._index = LocalIndex(folder / "index")
        self._documents: list[_Document] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._index.close()

    def take(self, files: Sequence[File], policy: Policy, progress: Progress) -> Taken:
        """Reads and splits them; one that is refused, or has no text, is skipped and named."""
        taken = Taken()
        with Reader() as reader:
            for done, file in enumerate(files):
                progress("read", file.name, done, len(files))
                try:
                    document = _read(reader, file, policy)
                except Refusal as refusal:
                    log.warning("document=%s skipped=%s: %s", file.name, refusal.code, refusal.message)
                    taken.skipped[file.name] = refusal.message
                    continue
                self._documents.append(document)
                taken.live.append(document.live)
                taken.passages += len(document.prepared)
        progress("read", "", len(files), len(files))
        return taken

    def embed(self, embedder: Embedder | None, progress: Progress) -> None:
        """Puts everything that was taken into the index, with vectors where there is a model. Raises
        ``Failed`` where that makes not all of them."""
        vectors = self._vectors(embedder, progress) if embedder else {}
        settings = IndexSettings(self._index)
        settings.set_analyzer(VERSION)
        fingerprint = embedder.fingerprint.key if embedder else None
        for done, one in enumerate(self._documents):
            progress("index", one.live.name, done, len(self._documents))
            made = entries(one.prepared, one.languages, vectors)
            self._index.put(one.live.id, one.live.version, made, fingerprint, languages=one.languages)
        progress("index", "", len(self._documents), len(self._documents))

    def bake(self, into: Path, settings: Mapping[str, str]) -> None:
        for name, value in settings.items():
            self._index.set_setting(name, value)
        self._index.bake(into, [one.live for one in self._documents])

    def _vectors(self, embedder: Embedder, progress: Progress) -> Mapping[bytes, Vector]:
        every = [prepared for one in self._documents for prepared in one.prepared]
        done = 0

        def tick(count: int) -> None:
            nonlocal done
            done += count
            progress("embed", "", done, len(every))

        vectors, trouble = embed(every, embedder, self._index, tick)
        if trouble is not None:
            raise trouble
        return vectors


def _read(reader: Reader, file: File, policy: Policy) -> _Document:
    """Raises ``Refusal``."""
    reading = reader.read(file.path, file.name, None, policy)
    kept = screened(policy, reading, Labels(file.name, reading.title or PurePosixPath(file.name).stem))
    if kept.refusal is not None:
        raise kept.refusal
    assert kept.reading is not None
    for note in kept.reading.notes:
        log.info("document=%s note: %s", file.name, note)
    passages = split(kept.reading.text, kept.reading.kind, kept.reading.pages, policy.passages)
    if not passages:
        raise Refusal("The document has no text.", code="no_text")
    live = Live(_id(file.name), 1, kept.labels.name, kept.labels.title, None, {})
    return _Document(live, languages_of(kept.reading.text), prepare(live.title, passages))


def _id(name: str) -> str:
    """The same for the same name, wherever it is indexed."""
    return f"doc_{hashlib.blake2b(name.encode('utf-8', 'replace'), digest_size=13).hexdigest()}"
