"""kill -9 at each step of add, replace and delete leaves the old state or the new, and no orphan."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from refdesk import Desk
from refdesk.settings import Settings
from refdesk.testing import WordEmbedder

OLD = "# Notice\n\nThe office closes at seventeen oldmark.\n"
NEW = "# Notice\n\nThe office closes at eighteen newmark.\n"

ACCEPTING = ("announce", "blob")
QUEUED = ("claim", "index", "switch")
PAYING = ("drop", "unblob", "tidy", "strike")
STEPS = {
    "add": (*ACCEPTING, "insert", *QUEUED),
    "replace": (*ACCEPTING, "replace", *QUEUED, *PAYING),
    "delete": ("delete", *PAYING),
    "delete-base": ("delete-base", "destroy", "unblob", "strike"),
}
CASES = [
    (action, step, when) for action, steps in STEPS.items() for step in steps for when in ("before", "after")
]


def opened(home: Path, policy: str = "packs") -> Desk:
    settings = Settings(cache=home / "cache")
    return Desk.open(home, policy=policy, settings=settings, embedders={"local": WordEmbedder()})


def on_disk(folder: Path, wanted: str) -> bool:
    return any(wanted.encode() in path.read_bytes() for path in folder.rglob("*") if path.is_file())


@pytest.mark.req("D7", "DOC5", "DOC7", "ING4")
@pytest.mark.parametrize(("action", "step", "when"), CASES)
def test_killed(action: str, step: str, when: str, tmp_path: Path) -> None:
    home, file = tmp_path / "desk", tmp_path / "notice.md"
    with opened(home) as desk:
        base = desk.bases.create("Handbook")
        if action != "add":
            file.write_text(OLD)
            base.add(file, wait=True)
    file.write_text(NEW)
    verb = {"replace": "add"}.get(action, action)
    killed(home, verb, file, step, when)

    expire_leases_and_grace(home)
    with opened(home) as desk:
        desk.work()
        found = desk.bases.find("Handbook")
        documents = [] if found is None else list(found.list_documents())
        texts = (
            []
            if found is None
            else [h.text for h in desk.search("office closes", bases=[found], mode="keyword")]
        )
        assert all(document.state == "ready" for document in documents)
        assert len(texts) == len(documents) <= 1
        old, new = on_disk(home, "oldmark"), on_disk(home, "newmark")
        if documents:
            assert (old, new) == ("oldmark" in texts[0], "newmark" in texts[0])
            assert desk.documents.text(documents[0].id) in (OLD, NEW)
        else:
            assert (old, new) == (False, False)
        assert len(list(home.glob("blobs/*"))) == len(documents)
        assert desk._parts.catalog.removals.due() == []


def expire_leases_and_grace(home: Path) -> None:
    """What the dead process held is not waited for."""
    with closing(sqlite3.connect(home / "catalog.sqlite")) as connection, connection:
        connection.execute("UPDATE slots SET lease_until = 0")
        connection.execute("UPDATE removals SET not_before = 0")


@pytest.mark.req("DOC7", "ING4")
@pytest.mark.parametrize("meanwhile", ["delete", "delete-base", "replace"])
@pytest.mark.parametrize(
    ("policy", "step", "when"),
    [("packs", "index", "after"), ("packs", "switch", "after"), ("bases", "blob", "after")],
)
def test_a_worker_killed_after_its_version_went_leaves_nothing(
    policy: str, step: str, when: str, meanwhile: str, tmp_path: Path
) -> None:
    """What it wrote after the deletion was paid is gone after the next start, and none waits for a lease."""
    home, file = tmp_path / "desk", tmp_path / "notice.md"
    with opened(home, policy) as desk:
        base = desk.bases.create("Handbook")
        file.write_text(OLD)
        base.add(file, wait=True)
    file.write_text(NEW)
    killed(home, "work", file, step, when, meanwhile)
    with opened(home, policy) as desk:
        assert not on_disk(home / "index", "newmark")
        assert not on_disk(home / "blobs", "newmark")
        left = [document.state for base in desk.bases.list() for document in base.list_documents()]
        assert left == (["ready"] if meanwhile == "replace" else [])
        assert (home / "index" / base.id).exists() is (meanwhile != "delete-base")
        texts = [
            hit.text for hit in desk.search("office closes", desk.bases.list() or [desk.bases.create("x")])
        ]
        assert [text.endswith("lastmark.") for text in texts] == [True] * len(left)
    expire_leases_and_grace(home)
    with opened(home, policy) as desk:
        assert desk._parts.catalog.removals.due() == []


@pytest.mark.req("DOC7", "ING4", "D4")
@pytest.mark.parametrize("meanwhile", ["delete", "delete-base", "replace", "retitle"])
def test_a_worker_that_stood_still_for_long_writes_no_passage_any_more(
    meanwhile: str, tmp_path: Path
) -> None:
    """Its document is another's or gone, and nothing is owed any more, when it goes on and is killed."""
    home, file = tmp_path / "desk", tmp_path / "notice.md"
    with opened(home) as desk:
        desk.bases.create("Handbook")
    file.write_text(NEW)
    killed(home, "work", file, "index", "after", meanwhile, "late")
    with opened(home) as desk:
        kept = meanwhile == "retitle"
        assert on_disk(home / "index", "newmark") is kept
        assert on_disk(home / "blobs", "newmark") is kept
        left = [document.state for base in desk.bases.list() for document in base.list_documents()]
        assert left == ([] if meanwhile.startswith("delete") else ["ready"])
        if kept:
            assert [hit.title for hit in desk.search("latemark", ["Handbook"], mode="keyword")] == [
                "Latemark"
            ]


def killed(home: Path, *what: str | Path) -> None:
    call = [sys.executable, Path(__file__).with_name("killed.py"), home, *what]
    done = subprocess.run(list(map(str, call)), capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
