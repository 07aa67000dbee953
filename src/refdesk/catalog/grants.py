"""Which bases an agent reaches (KB2), and what each of its versions knew (KB3): steps of the transactions
that change an agent, or a base that agents have."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, select, update

from refdesk.catalog.common import Actor, now, record
from refdesk.catalog.listed import among, listed
from refdesk.catalog.schema import agent_versions, agents, bases, grants
from refdesk.errors import NotFound, NotPermitted, Refusal

_KEPT = ("version", "name", "prompt", "model", "kind", "grounding")


@dataclass(frozen=True, slots=True)
class Granting:
    """At most ``limit`` bases an agent; ``company``: whether the caller may grant company bases."""

    limit: int | None
    company: bool


def grant(
    connection: Connection, project: str, agent: str, wanted: Sequence[str], granting: Granting
) -> None:
    """The agent reaches these bases and no others. Raises ``Refusal`` (``too_many_grants``), ``NotFound``,
    and ``NotPermitted`` for a company base that it did not have before."""
    held = connection.execute(select(grants.c.base_id).where(grants.c.agent_id == agent)).scalars()
    _check(connection, project, wanted, set(held), granting)
    connection.execute(delete(grants).where(grants.c.agent_id == agent))
    for number, base in enumerate(wanted, 1):
        connection.execute(grants.insert().values(agent_id=agent, base_id=base, number=number))


def withdraw(connection: Connection, base: str, actor: Actor) -> None:
    """From every agent that has the base, each of which becomes its next version."""
    query = select(grants.c.agent_id).where(grants.c.base_id == base).order_by(grants.c.agent_id)
    holders = list(connection.execute(query).scalars())
    connection.execute(delete(grants).where(grants.c.base_id == base))
    for agent in holders:
        connection.execute(update(agents).where(agents.c.id == agent).values(version=agents.c.version + 1))
        keep(connection, agent, actor)
        record(connection, actor, "agent.update", agent)


def keep(connection: Connection, agent: str, actor: Actor) -> None:
    """What the agent is now, as what this version of it was."""
    row = connection.execute(select(agents).where(agents.c.id == agent)).mappings().one()
    known = (
        select(bases.c.id, bases.c.name)
        .join(grants, grants.c.base_id == bases.c.id)
        .where(grants.c.agent_id == agent)
        .order_by(grants.c.number)
    )
    connection.execute(
        agent_versions.insert().values(
            agent_id=agent,
            at=now(),
            person=actor.name,
            bases=[dict(base) for base in connection.execute(known).mappings()],
            **{column: row[column] for column in _KEPT},
        )
    )


def _check(
    connection: Connection, project: str, wanted: Sequence[str], held: Collection[str], granting: Granting
) -> None:
    if granting.limit is not None and len(wanted) > granting.limit:
        raise Refusal(
            f"An agent reads at most {granting.limit} bases, and {len(wanted)} were named: leave some out.",
            code="too_many_grants",
            limit=granting.limit,
            actual=len(wanted),
        )
    query = select(bases.c.id, bases.c.name, bases.c.kind).where(
        bases.c.project_id == project, among(bases.c.id, "wanted")
    )
    found = {row.id: row for row in connection.execute(query, {"wanted": listed(wanted)})}
    for base in wanted:
        if base not in found:
            raise NotFound(f"There is no base {base!r} in the project: it was deleted, or is another's.")
        if found[base].kind == "company" and base not in held and not granting.company:
            raise NotPermitted(
                f"{found[base].name} is a company base, which a PlatformAdmin alone grants: ask one."
            )
