"""Agents: what each says of itself, the bases that it was granted, and what it was at each version."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from sqlalchemy import Connection, and_, delete, func, select, update

from refdesk.catalog.asked import Project
from refdesk.catalog.common import Actor, checked_name, name_key, now, record
from refdesk.catalog.connect import Database
from refdesk.catalog.grants import Granting, grant, keep
from refdesk.catalog.schema import agent_versions, agents, documents, grants, keys, versions
from refdesk.errors import NotFound, UsageError
from refdesk.ids import is_id, new_id


@dataclass(frozen=True, slots=True)
class AgentRow:
    """``bases`` are ids, in the order in which they were granted."""

    id: str
    project_id: str
    name: str
    prompt: str
    model: str | None
    kind: str
    grounding: str
    version: int
    bases: tuple[str, ...]
    created_at: str


@dataclass(frozen=True, slots=True)
class KnownBase:
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class AgentVersion:
    """An agent as it was from ``at`` on, made so by ``person``; its bases by the names that they had."""

    version: int
    at: str
    person: str
    name: str
    prompt: str
    model: str | None
    kind: str
    grounding: str
    bases: tuple[KnownBase, ...]


class Agents:
    def __init__(self, database: Database) -> None:
        self._database = database

    def create(
        self,
        project: Project,
        values: Mapping[str, str | None],
        bases: Sequence[str],
        granting: Granting,
        actor: Actor,
    ) -> AgentRow:
        """``values``: name, prompt, model, kind and grounding. Raises what ``grant`` does, and ``UsageError``
        (``bad_name``, ``name_taken``)."""
        named = _named(values)
        made = new_id("agt")
        with self._database.write() as connection:
            _check_free(connection, project.id, named)
            connection.execute(
                agents.insert().values(id=made, project_id=project.id, version=1, created_at=now(), **named)
            )
            grant(connection, project.id, made, bases, granting)
            keep(connection, made, actor)
            record(connection, actor, "agent.create", made)
        return self.get(project, made)

    def get(self, project: Project, name_or_id: str) -> AgentRow:
        return self.find(project, name_or_id) or self.missing(project, name_or_id)

    def find(self, project: Project, name_or_id: str) -> AgentRow | None:
        """By id or by name; a name is compared without regard to case and Unicode form."""
        if is_id(name_or_id, "agt"):
            matches = agents.c.id == name_or_id
        else:
            matches = agents.c.name_key == name_key(name_or_id)
        with self._database.read() as connection:
            rows = _rows(connection, and_(agents.c.project_id == project.id, matches))
        return rows[0] if rows else None

    def all(self, project: Project) -> Sequence[AgentRow]:
        """The oldest first."""
        with self._database.read() as connection:
            return _rows(connection, agents.c.project_id == project.id)

    def update(
        self,
        agent: AgentRow,
        values: Mapping[str, str | None],
        bases: Sequence[str] | None,
        granting: Granting,
        *,
        expected: Collection[int] | None,
        actor: Actor,
    ) -> None:
        """Where anything changes, the agent becomes its next version. ``bases`` replace those that it has.
        Raises what ``create`` does, and ``UsageError`` (``changed_meanwhile``) where ``expected`` does not
        hold its version."""
        named = _named(values)
        with self._database.write() as connection:
            there = _there(connection, agent, expected)
            changed = {key: value for key, value in named.items() if key != "name_key"}
            turned = bases is not None and tuple(bases) != there.bases
            if not turned and all(getattr(there, key) == value for key, value in changed.items()):
                return
            _check_free(connection, there.project_id, named, but=there.id)
            connection.execute(
                update(agents).where(agents.c.id == there.id).values(version=there.version + 1, **named)
            )
            if bases is not None:
                grant(connection, there.project_id, there.id, bases, granting)
            keep(connection, there.id, actor)
            record(connection, actor, "agent.update", there.id)

    def delete(self, agent: AgentRow, *, expected: Collection[int] | None, actor: Actor) -> None:
        """With its grants; keys that are bound to it are revoked. What its versions knew stays."""
        with self._database.write() as connection:
            _there(connection, agent, expected)
            bound = and_(keys.c.agent_id == agent.id, keys.c.revoked_at.is_(None))
            for key in list(connection.execute(select(keys.c.id).where(bound)).scalars()):
                connection.execute(update(keys).where(keys.c.id == key).values(revoked_at=now()))
                record(connection, actor, "key.revoke", key)
            connection.execute(delete(agents).where(agents.c.id == agent.id))
            record(connection, actor, "agent.delete", agent.id)

    def history(self, agent: str) -> Sequence[AgentVersion]:
        """Every version, the oldest first; also of an agent that was deleted."""
        query = (
            select(agent_versions)
            .where(agent_versions.c.agent_id == agent)
            .order_by(agent_versions.c.version)
        )
        with self._database.read() as connection:
            rows = connection.execute(query).mappings().all()
        return [_version(dict(row)) for row in rows]

    def ready_chars(self, agent: str) -> int:
        """What the agent's bases serve now (KB5)."""
        query = (
            select(func.coalesce(func.sum(versions.c.chars), 0))
            .select_from(grants)
            .join(documents, documents.c.base_id == grants.c.base_id)
            .join(
                versions,
                and_(
                    versions.c.document_id == documents.c.id, versions.c.version == documents.c.live_version
                ),
            )
            .where(grants.c.agent_id == agent)
        )
        with self._database.read() as connection:
            return int(connection.execute(query).scalar_one())

    def missing(self, project: Project, name_or_id: str) -> NoReturn:
        names = [row.name for row in self.all(project)]
        known = f"the agents here are {', '.join(names[:10])}" if names else "there are no agents yet"
        raise NotFound(f"There is no agent {name_or_id!r} in project {project.slug}; {known}.")


