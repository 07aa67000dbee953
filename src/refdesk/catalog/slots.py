"""Slots: how much background work of an organization runs at once, of whatever kind (ING3).

Work runs while it holds a slot. A slot is a lease: who holds it renews it, and when its holder died the next
one to ask for work takes it away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from sqlalchemy import Connection, Float, bindparam, delete, func, select, update

from refdesk.catalog.clock import epoch
from refdesk.catalog.connect import Database
from refdesk.catalog.schema import organizations, slots
from refdesk.ids import new_id

LEASE = 60.0  # seconds

Work = Literal["document", "describe"]

# Made once, since making a statement costs several times what it costs to run.
_LEASE_ENDS = epoch() + bindparam("lease", type_=Float)
_ONE = slots.c.id == bindparam("slot")
_ORGANIZATION = select(organizations.c.id).where(organizations.c.id == bindparam("organization"))
_LOCK = {wait: _ORGANIZATION.with_for_update(key_share=True, skip_locked=not wait) for wait in (True, False)}
_RUNNING = (
    select(func.count())
    .select_from(slots)
    .where(slots.c.organization_id == bindparam("organization"), slots.c.lease_until >= epoch())
)
_TAKE = slots.insert().values(started_at=epoch(), lease_until=_LEASE_ENDS)
_SERVED = (
    update(organizations).where(organizations.c.id == bindparam("organization")).values(served_at=epoch())
)
_RENEW = update(slots).where(_ONE).values(lease_until=_LEASE_ENDS)
_FREE = delete(slots).where(_ONE).returning(epoch() - slots.c.started_at)
_OVER = delete(slots).where(slots.c.lease_until < epoch()).returning(slots.c.id)
_DEAD = delete(slots).where(slots.c.worker == bindparam("dead")).returning(slots.c.id)


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
    return connection.execute(_LOCK[wait], {"organization": organization}).first() is not None


def take(connection: Connection, organization: str, kind: Work, worker: str, at_most: int) -> str | None:
    """Needs the organization's ``lock``."""
    if connection.execute(_RUNNING, {"organization": organization}).scalar_one() >= at_most:
        return None
    slot = new_id("slt")
    values = {"id": slot, "organization_id": organization, "kind": kind, "worker": worker}
    connection.execute(_TAKE, {**values, "lease": LEASE})
    connection.execute(_SERVED, {"organization": organization})
    return slot


def renew(connection: Connection, slot: str, progress: Mapping[str, Any] | None) -> bool:
    return connection.execute(_RENEW, {"slot": slot, "lease": LEASE, "progress": progress}).rowcount == 1


def free(connection: Connection, slot: str) -> float | None:
    """The seconds since it was taken; ``None`` where it was taken away."""
    return connection.execute(_FREE, {"slot": slot}).scalar()


def expire(connection: Connection, worker: str | None = None) -> Sequence[str]:
    """Takes away the slots whose lease ran out, or those of one ``worker``, and says which they were."""
    over = connection.execute(_OVER) if worker is None else connection.execute(_DEAD, {"dead": worker})
    return over.scalars().all()
