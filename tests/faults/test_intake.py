"""A server's uploads are accepted by another process, which may die without harm; on both databases."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from socket import socket
from typing import Any

import pytest

from refdesk import Desk
from refdesk.desk.intake import Intake, received
from refdesk.errors import Failed, Refusal

SECONDS = 120.0


@pytest.fixture
def intake(desk: Desk) -> Iterator[Intake]:
    with desk.intake() as opened:
        yield opened


def written(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text)
    return file


def _gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.req("ING3", "DOC4")
def test_what_is_uploaded_is_as_if_it_were_accepted_here(desk: Desk, intake: Intake, tmp_path: Path) -> None:
    base = desk.bases.create("Handbook")
    file = written(tmp_path, "hours.md", "# Hours\n\nWe open at nine.\n")
    made = base.upload(file, "hours.md", source_url="https://example.com/hours", metadata={"year": "2026"})
    assert (made.name, made.state, made.version) == ("hours.md", "queued", 1)
    assert (made.source_url, made.metadata) == ("https://example.com/hours", {"year": "2026"})
    assert base.upload(file, "hours.md", replaces=made.id).version == 1  # the same bytes again
    with pytest.raises(Refusal) as refused:
        base.upload(written(tmp_path, "empty.md", "\n"), "empty.md")
    assert refused.value.code == "no_text"
    with pytest.raises(Refusal) as unread:
        base.upload(tmp_path / "nowhere.md", "nowhere.md")
    assert unread.value.code == "damaged"
    assert [one.name for one in base.list_documents()] == ["hours.md"]
    desk.work()
    assert desk.documents.reingest(made.id).version == 2


@pytest.mark.req("ING2", "ING3")
def test_an_upload_whose_process_is_killed_is_told_and_the_next_is_taken(
    desk: Desk, intake: Intake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = desk.bases.create("Handbook")
    file = written(tmp_path, "hours.md", "# Hours\n\nWe open at nine.\n")
    first = base.upload(file, "first.md")
    handed_over = threading.Event()

    def waits(answer: socket) -> Any:
        handed_over.set()
        return received(answer)

    monkeypatch.setattr("refdesk.desk.intake.received", waits)
    os.kill(intake.process, signal.SIGSTOP)  # so that the next is surely in its hands when it dies
    died = intake.process
    with ThreadPoolExecutor(1) as thread:
        waiting = thread.submit(base.upload, file, "second.md")
        assert handed_over.wait(SECONDS)
        os.kill(died, signal.SIGKILL)
        with pytest.raises(Failed) as broken:
            waiting.result(SECONDS)
    assert (broken.value.code, broken.value.retry_after) == ("upload_broke_off", 1)
    third = base.upload(file, "third.md")
    assert intake.process != died
    assert [one.id for one in base.list_documents()] == [first.id, third.id]


DIES_WHEN_DONE = """
import os, pathlib, signal, sys

if "refdesk.desk.intake_process" in sys.orig_argv:
    from refdesk.catalog.documents import Documents

    def insert(*arguments, real=Documents.insert, **more):
        real(*arguments, **more)
        once = pathlib.Path(__file__).with_name("once")
        if once.exists():
            once.unlink()
            os.kill(os.getpid(), signal.SIGKILL)

    Documents.insert = insert
"""


@pytest.mark.req("ING3", "H2")
def test_an_upload_that_was_stored_when_its_process_died_is_accepted_and_not_stored_twice(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    patched = tmp_path / "patched"
    patched.mkdir()
    written(patched, "sitecustomize.py", DIES_WHEN_DONE)
    written(patched, "once", "")
    monkeypatch.setenv("PYTHONPATH", str(patched))
    base = desk.bases.create("Handbook")
    file = written(tmp_path, "hours.md", "# Hours\n\nWe open at nine.\n")
    with desk.intake() as intake:
        process = intake.process
        first = base.upload(file, "hours.md")
        second = base.upload(file, "more.md")
        assert intake.process != process
    assert [one.id for one in base.list_documents()] == [first.id, second.id]
    desk.work()
    assert {one.state for one in base.list_documents()} == {"ready"}


@pytest.mark.req("ING3")
def test_it_ends_with_the_server_when_what_it_has_begun_is_done(desk: Desk, tmp_path: Path) -> None:
    base = desk.bases.create("Handbook")
    with desk.intake() as intake:
        process = intake.process
        made = base.upload(written(tmp_path, "hours.md", "We open at nine.\n"), "hours.md")
        os.kill(process, signal.SIGTERM)  # as a service manager sends it to every process
        more = base.upload(tmp_path / "hours.md", "more.md")
        assert intake.process == process
    assert _gone(process)
    last = base.upload(tmp_path / "hours.md", "last.md")  # accepted here again
    assert len({made.id, more.id, last.id}) == 3
