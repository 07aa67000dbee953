"""Adding, replacing, deleting, reindexing and killed workers, while another process searches: a search sees
only what may be there, whole and in one version, and misses nothing that must be there."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from refdesk import Desk
from refdesk.ingest.removals import pay
from refdesk.settings import Settings
from refdesk.testing import WordEmbedder

BASES, NAMES = 2, 3
PASSAGES = 2  # of every document; with NAMES documents a base they are fewer than a search issues
PATIENCE = 60.0  # seconds
NEVER = float("inf")
PAUSE = st.integers(0, 50)  # milliseconds
SAID = re.compile(r"ledger (\d+) of base (\S+) called (\S+) is kept")

pytestmark = pytest.mark.req("ING2", "ING4", "KB2", "DOC7", "D7")


@dataclass
class Written:
    """One version of a document: ``said`` is the number in its text. A search may show it from ``begun`` to
    ``over``, and one that lies between ``live`` and ``ending`` must show it or its successor."""

    said: int
    begun: float
    over: float = NEVER


@dataclass
class Document:
    base: str
    name: str
    versions: list[Written] = field(default_factory=list)
    live: float = NEVER
    ending: float = NEVER
    ended: float = NEVER


class House:
    """One desk with its processes, for all runs: each has bases of its own."""

    def __init__(self, folder: Path, policy: str) -> None:
        self.folder = folder
        self.home = folder / "desk"
        self.seen, self.targets, self.trouble = (folder / name for name in ("seen", "targets", "trouble"))
        for file in (self.seen, self.targets, self.trouble):
            file.touch()
        self.desk = Desk.open(
            self.home,
            policy=policy,
            settings=Settings(cache=folder / "cache"),
            embedders={"local": WordEmbedder()},
        )
        self.keeps = self.desk.policy.ingestion.while_reprocessing == "keep"
        call = [sys.executable, str(Path(__file__).with_name("busy.py"))]
        call += [str(path) for path in (self.home, self.seen, self.targets, self.trouble)]
        self._nursery = subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.workers = [self.start("work") for _ in range(2)]
        self.start("search")
        self._read = 0
        self.checked = 0
        self.numbers = count(1)

    def start(self, role: str) -> int:
        assert self._nursery.stdin is not None
        assert self._nursery.stdout is not None
        self._nursery.stdin.write(f"{role}\n")
        self._nursery.stdin.flush()
        return int(self._nursery.stdout.readline())

    def kill(self, worker: int) -> None:
        """What it held is free at once, and no document is given up for it."""
        os.kill(self.workers[worker], signal.SIGKILL)
        gone = f"%:{self.workers[worker]}:%"
        self.workers[worker] = self.start("work")
        self.execute("UPDATE documents SET attempts = 0")
        self.execute("UPDATE slots SET lease_until = 0 WHERE worker LIKE ?", gone)

    def execute(self, statement: str, *values: Any) -> None:
        with closing(sqlite3.connect(self.home / "catalog.sqlite", timeout=10)) as connection, connection:
            connection.execute(statement, values)

    def searches(self) -> Iterator[dict[str, Any]]:
        """Those that ended since the last call."""
        with self.seen.open() as file:
            file.seek(self._read)
            while (line := file.readline()).endswith("\n"):
                self._read = file.tell()
                yield json.loads(line)

    def close(self) -> None:
        assert self._nursery.stdin is not None
        self._nursery.stdin.close()
        self._nursery.wait(PATIENCE)
        assert self._nursery.stdout is not None
        self._nursery.stdout.close()
        self.desk.close()
        assert self.trouble.read_text() == ""


class Interleaving(RuleBasedStateMachine):
    house: House

    def __init__(self) -> None:
        super().__init__()
        self.bases = [f"Base{next(self.house.numbers)}" for _ in range(BASES)]
        self.documents: dict[str, Document] = {}
        self.checked = 0
        for base in self.bases:
            self.house.desk.bases.create(base)
        self.house.targets.write_text(" ".join(self.bases))

    @initialize()
    def begin(self) -> None:
        for base in range(BASES):
            self.write(base, 0, 0)

    @rule(base=st.integers(0, BASES - 1), name=st.integers(0, NAMES - 1), pause=PAUSE)
    def write(self, base: int, name: int, pause: int) -> None:
        """A new document, or a new version of one, or one again under the name of a deleted one."""
        where, called = self.bases[base], f"{name}.md"
        written = Written(next(self.house.numbers), time.monotonic())
        path = self.house.folder / called
        path.write_text(text(where, called, written.said))
        [added] = self.house.desk.bases.get(where).add(path).documents
        document = self.documents.setdefault(str(added.id), Document(where, called))
        assert added.change == ("replaced" if document.versions else "added")
        document.versions.append(written)
        time.sleep(pause / 1000)

    @precondition(lambda self: self.there())
    @rule(which=st.integers(0, BASES * NAMES - 1), pause=PAUSE)
    def delete(self, which: int, pause: int) -> None:
        there = self.there()
        name = there[which % len(there)]
        self.documents[name].ending = time.monotonic()
        self.house.desk.documents.delete(name)
        self.documents[name].ended = time.monotonic()
        time.sleep(pause / 1000)

    @rule(base=st.integers(0, BASES - 1))
    def reindex(self, base: int) -> None:
        again = self.house.desk.bases.get(self.bases[base])
        self.house.desk._parts.index(again.id).set_setting("analyzer", "0")
        again.reindex()
        for document in self.documents.values():
            if document.base == self.bases[base] and not self.house.keeps:
                document.live = NEVER  # as far as one knows, until it is seen again

    @rule(worker=st.integers(0, 1), pause=PAUSE)
    def kill(self, worker: int, pause: int) -> None:
        time.sleep(pause / 1000)
        self.house.kill(worker)

    @invariant()
    def what_was_found_could_be_there(self) -> None:
        searches = list(self.house.searches())
        self.look()
        for search in searches:
            if search["base"] in self.bases:
                self.check(search)
        assert self.house.trouble.read_text() == ""

    def there(self) -> list[str]:
        return [name for name, document in self.documents.items() if document.ended == NEVER]

    def look(self) -> None:
        """Which versions are live by now, and which of them are therefore over."""
        for base in self.bases:
            for row in self.house.desk.bases.get(base).list_documents():
                at, document = time.monotonic(), self.documents[row.id]
                assert row.state != "failed", row.error
                if row.indexed_version is not None:
                    document.live = min(document.live, at)
                    for older in document.versions[: row.indexed_version - 1]:
                        older.over = min(older.over, at)

    def check(self, search: dict[str, Any]) -> None:
        self.checked += 1
        began, ended = search["began"], search["ended"]
        shown: dict[str, set[int]] = {}
        for base, name, position, said in search["hits"]:
            document = self.documents[name]
            number, of, called = next(iter(SAID.findall(said)))
            assert (base, of, called) == (search["base"], document.base, document.name), search
            [version] = [one for one in document.versions if one.said == int(number)]
            assert version.begun <= ended, (search, document)
            assert began <= min(version.over, document.ended), (search, document)
            shown.setdefault(f"{name} {number}", set()).add(position)
        versions = [key.split()[0] for key in shown]
        assert len(set(versions)) == len(versions), ("two versions of a document", search)
        assert all(len(positions) == PASSAGES for positions in shown.values()), ("not whole", search)
        for name, document in self.documents.items():
            if document.base == search["base"] and document.live <= began and ended <= document.ending:
                assert name in versions, ("missed", name, document, search)

    def teardown(self) -> None:
        """All that was accepted gets ready, and the index holds this and nothing else."""
        until = time.monotonic() + PATIENCE
        ids = self.there()
        while self.house.desk._parts.catalog.documents.unfinished(ids):
            assert time.monotonic() < until, "the queue stands still"
            self.what_was_found_could_be_there()
            time.sleep(0.02)
        self.what_was_found_could_be_there()
        self.house.checked += self.checked
        self.house.targets.write_text("")
        self.house.execute("UPDATE removals SET not_before = 0")
        pay(self.house.desk._parts.context)
        assert self.house.desk._parts.catalog.removals.due() == []
        for name in self.bases:
            base = self.house.desk.bases.get(name)
            index = self.house.home / "index" / base.id / "index.db"
            wanted = {(one.id, one.version) for one in base.list_documents()}
            assert held(index) == wanted
            base.delete()
            assert not index.parent.exists()
        assert not [path for path in (self.house.home / "blobs").rglob("*") if path.is_file()]


def text(base: str, name: str, number: int) -> str:
    said = f"The ledger {number} of base {base} called {name} is kept."
    filler = " ".join(f"Column {number} {place} holds a sum." for place in range(22))
    return "".join(f"# Part {part}\n\n{said} {filler}\n\n" for part in range(PASSAGES))


def held(index: Path) -> set[tuple[str, int]]:
    """The documents and versions whose passages are there."""
    if not index.exists():
        return set()
    with closing(sqlite3.connect(index)) as connection:
        return set(connection.execute("SELECT DISTINCT document, version FROM passages"))


@pytest.mark.parametrize(("policy", "runs"), [("packs", 8), ("bases", 4)])
def test_every_search_sees_only_what_may_be_there(policy: str, runs: int, tmp_path: Path) -> None:
    """Read at once and searched while it is reprocessed, or read in the queue and skipped meanwhile."""
    house = House(tmp_path, policy)
    machine = type("Machine", (Interleaving,), {"house": house})
    try:
        run_state_machine_as_test(
            machine,
            settings=settings(
                max_examples=runs,
                stateful_step_count=20,
                deadline=None,
                derandomize=True,
                suppress_health_check=list(HealthCheck),
            ),
        )
        assert house.checked > 20 * runs
    finally:
        house.close()
