"""Run as a process: does one thing to a desk and is killed (SIGKILL) before or after one step of it.

killed.py HOME ACTION FILE STEP before|after
"""

from __future__ import annotations

import os
import signal
import sys
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


def arm(step: str, when: str) -> None:
    owner, name = STEPS[step]
    real = getattr(owner, name)

    def deadly(*args: Any, **kwargs: Any) -> Any:
        if when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        result = real(*args, **kwargs)
        os.kill(os.getpid(), signal.SIGKILL)
        return result

    setattr(owner, name, deadly)


def main(home: str, action: str, file: str, step: str, when: str) -> None:
    desk = Desk.open(home, embedders={"local": WordEmbedder()})
    base = desk.bases.get("Handbook")
    arm(step, when)
    if action == "add":
        base.add(Path(file), wait=True)
    elif action == "delete":
        desk.documents.delete(*[document.id for document in base.list_documents()])
    else:
        base.delete()


if __name__ == "__main__":
    main(*sys.argv[1:])
