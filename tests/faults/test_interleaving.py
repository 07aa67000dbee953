"""Adding, replacing, deleting and searching from several processes at once: no search ever sees a passage of
a document that is not ready, of another base, of a version that was replaced, or of one that was deleted."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from refdesk import Desk
from refdesk.settings import Settings
from refdesk.testing import WordEmbedder

WRITERS, SEARCHERS, OPERATIONS = 2, 2, 14


@pytest.mark.req("ING2", "ING4", "KB2", "DOC7")
@pytest.mark.parametrize("seed", ["one", "two"])
def test_every_search_sees_only_what_is_live(seed: str, tmp_path: Path) -> None:
    home, journal, stop = tmp_path / "desk", tmp_path / "journal", tmp_path / "stop"
    embedders = {"local": WordEmbedder()}
    with Desk.open(home, settings=Settings(cache=tmp_path), embedders=embedders) as desk:
        for name in ("Alpha", "Beta"):
            desk.bases.create(name)
    journal.touch()
    with ExitStack() as processes:
        writers = [
            processes.enter_context(started(tmp_path, "writer", number, seed, str(OPERATIONS)))
            for number in range(WRITERS)
        ]
        searchers = [
            processes.enter_context(started(tmp_path, "searcher", number, seed, str(stop)))
            for number in range(SEARCHERS)
        ]
        said = [writer.communicate(timeout=240) for writer in writers]
        stop.touch()
        said += [searcher.communicate(timeout=60) for searcher in searchers]
    for process, (_, trouble) in zip([*writers, *searchers], said, strict=True):
        assert process.returncode == 0, trouble.decode()
    for out, _ in said[WRITERS:]:
        assert int(out) >= 5
    assert journal.read_text().count("done") == WRITERS * OPERATIONS
    with Desk.open(home, settings=Settings(cache=tmp_path), embedders=embedders) as desk:
        live = [document for base in desk.bases.list() for document in base.list_documents()]
        assert {document.state for document in live} <= {"ready"}
        assert len(list((home / "blobs").iterdir())) == len(live)
        assert desk._parts.catalog.removals.due() == []


def started(folder: Path, role: str, number: int, seed: str, last: str) -> subprocess.Popen[bytes]:
    script = str(Path(__file__).with_name("busy.py"))
    call = [
        sys.executable,
        script,
        str(folder / "desk"),
        str(folder / "journal"),
        role,
        str(number),
        seed,
        last,
    ]
    scratch = folder / f"{role}{number}"
    scratch.mkdir()
    environment = {**os.environ, "SCRATCH": str(scratch)}
    return subprocess.Popen(call, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
