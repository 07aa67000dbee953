"""Run as a process: does one thing to a desk and is killed (SIGKILL) before or after one step of it.

killed.py HOME ACTION FILE STEP before|after [MEANWHILE [late]]

Before that step somebody else may have done something to the same document: MEANWHILE, and ``late`` so long
ago that nothing is waited for any more.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import update

from refdesk import Desk
from refdesk.blobs import Blobs
from refdesk.catalog.bases import Bases
from refdesk.catalog.documents import Documents
from refdesk.catalog.queue import Queue
from refdesk.catalog.removals import Removals
from refdesk.catalog.schema import removals, slots
from refdesk.index.local import LocalIndex
from refdesk.ingest.removals import pay
from refdesk.testing import WordEmbedder

STEPS: dict[str, tuple[type, str]] = {
    "announce": (Removals, "announce"),
    "blob": (Blobs, "put"),
    "insert": (Documents, "insert"),
    "replace": (Documents, "replace"),
    "claim": (Queue, "claim"),
    "index": (LocalIndex, "put"),
    "switch": (Queue, "switch"),
    "drop": (LocalIndex, "drop"),
    "unblob": (Blobs, "delete"),
    "tidy": (LocalIndex, "tidy"),
    "strike": (Removals, "strike"),
    "delete": (Documents, "delete"),
    "delete-base": (Bases, "delete"),
    "destroy": (LocalIndex, "destroy"),
}


def arm(step: str, when: str, meanwhile: Callable[[], None]) -> None:
    owner, name = STEPS[step]
    real = getattr(owner, name)

    def deadly(*args: Any, **kwargs: Any) -> Any:
        setattr(owner, name, real)
        meanwhile()
        if when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        try:
            return real(*args, **kwargs)
        finally:
            os.kill(os.getpid(), signal.SIGKILL)

    setattr(owner, name, deadly)


def do(desk: Desk, action: str, file: Path) -> None:
    base = desk.bases.find("Handbook")
    if base is None or not action:
        return
    if action == "add":
        base.add(file, wait=True)
    elif action == "delete":
        desk.documents.delete(*[document.id for document in base.list_documents()])
    elif action == "replace":
        file.write_text("# Notice\n\nThe office closes at nineteen lastmark.\n")
        base.add(file, wait=True)
    elif action == "retitle":
        for document in base.list_documents():
            desk.documents.update(document.id, title="Latemark")
        desk.work()
    else:
        base.delete()


def lapse(desk: Desk) -> None:
    """The time is over that anything is waited for, and all that is owed is paid."""
    with desk._parts.catalog.database.write() as connection:
        connection.execute(update(slots).values(lease_until=0))
        connection.execute(update(removals).values(not_before=0))
    pay(desk._parts.context)


def main(
    home: str, action: str, file: str, step: str, when: str, meanwhile: str = "", late: str = ""
) -> None:
    embedders = {"local": WordEmbedder()}
    other = Desk.open(home, embedders=embedders)
    desk = Desk.open(home, embedders=embedders)
    if action == "work":
        desk.bases.get("Handbook").add(Path(file))

    def others() -> None:
        if late:
            lapse(other)
        do(other, meanwhile, Path(file))
        if late:
            lapse(other)

    arm(step, when, others)
    if action == "work":
        desk.work()
    else:
        do(desk, action, Path(file))


if __name__ == "__main__":
    main(*sys.argv[1:])
