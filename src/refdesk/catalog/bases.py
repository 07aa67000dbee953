"""Knowledge bases: names, limits and what each serves now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from sqlalchemy import Connection, and_, case, delete, func, select, update

from refdesk.catalog.asked import KnownBases, Project
from refdesk.catalog.common import Actor, checked_name, name_key, now, record, slug_of
from refdesk.catalog.grants import withdraw
from refdesk.catalog.removals import owe
from refdesk.catalog.schema import accounts, bases, documents, versions
from refdesk.errors import NotFound, Refusal, UsageError
from refdesk.ids import is_id, new_id
from refdesk.policy import Policy


@dataclass(frozen=True, slots=True)
class BaseRow:
    """``follows_policy``: nobody chose its embedding account."""

    id: str
    project_id: str
    name: str
    slug: str
    description: str | None
    kind: str
    embedding_account_id: str | None
    follows_policy: bool
    created_at: str


@dataclass(frozen=True, slots=True)
class Counts:
    """``documents`` counts them; ``ready_chars`` is what the base serves now (KB5)."""

    documents: int
    ready_chars: int
    total_chars: int


_COLUMNS = [bases.c[field.name] for field in fields(BaseRow)]


class Bases(KnownBases):
    def create(
        self,
        project: Project,
        policy: Policy,
        name: str,
        *,
        description: str | None,
        kind: str | None,
        embedding_account_id: str | None,
        follows_policy: bool = True,
        actor: Actor,
    ) -> BaseRow:
        name = checked_name(name, "a base")
        scope = project.id if policy.bases.unique_within == "project" else project.organization_id
        made = new_id("kb")
        with self._database.write() as connection:
            self._check_room(connection, project, policy)
            self._check_free(connection, scope, name)
            _check_account(connection, embedding_account_id)
            connection.execute(
                bases.insert().values(
                    id=made,
                    project_id=project.id,
                    scope=scope,
                    name=name,
                    name_key=name_key(name),
                    slug=_free_slug(connection, scope, name),
                    description=description,
                    kind=kind or policy.bases.kind,
                    embedding_account_id=embedding_account_id,
                    follows_policy=follows_policy,
                    created_at=now(),
                )
            )
            record(connection, actor, "base.create", made)
        return self.get(project, made)

    def get(self, project: Project, name_or_id: str) -> BaseRow:
        return self.find(project, name_or_id) or self._missing(project, name_or_id)

    def find(self, project: Project, name_or_id: str) -> BaseRow | None:
        """By id or by name; a name is compared without regard to case and Unicode form."""
        if is_id(name_or_id, "kb"):
            matches = bases.c.id == name_or_id
        else:
            matches = bases.c.name_key == name_key(name_or_id)
        rows = self._rows(and_(bases.c.project_id == project.id, matches))
        return rows[0] if rows else None

    def all(self, project: Project) -> Sequence[BaseRow]:
        return self._rows(bases.c.project_id == project.id)

    def counts(self, base: str) -> Counts:
        """Takes as long as the base has documents, so it is for whoever wants these."""
        return self._counts(bases.c.id == base).get(base, Counts(0, 0, 0))

    def counts_of_all(self, project: Project) -> Mapping[str, Counts]:
        """By base."""
        return self._counts(bases.c.project_id == project.id)

    def describe(self, base: str, values: Mapping[str, str | None], actor: Actor) -> None:
        """Sets ``name`` or ``description``, where they are among the values; the slug stays."""
        changed = dict(values)
        if (name := changed.get("name")) is not None:
            name = checked_name(name, "a base")
            changed |= {"name": name, "name_key": name_key(name)}
        with self._database.write() as connection:
            if name is not None:
                scope = select(bases.c.scope).where(bases.c.id == base)
                self._check_free(connection, connection.execute(scope).scalar_one(), name, but=base)
            connection.execute(update(bases).where(bases.c.id == base).values(**changed))
            record(connection, actor, "base.update", base)

    def set_embedding_account(self, base: str, account: str | None, *, follows_policy: bool) -> None:
        values = {"embedding_account_id": account, "follows_policy": follows_policy}
        with self._database.write() as connection:
            _check_account(connection, account)
            connection.execute(update(bases).where(bases.c.id == base).values(**values))

    def delete(self, base: str, actor: Actor) -> Sequence[str]:
        """Takes the base, its documents and its grants out of the catalog; owes the rest. Gives the
        documents' ids."""
        with self._database.write() as connection:
            held = connection.execute(select(documents.c.id).where(documents.c.base_id == base)).scalars()
            ids = list(held)
            connection.execute(delete(documents).where(documents.c.base_id == base))
            withdraw(connection, base, actor)
            connection.execute(delete(bases).where(bases.c.id == base))
            for document in ids:
                owe(connection, base, document)
            owe(connection, base, None)
            record(connection, actor, "base.delete", base)
        return ids

    def _rows(self, where: Any) -> list[BaseRow]:
        query = select(*_COLUMNS).where(where).order_by(bases.c.created_at, bases.c.id)
        with self._database.read() as connection:
            return [BaseRow(*row) for row in connection.execute(query)]

    def _counts(self, where: Any) -> dict[str, Counts]:
        with self._database.read() as connection:
            return {base: Counts(*counts) for base, *counts in connection.execute(_counted(where))}

    @staticmethod
    def _check_room(connection: Connection, project: Project, policy: Policy) -> None:
        limit = policy.bases.max_per_project
        if limit is None:
            return
        query = select(func.count()).select_from(bases).where(bases.c.project_id == project.id)
        count = connection.execute(query).scalar_one()
        if count >= limit:
            raise Refusal(
                f"The project has {count} bases and its policy accepts {limit}: delete one first.",
                code="too_many_bases",
                limit=limit,
                actual=count,
            )

    @staticmethod
    def _check_free(connection: Connection, scope: str, name: str, but: str = "") -> None:
        query = select(bases.c.name).where(
            bases.c.scope == scope, bases.c.name_key == name_key(name), bases.c.id != but
        )
        taken = connection.execute(query).scalar()
        if taken is not None:
            raise UsageError(
                f"There is a base named {taken!r} already: use it, or choose another name.", code="name_taken"
            )


def _check_account(connection: Connection, account: str | None) -> None:
    """An account may be deleted between its choice and here."""
    if account is None or not is_id(account, "acc"):
        return
    if connection.execute(select(accounts.c.id).where(accounts.c.id == account)).first() is None:
        raise NotFound(f"The account {account} was deleted meanwhile: choose another.")


def _free_slug(connection: Connection, scope: str, name: str) -> str:
    taken = set(connection.execute(select(bases.c.slug).where(bases.c.scope == scope)).scalars())
    slug, number = slug_of(name), 2
    while slug in taken:
        slug, number = f"{slug_of(name)}-{number}", number + 1
    return slug


def _counted(where: Any) -> Any:
    latest = and_(versions.c.document_id == documents.c.id, versions.c.version == documents.c.version)
    live = versions.alias("live")
    serving = and_(live.c.document_id == documents.c.id, live.c.version == documents.c.live_version)
    return (
        select(
            bases.c.id,
            func.count(documents.c.id),
            func.coalesce(func.sum(case((live.c.chars.is_not(None), live.c.chars), else_=0)), 0),
            func.coalesce(func.sum(versions.c.chars), 0),
        )
        .select_from(
            bases.outerjoin(documents, documents.c.base_id == bases.c.id)
            .outerjoin(versions, latest)
            .outerjoin(live, serving)
        )
        .where(where)
        .group_by(bases.c.id)
    )
