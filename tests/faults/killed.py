"""Run as a process: does one thing to a desk and is killed (SIGKILL) before or after one step of it.

killed.py HOME ACTION FILE STEP before|after [MEANWHILE]

Before that step somebody else may have done something to the same document: MEANWHILE.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from refdesk import Desk
from refdesk.blobs import Blobs
from refdesk.catalog.bases import Bases
from refdesk.catalog.documents import Documents
from refdesk.catalog.queue import Queue
from refdesk.catalog.removals import Removals
from refdesk.index.local import LocalIndex
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
        result = real(*args, **kwargs)
        os.kill(os.getpid(), signal.SIGKILL)
        return result

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
    else:
        base.delete()


def main(home: str, action: str, file: str, step: str, when: str, meanwhile: str = "") -> None:
    embedders = {"local": WordEmbedder()}
    other = Desk.open(home, embedders=embedders)
    desk = Desk.open(home, embedders=embedders)
    if action == "work":
        desk.bases.get("Handbook").add(Path(file))
    arm(step, when, lambda: do(other, meanwhile, Path(file)))
    if action == "work":
        desk.work()
    else:
        do(desk, action, Path(file))


if __name__ == "__main__":
    main(*sys.argv[1:])
