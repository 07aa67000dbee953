"""The queue: a document's version is the unit of work, and is worked on while its claim holds a slot.

Fair between organizations: the one with the fewest slots taken comes first, then the one served longest ago;
inside an organization the oldest comes first. A worker that dies loses its slot, and the next one takes the
work; a worker that lost its claim can finish nothing, because every step asks for it. A claim is a debt as
well, struck when it ends: what a worker that died wrote of a version that went meanwhile is removed.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, Update, bindparam, delete, func, select, update

from refdesk.catalog import slots
from refdesk.catalog.claims import CHANGE, GIVE_BACK, Claim, change, claimed, holds
from refdesk.catalog.claims import owe as owe_claim
from refdesk.catalog.common import Actor, record
from refdesk.catalog.connect import Database
from refdesk.catalog.document_rows import Content
from refdesk.catalog.removals import GRACE, owe, strike
from refdesk.catalog.schema import bases, documents, organizations, projects, versions
from refdesk.catalog.schema import slots as taken
from refdesk.policy import load_policy

ATTEMPTS = 3  # a document that killed its worker this often is `failed`
PENDING = "vectors_pending"  # the code of a document that is found by keyword and queued for its vectors
BUSY_SECONDS = 0.01  # at most, until it is asked again what others were claiming just then

_FREE = {"slot": None}

# Made once, since making a statement costs several times what it costs to run.
_TAKE = (
    update(documents)
    .where(documents.c.id == bindparam("document"))
    .values(state="indexing", slot=bindparam("taken"), attempts=documents.c.attempts + 1)
)
_THIS = (versions.c.document_id == bindparam("document"), versions.c.version == bindparam("this"))
_NAMES = select(versions.c.version).where(*_THIS)
_UPDATE = update(versions).where(*_THIS)
_OLDER = delete(versions).where(
    versions.c.document_id == bindparam("document"), versions.c.version < bindparam("this")
)


class Queue:
    def __init__(self, database: Database) -> None:
        self._database = database

    def claim(self, worker: str, project: str | None = None, *, fresh: bool = False) -> Claim | None:
        """The document whose turn it is, or ``None`` where nothing is queued for which its organization has
        a slot. ``project`` limits it to one project's documents, ``fresh`` to those that do not wait for
        their vectors alone: these come last, and leave the others a slot."""
        while True:
            with self._database.write(alone=False) as connection:
                recover(connection)
                claim, busy = _first_free(connection, worker, project, fresh=fresh)
            if claim is not None or not busy:
                return claim
            time.sleep(random.uniform(0, BUSY_SECONDS))  # noqa: S311

    def beat(self, claim: Claim, progress: Mapping[str, Any] | None = None) -> bool:
        """Renews the claim and tells its progress; ``False`` where it was lost."""
        with self._database.write(alone=False) as connection:
            held = slots.renew(connection, claim.slot, progress) and holds(connection, claim)
            if held:
                owe_claim(connection, claim, time.time() + GRACE)
            return held

    def holds(self, claim: Claim) -> bool:
        with self._database.read() as connection:
            return holds(connection, claim)

    def names(self, claim: Claim) -> bool:
        """Whether its version is still one of the document's."""
        with self._database.read() as connection:
            return connection.execute(_NAMES, _this(claim)).first() is not None

    def abandon(self, claim: Claim) -> None:
        """It was lost, and its worker has stopped: its slot is free, and what it wrote of a version that
        went meanwhile is to be removed now."""
        with self._database.write(alone=False) as connection:
            slots.free(connection, claim.slot)
            owe_claim(connection, claim, 0.0)

    def read(self, claim: Claim, titles: Mapping[str, str | None], content: Content) -> bool:
        """What reading in the queue found (``accept = "queue"``)."""
        with self._database.write(alone=False) as connection:
            held = change(connection, claim, dict(titles))
            if held:
                _update_version(
                    connection,
                    claim,
                    chars=content.chars,
                    pages=content.pages,
                    notes=list(content.notes),
                    figures=list(content.figures),
                )
            return held

    def appear(self, claim: Claim, passages: int) -> bool:
        """Found by keyword from here on, and queued again for the vectors."""
        with self._database.write(alone=False) as connection:
            state = {"state": "queued", "code": PENDING, "error": None, "attempts": 0}
            return _go_live(connection, claim, passages, state)

    def switch(
        self, claim: Claim, passages: int, *, code: str | None = None, error: str | None = None
    ) -> bool:
        """The switch: this version is the live one from here on. With ``error`` (the vectors are missing,
        ING6) the document is found by keyword and reads ``failed``."""
        state = {"state": "failed" if error else "ready", "code": code, "error": error}
        with self._database.write(alone=False) as connection:
            return _go_live(connection, claim, passages, state)

    def fail(self, claim: Claim, code: str, error: str) -> bool:
        with self._database.write(alone=False) as connection:
            return _end(connection, claim, {"state": "failed", "code": code, "error": error})

    def release(self, claim: Claim) -> bool:
        """Back into the queue, as if never claimed: the worker was asked to stop."""
        with self._database.write(alone=False) as connection:
            return _end(connection, claim, {"state": "queued"}, GIVE_BACK)

    def cancel(self, document: str, actor: Actor) -> bool:
        """A queued document is not worked on, and one in work stops at its worker's next step, which frees
        the slot; what was live stays live. ``False`` where it was neither."""
        values = {
            "state": "failed",
            "code": "cancelled",
            "error": "Processing was cancelled: retry it when it is wanted.",
        }
        waiting = documents.c.state.in_(("queued", "indexing"))
        with self._database.write() as connection:
            query = update(documents).where(documents.c.id == document, waiting)
            cancelled = connection.execute(query.values(**values, **_FREE)).rowcount == 1
            if cancelled:
                record(connection, actor, "document.cancel", document)
            return cancelled

    def died(self, worker: str) -> int:
        """A worker is known to be dead, so nobody waits for its lease; how many claims it had."""
        with self._database.write(alone=False) as connection:
            return recover(connection, worker)


