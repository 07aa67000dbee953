"""A set's documents through the product's own ingestion, into an index that is thrown away.

What a desk adds around it is left out: no catalog, no queue, no screening; every document is live.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from refdesk.embedding.model import Embedder, Vector
from refdesk.errors import Refusal, UsageError
from refdesk.evaluate.sets import Document, corpus_file, load_corpus
from refdesk.files import collect
from refdesk.index.analysis import VERSION
from refdesk.index.model import Index
from refdesk.index.visibility import Live
from refdesk.ingest.context import Progress
from refdesk.ingest.settings import IndexSettings, languages_of
from refdesk.ingest.steps import Prepared, embed, entries, prepare
from refdesk.passages import split
from refdesk.policy.model import Kind, Policy
from refdesk.reading import Reader
from refdesk.reading.clean import without_controls
from refdesk.reading.model import Page
from refdesk.settings import Settings

BASE = "evaluation"


@dataclass(frozen=True, slots=True)
class Source:
    """A document as ingestion takes it: read already, its passages still to be made."""

    id: str
    title: str
    text: str
    kind: Kind
    pages: Sequence[Page] = ()


@dataclass(frozen=True, slots=True)
class Ready:
    """An indexed document with its passages."""

    source: Source
    prepared: Sequence[Prepared]


class Everything:
    """Lets every document through, in its one version."""

    def __init__(self, documents: Mapping[str, Ready]) -> None:
        self._live = {
            document: Live(document, 1, document, ready.source.title, None, {})
            for document, ready in documents.items()
        }

    def live(self, wanted: Mapping[str, Collection[str]]) -> Mapping[str, Mapping[str, Live]]:
        return dict.fromkeys(wanted, self._live)


class Ingestion:
    """``refused`` counts documents that stayed out, by code."""

    def __init__(self, policy: Policy, settings: Settings, progress: Progress) -> None:
        self._policy = policy
        self._settings = settings
        self._progress = progress
        self.refused: Counter[str] = Counter()
        self.skipped: list[str] = []

    def sources(self, folder: Path, documents: Path | None) -> Iterator[Source]:
        """From ``documents``, else the folder's corpus file, else its folder ``documents``."""
        corpus = None if documents else corpus_file(folder)
        if corpus is not None:
            yield from map(_source, load_corpus(corpus))
        else:
            yield from self._files(documents or folder / "documents")

    def prepare(self, sources: Iterator[Source]) -> dict[str, Ready]:
        ready: dict[str, Ready] = {}
        for source in sources:
            try:
                passages = split(source.text, source.kind, source.pages, self._policy.passages)
            except Refusal as refusal:
                self.refused[refusal.code] += 1
                continue
            if passages:
                ready[source.id] = Ready(source, prepare(source.title, passages))
            else:
                self.refused["no_text"] += 1
        if not ready:
            raise UsageError(f"No document could be indexed{self._why()}.")
        return ready

    def index(self, documents: Mapping[str, Ready], index: Index, embedder: Embedder | None) -> None:
        vectors: Mapping[bytes, Vector] = {}
        settings = IndexSettings(index)
        if embedder is not None:
            settings.agree(embedder.fingerprint.key)
            every = [one for ready in documents.values() for one in ready.prepared]
            vectors, trouble = embed(every, embedder, index, self._ticker("embed", len(every)))
            if trouble:
                raise trouble
        settings.set_analyzer(VERSION)
        tick = self._ticker("index", len(documents))
        for document, ready in documents.items():
            languages = languages_of(ready.source.text)
            index.put(document, 1, entries(ready.prepared, languages, vectors), languages=languages)
            tick(1)

    def notes(self) -> list[str]:
        refused = (
            [f"Documents that stayed out: {sum(self.refused.values())}{self._why()}."] if self.refused else []
        )
        return refused + self.skipped

    def _why(self) -> str:
        reasons = ", ".join(f"{count} {code}" for code, count in self.refused.most_common())
        return f" ({reasons})" if reasons else ""

    def _files(self, folder: Path) -> Iterator[Source]:
        collected = collect([folder])
        self.skipped += collected.notes()
        tick = self._ticker("read", len(collected.files))
        with Reader(memory_mb=self._settings.reading_memory_mb) as reader:
            for file in collected.files:
                try:
                    reading = reader.read(file.path, file.name, None, self._policy)
                except Refusal as refusal:
                    self.refused[refusal.code] += 1
                else:
                    title = reading.title or Path(file.name).stem
                    yield Source(file.name, title, reading.text, reading.kind, reading.pages)
                tick(1)

    def _ticker(self, stage: str, total: int) -> Ticker:
        return Ticker(self._progress, stage, total)


class Ticker:
    """Adds up what each call says was just done."""

    def __init__(self, progress: Progress, stage: str, total: int) -> None:
        self._progress, self._stage, self._total, self._done = progress, stage, total, 0

    def __call__(self, count: int) -> None:
        self._done += count
        self._progress(self._stage, "", self._done, self._total)


def _source(document: Document) -> Source:
    """A corpus line names no kind: sets hold prose and Markdown, and Markdown takes both.

    A line with a title alone is a document of that text.
    """
    text, _ = without_controls(document.text)
    title, _ = without_controls(document.title)
    return Source(document.id, title, text if text.strip() else title, "markdown")
