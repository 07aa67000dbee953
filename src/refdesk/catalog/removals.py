"""What a deletion, a replacement, a broken-off upload or a worker that died still owes to index and blobs.

The catalog changes first, in one transaction that also writes the debt; index and blobs follow, and
the debt is struck. A crash in between leaves the debt, and the next start pays it. Who is about to write
announces it by a debt that is due later, and is struck when the catalog knows what was written.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, delete, func, select, update

from refdesk.catalog.asked import Debts
from refdesk.catalog.schema import bases, removals, versions
from refdesk.ids import new_id

GRACE = 600.0  # seconds from an announcement to the end of what is written then

# Made once, since making a statement costs several times what it costs to run.
_OWE = removals.insert()
_STRIKE = delete(removals).where(removals.c.id == bindparam("removal"))
_POSTPONE = update(removals).where(removals.c.id == bindparam("removal"))
_BASE = select(bases.c.id).where(bases.c.id == bindparam("base"))
_OLDEST = select(func.min(versions.c.version)).where(versions.c.document_id == bindparam("document"))
_IN_USE = (
    select(versions.c.files)
    .where(versions.c.document_id == bindparam("document"))
    .union(
        select(removals.c.files).where(
            removals.c.document_id == bindparam("document"),
            removals.c.files.is_not(None),
            removals.c.not_before > bindparam("at"),
        )
    )
)


@dataclass(frozen=True, slots=True)
class Announced:
    """An upload that is about to write files; ``files`` names their folder among the blobs."""

    removal: str
    base: str
    document: str
    files: str


class Removals(Debts):
    def announce(self, base: str, document: str) -> Announced:
        """Before an upload's first file is written: if no row follows, its files are removed later."""
        files = new_id("upl")
        with self._database.write() as connection:
            removal = owe(connection, base, document, files=files, not_before=time.time() + GRACE)
        return Announced(removal, base, document, files)

    def withdraw(self, announced: Announced) -> None:
        """The upload was refused: what it owes is due now."""
        with self._database.write() as connection:
            connection.execute(_POSTPONE, {"removal": announced.removal, "not_before": 0.0})

    def has_base(self, base: str) -> bool:
        with self._database.read() as connection:
            return connection.execute(_BASE, {"base": base}).first() is not None

    def oldest_version(self, document: str) -> int | None:
        """Those below are not coming back, nor is a document that has none."""
        with self._database.read() as connection:
            return connection.execute(_OLDEST, {"document": document}).scalar()

    def files_in_use(self, document: str) -> set[str]:
        """Files that a version names, or that an upload is writing now."""
        with self._database.read() as connection:
            return set(connection.execute(_IN_USE, {"document": document, "at": time.time()}).scalars())

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
    removal: str | None = None,
) -> str:
    """``below``: of a document's versions, those below one."""
    removal = removal or new_id("rem")
    values = {"id": removal, "base_id": base, "document_id": document, "below": below, "files": files}
    connection.execute(_OWE, {**values, "not_before": not_before})
    return removal


def owe_work(
    connection: Connection, removal: str, base: str, document: str, *, version: int, not_before: float
) -> None:
    """Of a worker on one version, under a name that it has chosen; again, where it owes it already."""
    postponed = connection.execute(_POSTPONE, {"removal": removal, "not_before": not_before})
    if not postponed.rowcount:
        owe(connection, base, document, removal=removal, below=version + 1, not_before=not_before)


def strike(connection: Connection, removal: str) -> bool:
    """``False`` where it was paid and struck already."""
    return connection.execute(_STRIKE, {"removal": removal}).rowcount == 1