def recover(connection: Connection, worker: str | None = None) -> int:
    """Queues again what was held by slots whose lease ran out, or by those of one ``worker``."""
    lost = slots.expire(connection, worker)
    if lost:
        broken = update(documents).where(documents.c.slot.in_(lost), documents.c.state == "indexing")
        sentence = f"Processing broke off {ATTEMPTS} times: retry it, or split the document."
        given_up = {"state": "failed", "code": "failed", "error": sentence, **_FREE}
        connection.execute(broken.where(documents.c.attempts >= ATTEMPTS).values(**given_up))
        connection.execute(broken.values(state="queued", **_FREE))
    return len(lost)


def _first_free(
    connection: Connection, worker: str, project: str | None, *, fresh: bool
) -> tuple[Claim | None, bool]:
    """The claim, and whether an organization was passed over because somebody claims for it just now."""
    busy = False
    for organization in _waiting(connection, project):
        if not slots.lock(connection, organization, wait=False):
            busy = True
            continue
        row = _oldest(connection, organization, project, pending=False)
        pending = row is None and not fresh
        if pending:
            row = _oldest(connection, organization, project, pending=True)
        if row is None:
            continue
        at_most = load_policy(row["policy"], row["overrides"]).ingestion.concurrent_per_organization
        if pending:
            at_most = max(1, at_most - 1)  # a service may be silent: what nobody can find yet goes ahead
        slot = slots.take(connection, organization, "document", worker, at_most)
        if slot is not None:
            return _claim(connection, row["id"], slot), False
    return None, busy


def _claim(connection: Connection, document: str, slot: str) -> Claim:
    connection.execute(_TAKE, {"document": document, "taken": slot})
    claim = claimed(connection, document, slot)
    owe_claim(connection, claim, time.time() + GRACE)
    return claim


def _waiting(connection: Connection, project: str | None) -> Sequence[str]:
    """Organizations with something queued, in the order in which it is their turn."""
    query = _organizations(project is not None)
    return connection.execute(query, {"project": project} if project else {}).scalars().all()


@cache
def _organizations(of_project: bool) -> Select[str]:
    """Of each organization one document is looked for, however many are queued."""
    queued = select(documents.c.id).where(
        documents.c.state == "queued", documents.c.organization_id == organizations.c.id
    )
    if of_project:
        queued = queued.join(bases, bases.c.id == documents.c.base_id)
        queued = queued.where(bases.c.project_id == bindparam("project"))
    running = (
        select(taken.c.organization_id, func.count().label("running"))
        .group_by(taken.c.organization_id)
        .subquery()
    )
    return (
        select(organizations.c.id)
        .outerjoin(running, running.c.organization_id == organizations.c.id)
        .where(queued.exists())
        .order_by(
            func.coalesce(running.c.running, 0),
            func.coalesce(organizations.c.served_at, 0.0),
            organizations.c.id,
        )
    )


def _oldest(
    connection: Connection, organization: str, project: str | None, *, pending: bool
) -> RowMapping | None:
    query = _first_in(pending, project is not None)
    values = {"organization": organization} | ({"project": project} if project else {})
    return connection.execute(query, values).mappings().first()


@cache
def _first_in(pending: bool, of_project: bool) -> Select[Any]:
    waits_for_vectors = func.coalesce(documents.c.code, "") == PENDING
    query = (
        select(documents.c.id, projects.c.policy, projects.c.overrides)
        .join(bases, bases.c.id == documents.c.base_id)
        .join(projects, projects.c.id == bases.c.project_id)
        .where(documents.c.state == "queued", documents.c.organization_id == bindparam("organization"))
        .where(waits_for_vectors if pending else ~waits_for_vectors)
        .order_by(documents.c.queued_at, documents.c.id)
        .limit(1)
        .with_for_update(of=documents, skip_locked=True)
    )
    return query.where(projects.c.id == bindparam("project")) if of_project else query


def _go_live(connection: Connection, claim: Claim, passages: int, state: dict[str, Any]) -> bool:
    seconds = slots.free(connection, claim.slot)
    held = _over(connection, claim, {"live_version": claim.version, **state})
    if held:
        _update_version(connection, claim, passages=passages, seconds=seconds)
        if connection.execute(_OLDER, _this(claim)).rowcount:
            owe(connection, claim.base, claim.document, below=claim.version)
    return held


def _end(connection: Connection, claim: Claim, values: dict[str, Any], statement: Update = CHANGE) -> bool:
    """The slot first, as in ``recover``: two transactions never wait for each other crosswise."""
    slots.free(connection, claim.slot)
    return _over(connection, claim, values, statement)


def _over(connection: Connection, claim: Claim, values: dict[str, Any], statement: Update = CHANGE) -> bool:
    held = change(connection, claim, {**values, **_FREE}, statement)
    if held:
        strike(connection, claim.removal)
    return held


def _update_version(connection: Connection, claim: Claim, **values: Any) -> None:
    connection.execute(_UPDATE, {**_this(claim), **values})


def _this(claim: Claim) -> dict[str, Any]:
    return {"document": claim.document, "this": claim.version}
