"""Slots: how much background work of an organization runs at once, of whatever kind (ING3).

Work runs while it holds a slot. A slot is a lease: who holds it renews it, and when its holder died the next
one to ask for work takes it away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from sqlalchemy import Connection, delete, func, select, update

from refdesk.catalog.clock import epoch
from refdesk.catalog.connect import Database
from refdesk.catalog.schema import organizations, slots
from refdesk.ids import new_id

LEASE = 60.0  # seconds

Work = Literal["document", "describe"]


class Slots:
    """For work that has no queue of its own."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def take(self, organization: str, kind: Work, worker: str, at_most: int) -> str | None:
        """A slot, or ``None`` where ``at_most`` are taken by work of any kind."""
        with self._database.write(alone=False) as connection:
            lock(connection, organization)
            return take(connection, organization, kind, worker, at_most)

    def renew(self, slot: str, progress: Mapping[str, Any] | None = None) -> bool:
        """``False`` where the slot was taken away."""
        with self._database.write(alone=False) as connection:
            return renew(connection, slot, progress)

    def free(self, slot: str) -> None:
        with self._database.write(alone=False) as connection:
            free(connection, slot)


def lock(connection: Connection, organization: str, *, wait: bool = True) -> bool:
    """Until the transaction ends nobody else takes a slot of this organization. ``False``: somebody is at
    it just now, and this one does not ``wait``."""
    query = select(organizations.c.id).where(organizations.c.id == organization)
    query = query.with_for_update(key_share=True, skip_locked=not wait)
    return connection.execute(query).first() is not None


def take(connection: Connection, organization: str, kind: Work, worker: str, at_most: int) -> str | None:
    """Needs the organization's ``lock``."""
    running = (
        select(func.count())
        .select_from(slots)
        .where(slots.c.organization_id == organization, slots.c.lease_until >= epoch())
    )
    if connection.execute(running).scalar_one() >= at_most:
        return None
    slot = new_id("slt")
    values = {"id": slot, "organization_id": organization, "kind": kind, "worker": worker}
    connection.execute(slots.insert().values(**values, started_at=epoch(), lease_until=epoch() + LEASE))
    served = update(organizations).where(organizations.c.id == organization)
    connection.execute(served.values(served_at=epoch()))
    return slot


def renew(connection: Connection, slot: str, progress: Mapping[str, Any] | None) -> bool:
    values = {"lease_until": epoch() + LEASE, "progress": progress}
    return connection.execute(update(slots).where(slots.c.id == slot).values(**values)).rowcount == 1


def seconds(connection: Connection, slot: str) -> float | None:
    """Since it was taken; ``None`` where it was taken away."""
    query = select(epoch() - slots.c.started_at).where(slots.c.id == slot)
    return connection.execute(query).scalar()


def free(connection: Connection, slot: str) -> bool:
    return connection.execute(delete(slots).where(slots.c.id == slot)).rowcount == 1


def expire(connection: Connection, worker: str | None = None) -> Sequence[str]:
    """Takes away the slots whose lease ran out, or those of one ``worker``, and says which they were."""
    over = slots.c.lease_until < epoch() if worker is None else slots.c.worker == worker
    return connection.execute(delete(slots).where(over).returning(slots.c.id)).scalars().all()
