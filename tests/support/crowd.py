"""Many organizations, many workers, and somebody who kills them: for the queue's test and its benchmark.

    crowd.py JOURNAL HOME WORK    one worker, until it is killed; WORK: `real`, or a document's seconds

Each worker writes down when it has claimed a document and when it is about to let it go, by a clock that all
processes of a machine share. So every interval in the journal lies inside the true one: where two overlap,
two documents were in work at once.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from refdesk import Desk
from refdesk.catalog import Catalog
from refdesk.catalog.claims import Claim
from refdesk.catalog.queue import ATTEMPTS, Queue
from refdesk.catalog.schema import documents, slots
from refdesk.desk.house import House
from refdesk.ingest.heartbeat import Heartbeat
from refdesk.ingest.worker import Worker, worker_name
from refdesk.settings import Settings

CAP = 2  # ING3, in every policy


def settings(database: str, folder: Path) -> Settings:
    return Settings(database_url=database, cache=folder / "cache")  # type: ignore[arg-type]


def fill(home: Path, its: Settings, sizes: Sequence[int]) -> None:
    """An organization for each size, with so many documents queued."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number in range(max(sizes)):
            paths.append(Path(folder) / f"{number:05}.md")
            paths[-1].write_text(f"# Ledger {number}\n\nThe ledger of number {number} is kept.\n")
        with Desk.open(home, settings=its) as desk:
            for number, size in enumerate(sizes):
                slug = f"organization-{number}"
                desk.projects.create(slug, policy="bases")
                ours = desk.acting(desk.principal, slug)
                ours.bases.create("Ledgers").add(*paths[:size])


@dataclass
class Journal:
    """``claims``: (time, organization, document) in order; ``spans``: by organization, (begin, end)."""

    claims: list[tuple[int, str, str]] = field(default_factory=list)
    spans: dict[str, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))
    done: Counter[str] = field(default_factory=Counter)

    @classmethod
    def read(cls, path: Path) -> Journal:
        made, open_spans = cls(), {}
        lines = sorted(line.split() for line in path.read_text().splitlines())
        for at, what, worker, *rest in lines:
            if what == "claimed":
                organization, document = rest
                made.claims.append((int(at), organization, document))
                open_spans[worker] = (int(at), organization)
            elif worker in open_spans:
                begin, organization = open_spans.pop(worker)
                made.spans[organization].append((begin, int(at)))
            if what == "done":
                made.done[rest[0]] += 1
        return made

    def most_at_once(self) -> int:
        """In any organization, at any instant."""
        most = 0
        for spans in self.spans.values():
            edges = sorted([(end, -1) for _, end in spans] + [(begin, 1) for begin, _ in spans])
            at_once = 0
            for _, change in edges:
                at_once += change
                most = max(most, at_once)
        return most

    def spread(self, sizes: Sequence[int]) -> int:
        """How far organizations are apart in first claims, at most, while each has something waiting."""
        seen: set[str] = set()
        served: Counter[str] = Counter()
        widest = 0
        for _, organization, document in self.claims:
            if document in seen:
                continue
            seen.add(document)
            served[organization] += 1
            if served[organization] >= min(sizes):
                break
            counts = [served[one] for one in self.spans]
            widest = max(widest, max(counts) - min(counts))
        return widest

    def furthest_out_of_turn(self, queued: Sequence[str]) -> int:
        """By how many places a document of one organization was claimed before one queued earlier."""
        wanted = set(queued)
        order = list(dict.fromkeys(document for _, _, document in self.claims if document in wanted))
        place = {document: number for number, document in enumerate(queued)}
        return max((abs(place[document] - number) for number, document in enumerate(order)), default=0)


@dataclass
class Crowd:
    """``processes`` workers; each time ``kill_every`` documents more are done, one that is at work is killed
    with SIGKILL and replaced."""

    home: Path
    settings: Settings
    journal: Path
    work: str
    processes: int
    kill_every: int
    kills: int = 0
    most_seen: int = 0

    def run(self, catalog: Catalog, give_up: float) -> None:
        """Until nothing waits, or ``give_up`` by the monotonic clock."""
        with self._started() as workers:
            left = waiting(catalog)
            next_kill = left - 1
            while left and time.monotonic() < give_up:
                self.most_seen = max(self.most_seen, taken(catalog))
                assert all(worker.poll() is None for worker in workers), "a worker ended by itself"
                if left <= next_kill and self._kill(catalog, workers):
                    next_kill = left - self.kill_every
                time.sleep(0.02)
                left = waiting(catalog)

    def _kill(self, catalog: Catalog, workers: list[subprocess.Popen[bytes]]) -> bool:
        may = may_be_killed(catalog)
        for number, worker in enumerate(workers):
            if worker_name(worker.pid) in may:
                write(self.journal, "killed", worker_name(worker.pid))
                worker.kill()
                worker.wait()
                catalog.queue.died(worker_name(worker.pid))
                self.kills += 1
                workers[number] = self._worker()
                return True
        return False

    @contextmanager
    def _started(self) -> Iterator[list[subprocess.Popen[bytes]]]:
        workers = [self._worker() for _ in range(self.processes)]
        try:
            yield workers
        finally:
            for worker in workers:
                worker.terminate()
            for worker in workers:
                worker.wait()

    def _worker(self) -> subprocess.Popen[bytes]:
        call = [sys.executable, __file__, str(self.journal), str(self.home), self.work]
        return subprocess.Popen(call, env={**os.environ, **self.settings.environment()})


