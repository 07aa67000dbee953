"""Worker processes beside a desk, on both databases: killed, stopped, orphaned."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select

from refdesk import Desk
from refdesk.catalog.schema import slots
from refdesk.desk.bases import Base
from refdesk.desk.pool import WorkerPool

SECONDS = 120.0


def until(what: Callable[[], bool]) -> None:
    give_up = time.monotonic() + SECONDS
    while not what():
        assert time.monotonic() < give_up, "it did not come to that"
        time.sleep(0.05)


@pytest.fixture
def queued(desk: Desk, tmp_path: Path) -> Base:
    folder = tmp_path / "documents"
    folder.mkdir()
    for number in range(12):
        text = "\n\n".join(f"Paragraph {number} {line} about ledgers." for line in range(200))
        (folder / f"{number}.md").write_text(f"# Ledger {number}\n\n{text}\n")
    base = desk.bases.create("Handbook")
    base.add(folder)
    return base


def held(desk: Desk) -> list[str]:
    with desk._parts.catalog.database.read() as connection:
        return list(connection.execute(select(slots.c.worker)).scalars())


def children(parent: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it ended since it was listed
            if int(stat.read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(stat.parent.name))
    return found


def all_ready(base: Base) -> bool:
    return {document.state for document in base.list_documents()} == {"ready"}


@pytest.mark.req("D7", "ING3")
def test_workers_that_are_killed_are_replaced_and_what_they_had_is_done(desk: Desk, queued: Base) -> None:
    with desk.workers(2) as pool:
        first = pool.processes
        until(lambda: len(held(desk)) > 0)
        for process in first:
            os.kill(process, signal.SIGKILL)
        until(lambda: all_ready(queued))
        assert not set(first) & set(pool.processes)
        assert all(os.getpriority(os.PRIO_PROCESS, process) >= 10 for process in pool.processes)
    assert held(desk) == []
    assert [document.passages for document in queued.list_documents()].count(None) == 0


@pytest.mark.req("D7")
def test_workers_that_are_stopped_give_back_what_they_had(desk: Desk, queued: Base) -> None:
    with desk.workers(2) as pool:
        until(lambda: len(held(desk)) > 0)
        processes = pool.processes
    assert held(desk) == []
    assert not any(Path(f"/proc/{process}").exists() for process in processes)
    states = {document.state for document in queued.list_documents()}
    assert states <= {"queued", "ready"}
    desk.work()
    assert all_ready(queued)


@pytest.mark.req("D7")
def test_workers_end_with_the_process_that_started_them(desk: Desk, queued: Base) -> None:
    environment = {**os.environ, **desk.settings.environment()}
    call = [sys.executable, "-m", "refdesk", "--home", str(desk.home), "work", "--processes", "2"]
    parent = subprocess.Popen(call, env=environment, stderr=subprocess.PIPE)
    try:
        until(lambda: len(children(parent.pid)) == 2)
        workers = children(parent.pid)
        until(lambda: len(held(desk)) > 0)
    finally:
        parent.kill()
        parent.communicate()
    until(lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers))
    assert held(desk) == []


@pytest.mark.req("D7")
def test_the_command_stops_on_sigterm(desk: Desk, queued: Base) -> None:
    environment = {**os.environ, **desk.settings.environment()}
    call = [sys.executable, "-m", "refdesk", "--home", str(desk.home), "work", "--processes", "1", "--json"]
    parent = subprocess.Popen(call, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        until(lambda: len(held(desk)) == 1)
    finally:
        parent.terminate()
    out, _ = parent.communicate(timeout=SECONDS)
    assert (parent.returncode, json.loads(out)) == (0, {"processes": 1})
    assert held(desk) == []


def test_a_pool_of_none_runs_nothing(desk: Desk) -> None:
    with desk.workers(0) as pool:
        assert isinstance(pool, WorkerPool)
        assert pool.processes == []
