"""What several processes do to the same documents at once, and what is left when one of them loses."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from refdesk import Desk
from refdesk.catalog import sqlite
from refdesk.errors import Failed
from refdesk.ids import new_id
from refdesk.index.local import LocalIndex
from refdesk.index.local.generation import LOCK
from refdesk.index.local.lock import writers_lock
from refdesk.ingest import accept as accept_module
from refdesk.ingest import worker as worker_module
from refdesk.ingest.removals import pay
from refdesk.testing import WordEmbedder

Opener = Callable[..., Desk]
SECRET = b"five to seven working days"


def on_disk(home: Path) -> list[str]:
    return [path.name for path in home.rglob("*") if path.is_file() and SECRET in path.read_bytes()]


@pytest.mark.req("DOC7")
@pytest.mark.parametrize("step", [(worker_module, "entries"), (LocalIndex, "put")])
@pytest.mark.parametrize("whole_base", [False, True])
def test_deleted_while_it_is_indexed_leaves_no_byte(
    open_desk: Opener, folder: Path, monkeypatch: pytest.MonkeyPatch, whole_base: bool, step: tuple[Any, str]
) -> None:
    desk, other = (open_desk(embedder=WordEmbedder()) for _ in range(2))
    base = desk.bases.create("Handbook")
    base.add(folder / "hours.txt", wait=True)
    [document] = base.add(folder / "returns.md").documents
    real = getattr(*step)

    def meanwhile(*arguments: Any, **options: Any) -> Any:
        if whole_base:
            other.bases.get("Handbook").delete()
        else:
            other.documents.delete(str(document.id))
        return real(*arguments, **options)

    monkeypatch.setattr(*step, meanwhile)
    desk.work()
    assert on_disk(desk.home) == []
    assert (desk.home / "index" / base.id).exists() is not whole_base
    assert desk._parts.catalog.removals.due() == []


def test_an_upload_that_begins_while_a_debt_is_paid_keeps_its_files(
    desk: Desk, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = desk.bases.create("Handbook")
    [document] = base.add(folder / "returns.md", wait=True).documents
    context = desk._parts.context
    removals = context.catalog.removals
    in_use = removals.files_in_use
    begun: list[str] = []

    def then_an_upload(name: str) -> set[str]:
        used = in_use(name)
        begun.append(removals.announce(base.id, name).files)
        context.blobs.put(name, begun[0], "text", b"the next version")
        return used

    monkeypatch.setattr(removals, "files_in_use", then_an_upload)
    removals.withdraw(removals.announce(base.id, str(document.id)))
    pay(context)
    assert context.blobs.get(str(document.id), begun[0], "text") == b"the next version"


def test_two_may_destroy_the_same_index(tmp_path: Path) -> None:
    index = LocalIndex(tmp_path / "index")
    index.set_setting("analyzer", "1")
    with ThreadPoolExecutor(1) as pool, writers_lock(tmp_path / "index" / LOCK):
        waiting = pool.submit(index.destroy)
        time.sleep(0.1)  # it waits for the lock, or will look for it in vain
        shutil.rmtree(tmp_path / "index")
    waiting.result()


def test_two_may_delete_the_same_files(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    blobs = desk._parts.blobs
    blobs.put("doc", "upload", "text", b"text")
    listed = blobs._paths("doc/upload/")
    blobs.delete("doc", {"upload"})
    monkeypatch.setattr(blobs, "_paths", lambda prefix: listed)  # as listed by another process before
    blobs.delete("doc", {"upload"})


@pytest.mark.req("D3", "D5")
@pytest.mark.parametrize("first", [True, False])
def test_what_another_process_adds_meanwhile_is_replaced_and_the_others_go_on(
    open_desk: Opener, folder: Path, monkeypatch: pytest.MonkeyPatch, first: bool
) -> None:
    desk, other = (open_desk(embedder=WordEmbedder()) for _ in range(2))
    base = desk.bases.create("Handbook")
    if not first:
        (folder / "returns.md").write_text("# Returns\n\nAn older text.\n")
        base.add(folder / "returns.md", wait=True)
    read = accept_module._read

    def meanwhile(*arguments: Any) -> Any:
        monkeypatch.undo()
        (folder / "returns.md").write_text("# Returns\n\nWhat the other process adds.\n")
        other.bases.get("Handbook").add(folder / "returns.md")
        (folder / "returns.md").write_text("# Returns\n\nWhat is added last.\n")
        return read(*arguments)

    (folder / "returns.md").write_text("# Returns\n\nA newer text.\n")
    monkeypatch.setattr(accept_module, "_read", meanwhile)
    added = base.add(folder / "returns.md", folder / "hours.txt", wait=True)
    assert [(one.name, one.change, one.state) for one in added.documents] == [
        ("returns.md", "replaced", "ready"),
        ("hours.txt", "added", "ready"),
    ]
    assert sorted(one.name for one in base.list_documents()) == ["hours.txt", "returns.md"]
    hits = desk.search("returns", bases=[base], mode="keyword").hits
    assert [hit.text for hit in hits] == ["# Returns\n\nWhat is added last."]


def test_a_debt_that_cannot_be_paid_keeps_neither_the_desk_shut_nor_the_others_unpaid(
    open_desk: Opener, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = open_desk(embedder=WordEmbedder())
    bases = [desk.bases.create(name) for name in ("First", "Second")]
    ids = [str(base.add(folder / "returns.md", wait=True).documents[0].id) for base in bases]
    desk._parts.index(bases[0].id).close()
    for path in (desk.home / "index" / bases[0].id).glob("index.db*"):
        path.write_bytes(b"no database" * 1000)
    with pytest.raises(Failed):
        desk.documents.delete(*ids)
    owed = desk._parts.catalog.removals.due()
    assert [removal.document for removal in owed] == [ids[0]]
    again = open_desk(embedder=WordEmbedder())
    assert [base.name for base in again.bases.list()] == ["First", "Second"]


def test_deleted_text_in_the_catalogs_log_is_not_said_to_be_gone(
    open_desk: Opener, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pragmas = [pragma.replace("10000", "20") for pragma in sqlite._PRAGMAS]
    monkeypatch.setattr(sqlite, "_PRAGMAS", pragmas)
    monkeypatch.setattr(sqlite, "TIDY_SECONDS", 0.1)
    desk = open_desk(embedder=WordEmbedder())
    base = desk.bases.create("Handbook")
    [document] = base.add(folder / "returns.md", wait=True).documents
    desk.ask("when will a refund arrive?", bases=[base])
    with desk._parts.catalog.database.read() as reader:
        reader.exec_driver_sql("SELECT count(*) FROM run_references").one()
        with pytest.raises(Failed, match="log"):
            desk.documents.delete(str(document.id), erase=True)
    assert desk._parts.catalog.removals.due() != []
    open_desk(embedder=WordEmbedder())
    assert desk._parts.catalog.removals.due() == []
    assert on_disk(desk.home) == []


def test_an_upload_that_was_given_up_gets_no_row(desk: Desk, folder: Path) -> None:
    base = desk.bases.create("Handbook")
    [document] = base.add(folder / "returns.md", wait=True).documents
    context = desk._parts.context
    [row] = context.catalog.documents.of_base(base.id)
    late = context.catalog.removals.announce(base.id, new_id("doc"))
    context.catalog.removals.withdraw(late)
    pay(context)
    facts = {"name": "late.md", "title": "Late", "kind": "markdown", "source_url": None, "metadata": {}}
    with pytest.raises(Failed, match="given up"):
        context.catalog.documents.insert(desk.policy, late, facts, row.content, actor=desk._parts.actor)
    assert [one.id for one in base.list_documents()] == [document.id]


def test_a_reindex_that_breaks_off_is_done_again(
    desk: Desk, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = desk.bases.create("Handbook")
    base.add(folder, wait=True)
    desk._parts.index(base.id).set_setting("analyzer", "0")

    def broken(*_: Any, **__: Any) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(desk._parts.catalog.documents, "requeue", broken)
    with pytest.raises(KeyboardInterrupt):
        base.reindex()
    monkeypatch.undo()
    assert base.reindex() == 3
