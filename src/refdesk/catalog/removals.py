"""What a deletion, a replacement or a broken-off upload still owes to index and blobs.

The catalog changes first, in one transaction that also writes the debt; index and blobs follow, and
the debt is struck. A crash in between leaves the debt, and the next start pays it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, select

from refdesk.catalog.connect import Database
from refdesk.catalog.schema import bases, documents, removals, versions
from refdesk.ids import new_id

UPLOAD_GRACE = 600.0  # seconds that an upload may take between its first file and its row


@dataclass(frozen=True, slots=True)
class Announced:
    """An upload that is about to write files; ``files`` names their folder among the blobs."""

    removal: str
    base: str
    document: str
    files: str


@dataclass(frozen=True, slots=True)
class Removal:
    """``document`` ``None``: the whole base. ``below``: the versions below one leave the index; without it
    all of the document does. Files of the document that no version names go in every case."""

    id: str
    base: str
    document: str | None
    below: int | None
    upload: bool


class Removals:
    def __init__(self, database: Database) -> None:
        self._database = database

    def announce(self, base: str, document: str) -> Announced:
        """Before an upload's first file is written: if no row follows, its files are removed later."""
        files = new_id("upl")
        with self._database.write() as connection:
            removal = owe(connection, base, document, files=files, not_before=time.time() + UPLOAD_GRACE)
        return Announced(removal, base, document, files)

    def withdraw(self, announced: Announced) -> None:
        """The upload was refused: what it owes is due now."""
        with self._database.write() as connection:
            connection.execute(
                removals.update().where(removals.c.id == announced.removal).values(not_before=0.0)
            )

    def due(self) -> Sequence[Removal]:
        query = select(removals).where(removals.c.not_before <= time.time()).order_by(removals.c.id)
        with self._database.read() as connection:
            rows = connection.execute(query).mappings().all()
        return [
            Removal(row["id"], row["base_id"], row["document_id"], row["below"], row["files"] is not None)
            for row in rows
        ]

    def files_in_use(self, document: str) -> set[str]:
        """Files that a version names, or that an upload is writing now."""
        named = select(versions.c.files).where(versions.c.document_id == document)
        writing = select(removals.c.files).where(
            removals.c.document_id == document,
            removals.c.files.is_not(None),
            removals.c.not_before > time.time(),
        )
        with self._database.read() as connection:
            return set(connection.execute(named.union(writing)).scalars())

    def abandoned(self, base: str, document: str) -> bool:
        """A worker lost its claim: what it may have written for a document that went meanwhile is owed."""
        with self._database.write() as connection:
            if connection.execute(select(documents.c.id).where(documents.c.id == document)).first():
                return False
            owe(connection, base, document)
            if connection.execute(select(bases.c.id).where(bases.c.id == base)).first() is None:
                owe(connection, base, None)
        return True

    def strike(self, paid: Sequence[str]) -> None:
        with self._database.write() as connection:
            for removal in paid:
                strike(connection, removal)


def owe(
    connection: Connection,
    base: str,
    document: str | None,
    *,
    below: int | None = None,
    files: str | None = None,
    not_before: float = 0.0,
) -> str:
    made = new_id("rem")
    connection.execute(
        removals.insert().values(
            id=made, base_id=base, document_id=document, below=below, files=files, not_before=not_before
        )
    )
    return made


def strike(connection: Connection, removal: str) -> bool:
    """``False`` where it was paid and struck already."""
    return connection.execute(delete(removals).where(removals.c.id == removal)).rowcount == 1
