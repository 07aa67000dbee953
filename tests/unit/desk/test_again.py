"""Retry, re-ingest and cancel through the facade, with real documents, and what is told of work meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from refdesk import Desk
from refdesk.embedding.model import Vectors
from refdesk.errors import Failed, UsageError
from refdesk.ingest import heartbeat
from refdesk.results.documents import DocumentProgress
from refdesk.testing import WordEmbedder

Opener = Callable[..., Desk]


class Watched(WordEmbedder):
    """Does something after its first passage, and again until that says that it is enough."""

    def __init__(self, then: Callable[[], bool]) -> None:
        super().__init__()
        self._then = then

    def passages(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        assert progress is not None
        progress(1)
        give_up = time.monotonic() + 20
        while not self._then() and time.monotonic() < give_up:
            time.sleep(0.01)
            progress(0)
        progress(len(texts) - 1)
        return super().passages(texts)


class Broken(WordEmbedder):
    def passages(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        raise Failed("The service is away.", code="embedding_unavailable")


@pytest.mark.req("ING4", "ING6")
def test_what_failed_is_retried_and_nothing_else(open_desk: Opener, folder: Path) -> None:
    desk = open_desk(embedder=Broken())
    [document] = desk.bases.create("Handbook").add(folder / "returns.md", wait=True).documents
    assert (document.state, document.code) == ("failed", "embedding_unavailable")
    desk = open_desk(embedder=WordEmbedder())
    assert desk.documents.retry(str(document.id)).state == "queued"
    desk.work()
    assert desk.documents.get(str(document.id)).state == "ready"
    with pytest.raises(UsageError) as caught:
        desk.documents.retry(str(document.id))
    assert (caught.value.code, caught.value.actual) == ("wrong_state", "ready")


@pytest.mark.req("ING4", "D11")
@pytest.mark.parametrize(("policy", "answers_meanwhile"), [("packs", True), ("bases", False)])
def test_reingest_reads_the_original_again_and_the_policy_says_what_answers_meanwhile(
    open_desk: Opener, folder: Path, policy: str, answers_meanwhile: bool
) -> None:
    desk = open_desk(policy, embedder=WordEmbedder())
    base = desk.bases.create("Handbook")
    [document] = base.add(folder / "returns.md", wait=True, source_url="https://a.example/r").documents
    again = desk.documents.reingest(str(document.id))
    assert (again.state, again.version) == ("queued", 2)
    assert (again.indexed_version == 1) is answers_meanwhile
    assert bool(desk.search("refund", bases=[base]).hits) is answers_meanwhile
    desk.work()
    done = desk.documents.get(again.id)
    assert (done.state, done.indexed_version, done.source_url) == ("ready", 2, "https://a.example/r")
    assert [hit.name for hit in desk.search("refund", bases=[base], top_k=1)] == ["returns.md"]
    assert desk.documents.original(again.id) == (folder / "returns.md").read_bytes()
    assert desk._parts.catalog.removals.due() == []


@pytest.mark.req("ING4", "D11")
def test_reingest_without_an_original_indexes_the_stored_text_again(open_desk: Opener, folder: Path) -> None:
    desk = open_desk("packs", embedder=WordEmbedder())
    base = desk.bases.create("Handbook")
    [document] = base.add(folder / "returns.md", wait=True).documents
    row = desk._parts.catalog.documents.find(str(document.id), desk._parts.project.id)
    assert row is not None
    desk._parts.blobs.remove(row.id, row.files, "original")
    again = desk.documents.reingest(row.id)
    assert (again.state, again.version, again.indexed_version) == ("queued", 1, 1)
    with pytest.raises(UsageError, match="queued"):
        desk.documents.reingest(row.id)
    desk.work()
    assert desk.documents.get(row.id).state == "ready"


@pytest.mark.req("ING4")
def test_cancelled_while_it_is_embedded_stops_and_the_earlier_version_stays(
    open_desk: Opener, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat, "BEAT", 0.01)
    monkeypatch.setattr(heartbeat, "RENEW", 0.01)
    other = open_desk(embedder=WordEmbedder())
    base = other.bases.create("Handbook")
    [document] = base.add(folder / "returns.md", wait=True).documents
    (folder / "returns.md").write_text("# Returns\n\nNothing is refunded.\n\n## More\n\nNothing.\n")

    def cancel() -> bool:
        if other.documents.get(str(document.id)).state == "indexing":
            assert other.documents.cancel(str(document.id)).code == "cancelled"
        return False  # until it is stopped

    desk = open_desk(embedder=Watched(cancel))
    [again] = desk.bases.get("Handbook").add(folder / "returns.md", wait=True).documents
    assert (again.state, again.code) == ("failed", "cancelled")
    [hit] = desk.search("refund arrives", bases=["Handbook"], mode="keyword")
    assert "within five to seven working days" in hit.text
    with pytest.raises(UsageError, match="failed"):
        other.documents.cancel(str(document.id))
    other.documents.retry(str(document.id))
    other.work()
    [hit] = other.search("refunded", bases=["Handbook"], mode="keyword")
    assert "Nothing is refunded." in hit.text


@pytest.mark.req("ING5")
def test_progress_is_told_while_a_document_is_embedded(
    open_desk: Opener, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat, "BEAT", 0.01)
    seen: list[DocumentProgress] = []
    watcher = open_desk(embedder=WordEmbedder())
    base = watcher.bases.create("Handbook")

    def look() -> bool:
        [document] = base.list_documents()
        if document.progress is None or not document.progress.done:
            return False
        seen.append(document.progress)
        return True

    desk = open_desk(embedder=Watched(look))
    desk.bases.get("Handbook").add(folder / "returns.md", wait=True)
    [progress] = seen
    assert (progress.stage, progress.done, progress.total) == ("embed", 1, 2)
    assert progress.bytes == (folder / "returns.md").stat().st_size
    told = base.progress()
    assert (told.ready, told.queued, told.indexing, told.passages, told.seconds) == (1, 0, 0, 2, 0.0)
    assert "progress" not in base.list_documents()[0].to_dict()