def _named(values: Mapping[str, str | None]) -> dict[str, str | None]:
    """``values`` as they are kept."""
    if (name := values.get("name")) is None:
        return dict(values)
    name = checked_name(name, "an agent")
    return {**values, "name": name, "name_key": name_key(name)}


def _check_free(connection: Connection, project: str, named: Mapping[str, str | None], but: str = "") -> None:
    if "name_key" not in named:
        return
    query = select(agents.c.name).where(
        agents.c.project_id == project, agents.c.name_key == named["name_key"], agents.c.id != but
    )
    taken = connection.execute(query).scalar()
    if taken is not None:
        raise UsageError(
            f"There is an agent named {taken!r} already: choose another name.", code="name_taken"
        )


def _there(connection: Connection, agent: AgentRow, expected: Collection[int] | None) -> AgentRow:
    rows = _rows(connection, agents.c.id == agent.id)
    if not rows:
        raise NotFound(f"The agent {agent.name} was deleted meanwhile.")
    if expected is not None and rows[0].version not in expected:
        raise UsageError(
            f"Somebody changed the agent {agent.name}, which is at version {rows[0].version} now: "
            "read it again, then change it.",
            code="changed_meanwhile",
        )
    return rows[0]


def _rows(connection: Connection, where: Any) -> list[AgentRow]:
    query = select(agents).where(where).order_by(agents.c.created_at, agents.c.id)
    granted = (
        select(grants.c.agent_id, grants.c.base_id)
        .join(agents, agents.c.id == grants.c.agent_id)
        .where(where)
        .order_by(grants.c.number)
    )
    its: dict[str, list[str]] = {}
    for agent, base in connection.execute(granted):
        its.setdefault(agent, []).append(base)
    rows = [dict(row) for row in connection.execute(query).mappings()]
    for row in rows:
        del row["name_key"]
    return [AgentRow(**row, bases=tuple(its.get(row["id"], ()))) for row in rows]


def _version(row: dict[str, Any]) -> AgentVersion:
    del row["agent_id"]
    return AgentVersion(**{**row, "bases": tuple(KnownBase(**base) for base in row["bases"])})
