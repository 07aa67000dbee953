"""Loads the demo's packs into a desk. Doing it again restores the documents and touches nothing else."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from refdesk.demo.catalog import PACKS, Pack
from refdesk.demo.make import write
from refdesk.desk import Base, Desk
from refdesk.errors import Failed
from refdesk.ingest.context import Progress, silent


@dataclass(frozen=True, slots=True)
class Seeded:
    """``documents`` and ``passages`` count what the packs hold now."""

    packs: int
    documents: int
    passages: int
    seconds: float


def seed(desk: Desk, progress: Progress = silent) -> Seeded:
    """Each document is ready when this returns. Raises ``Failed`` where one is not."""
    started = time.monotonic()
    bases = [_pack(desk, pack, progress) for pack in PACKS]
    documents = [document for base in bases for document in base.list_documents()]
    return Seeded(
        packs=len(bases),
        documents=len(documents),
        passages=sum(document.passages or 0 for document in documents),
        seconds=time.monotonic() - started,
    )


def _pack(desk: Desk, pack: Pack, progress: Progress) -> Base:
    base = desk.bases.find(pack.name) or desk.bases.create(
        pack.name, description=pack.description, kind="generic"
    )
    with TemporaryDirectory(prefix="refdesk-demo-") as folder:
        added = base.add(*write(pack, Path(folder)), wait=True, progress=progress)
    for document in added.documents:
        if document.state != "ready":
            raise Failed(f"The demo's {document.name} is {document.state}: {document.error}")
    return base
