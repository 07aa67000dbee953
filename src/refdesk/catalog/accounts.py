"""Provider accounts: with whom a project has its texts embedded, or its questions answered. Secrets come and
go sealed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NoReturn

from sqlalchemy import Connection, RowMapping, and_, delete, select, update

from refdesk.catalog.asked import Project
from refdesk.catalog.common import Actor, checked_name, name_key, now, record
from refdesk.catalog.connect import Database
from refdesk.catalog.schema import accounts, bases
from refdesk.embedding.services import Purpose, Service, as_provider
from refdesk.errors import NotFound, UsageError
from refdesk.ids import is_id


@dataclass(frozen=True, slots=True)
class AccountRow:
    """What ``service`` says stays: vectors of two of them are not comparable. ``state`` is unverified,
    verified or failed, with ``error`` as its sentence; ``changed_at`` moves with every change of what the
    account's embedder is made of."""

    id: str
    project_id: str
    name: str
    purpose: Purpose
    service: Service
    secret: str | None = field(repr=False)
    state: str
    error: str | None
    created_at: str
    verified_at: str | None
    changed_at: str


class Accounts:
    def __init__(self, database: Database) -> None:
        self._database = database

    def create(
        self,
        project: Project,
        account: str,
        name: str,
        service: Service,
        *,
        purpose: Purpose,
        secret: str | None,
        actor: Actor,
    ) -> AccountRow:
        name = checked_name(name, "an account")
        at = now()
        with self._database.write() as connection:
            _check_free(connection, project.id, name)
            connection.execute(
                accounts.insert().values(
                    id=account,
                    project_id=project.id,
                    name=name,
                    name_key=name_key(name),
                    purpose=purpose,
                    secret=secret,
                    state="unverified",
                    created_at=at,
                    changed_at=at,
                    **asdict(service),
                )
            )
            record(connection, actor, "account.create", account)
        return self.get(project, account)

    def get(self, project: Project, name_or_id: str) -> AccountRow:
        return self.find(project, name_or_id) or self._missing(project, name_or_id)

    def find(self, project: Project, name_or_id: str) -> AccountRow | None:
        """By id or by name; a name is compared without regard to case and Unicode form."""
        if is_id(name_or_id, "acc"):
            matches = accounts.c.id == name_or_id
        else:
            matches = accounts.c.name_key == name_key(name_or_id)
        rows = self._rows(and_(accounts.c.project_id == project.id, matches))
        return rows[0] if rows else None

    def by_id(self, account: str) -> AccountRow | None:
        """Of whatever project: a worker serves them all."""
        rows = self._rows(accounts.c.id == account)
        return rows[0] if rows else None

    def all(self, project: Project) -> Sequence[AccountRow]:
        return self._rows(accounts.c.project_id == project.id)

    def rename(self, account: AccountRow, name: str, actor: Actor) -> None:
        name = checked_name(name, "an account")
        with self._database.write() as connection:
            _check_free(connection, account.project_id, name, but=account.id)
            values = {"name": name, "name_key": name_key(name)}
            connection.execute(update(accounts).where(accounts.c.id == account.id).values(**values))
            record(connection, actor, "account.rename", account.id)

    def set_secret(self, account: str, secret: str | None, actor: Actor) -> None:
        """It is to be verified again."""
        values = {"secret": secret, "state": "unverified", "error": None, "changed_at": now()}
        with self._database.write() as connection:
            connection.execute(update(accounts).where(accounts.c.id == account).values(**values))
            record(connection, actor, "account.secret", account)

    def verified(self, account: AccountRow, dimensions: int | None, secret: str | None, actor: Actor) -> None:
        values = {"dimensions": dimensions, "state": "verified", "error": None, "verified_at": now()}
        self._tried(account, {**values, "secret": secret}, actor)

    def failed(self, account: AccountRow, error: str, actor: Actor) -> None:
        self._tried(account, {"state": "failed", "error": error}, actor)

    def delete(self, account: AccountRow, actor: Actor) -> None:
        """Raises ``UsageError`` (``account_in_use``) naming the bases that use it."""
        with self._database.write() as connection:
            users = connection.execute(
                select(bases.c.name).where(bases.c.embedding_account_id == account.id).order_by(bases.c.name)
            ).scalars()
            if names := list(users):
                raise UsageError(
                    f"The account {account.name} is used by {_listed(names)}: choose another there first.",
                    code="account_in_use",
                    actual=len(names),
                )
            connection.execute(delete(accounts).where(accounts.c.id == account.id))
            record(connection, actor, "account.delete", account.id)

    def _tried(self, account: AccountRow, values: Mapping[str, Any], actor: Actor) -> None:
        """Says nothing of an account that was given another secret meanwhile."""
        tried = and_(accounts.c.id == account.id, accounts.c.changed_at == account.changed_at)
        with self._database.write() as connection:
            connection.execute(update(accounts).where(tried).values(changed_at=now(), **values))
            record(connection, actor, "account.verify", account.id)

    def _missing(self, project: Project, name_or_id: str) -> NoReturn:
        names = [row.name for row in self.all(project)]
        known = f"the accounts here are {', '.join(names[:10])}" if names else "there are no accounts yet"
        raise NotFound(f"There is no account {name_or_id!r} in project {project.slug}; {known}.")

    def _rows(self, where: Any) -> list[AccountRow]:
        query = select(accounts).where(where).order_by(accounts.c.created_at, accounts.c.id)
        with self._database.read() as connection:
            return [_account(row) for row in connection.execute(query).mappings()]


def _check_free(connection: Connection, project: str, name: str, but: str | None = None) -> None:
    query = select(accounts.c.name).where(
        accounts.c.project_id == project, accounts.c.name_key == name_key(name), accounts.c.id != (but or "")
    )
    taken = connection.execute(query).scalar()
    if taken is not None:
        raise UsageError(
            f"There is an account named {taken!r} already: choose another name.", code="name_taken"
        )


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:5])
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return f"the base{'s' if len(names) > 1 else ''} {shown}{more}"


def _account(row: RowMapping) -> AccountRow:
    return AccountRow(
        id=row["id"],
        project_id=row["project_id"],
        name=row["name"],
        purpose="answers" if row["purpose"] == "answers" else "embeddings",
        service=Service(
            provider=as_provider(row["provider"]),
            model=row["model"],
            dimensions=row["dimensions"],
            base_url=row["base_url"],
            region=row["region"],
            question_prefix=row["question_prefix"],
            passage_prefix=row["passage_prefix"],
        ),
        secret=row["secret"],
        state=row["state"],
        error=row["error"],
        created_at=row["created_at"],
        verified_at=row["verified_at"],
        changed_at=row["changed_at"],
    )