def taken(catalog: Catalog) -> int:
    """The most slots that one organization has now."""
    query = select(func.count()).select_from(slots).group_by(slots.c.organization_id)
    with catalog.database.read() as connection:
        return max(connection.execute(query).scalars(), default=0)


def may_be_killed(catalog: Catalog) -> set[str]:
    """Workers at a document that is not tried for the last time: it would be given up, and is no poison."""
    query = select(slots.c.worker).join(documents, documents.c.slot == slots.c.id)
    with catalog.database.read() as connection:
        return set(connection.execute(query.where(documents.c.attempts < ATTEMPTS)).scalars())


def states(catalog: Catalog) -> set[str]:
    with catalog.database.read() as connection:
        return set(connection.execute(select(documents.c.state).distinct()).scalars())


def waiting(catalog: Catalog) -> int:
    query = select(func.count()).select_from(documents).where(documents.c.state.in_(("queued", "indexing")))
    with catalog.database.read() as connection:
        return connection.execute(query).scalar_one()


def queued_of(catalog: Catalog) -> dict[str, list[str]]:
    """By organization, the documents in the order in which they were queued."""
    query = select(documents.c.organization_id, documents.c.id).order_by(
        documents.c.queued_at, documents.c.id
    )
    found: dict[str, list[str]] = defaultdict(list)
    with catalog.database.read() as connection:
        for organization, document in connection.execute(query):
            found[organization].append(document)
    return found


def write(journal: Path, what: str, worker: str, *rest: str) -> None:
    line = " ".join((f"{time.monotonic_ns():020}", what, worker, *rest)) + "\n"
    file = os.open(journal, os.O_APPEND | os.O_CREAT | os.O_WRONLY)
    os.write(file, line.encode())
    os.close(file)


class JournalledQueue(Queue):
    """Writes down what it gives, and what is about to end."""

    def __init__(self, catalog: Catalog, journal: Path) -> None:
        super().__init__(catalog.database)
        self._journal = journal
        self._worker = worker_name(os.getpid())

    def claim(self, worker: str, project: str | None = None, **which: Any) -> Claim | None:
        claim = super().claim(worker, project, **which)
        if claim is not None:
            write(self._journal, "claimed", self._worker, claim.organization, claim.document)
        return claim

    def switch(
        self, claim: Claim, passages: int, *, code: str | None = None, error: str | None = None
    ) -> bool:
        write(self._journal, "ending", self._worker)
        held = super().switch(claim, passages, code=code, error=error)
        if held:
            write(self._journal, "done", self._worker, claim.document)
        return held

    def release(self, claim: Claim) -> bool:
        write(self._journal, "ending", self._worker)
        return super().release(claim)

    def abandon(self, claim: Claim) -> None:
        write(self._journal, "ending", self._worker)
        super().abandon(claim)


def work(journal: Path, home: str, kind: str) -> None:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    with closing(House.open(home)) as house:
        house.catalog.queue = queue = JournalledQueue(house.catalog, journal)
        worker = Worker(house.context, name=worker_name(os.getpid()))
        while True:
            found = worker.run_one() if kind == "real" else pretend(queue, float(kind))
            if not found:
                time.sleep(0.05)


def pretend(queue: Queue, seconds: float) -> bool:
    """All that the queue has to do with a document, and none of its reading and indexing."""
    claim = queue.claim(worker_name(os.getpid()))
    if claim is None:
        return False
    try:
        with Heartbeat(queue, claim) as heart:
            heart.stage("index", 1)
            time.sleep(random.uniform(0, 2 * seconds))
    except SystemExit:
        queue.release(claim)
        raise
    queue.switch(claim, 1)
    return True


if __name__ == "__main__":
    work(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
