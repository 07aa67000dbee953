"""API keys. A key's text is shown once; the catalog keeps its hash and its first characters."""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import RowMapping, select, update

from refdesk.catalog.common import Actor, checked_name, digest, later, new_secret, now, record
from refdesk.catalog.connect import Database
from refdesk.catalog.remembered import Remembered
from refdesk.catalog.schema import keys, projects
from refdesk.catalog.standing import Row, Standing
from refdesk.ids import new_id

MARK = "rd_"
_TEXT = re.compile(rf"{MARK}[A-Za-z0-9_-]{{43}}")
SHOWN = 12  # characters: the mark and nine more, which leaves 202 bits to guess
USE_NOTED_EVERY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class KeyRow:
    """``prefix`` is what of the key's text may be shown."""

    id: str
    name: str
    prefix: str
    scopes: tuple[str, ...]
    project_id: str
    project: str
    organization_id: str
    agent_id: str | None
    created_at: str
    created_by: str
    expires_at: str | None
    revoked_at: str | None
    last_used_at: str | None


@dataclass(frozen=True, slots=True)
class InForce:
    """What a door needs of a key that was not revoked."""

    id: str
    scopes: tuple[str, ...]
    project_id: str
    organization_id: str
    agent_id: str | None
    sha256: str
    expires_at: str | None
    last_used_at: str | None


# Every request asks it.
_IN_FORCE = Standing("""
SELECT keys.id, CAST(scopes AS TEXT), project_id, organization_id, agent_id, sha256, expires_at, last_used_at
FROM keys JOIN projects ON projects.id = project_id WHERE prefix = :prefix AND revoked_at IS NULL
""")


class Keys:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._in_force = Remembered(database, self._read_in_force)

    def create(
        self,
        project: str,
        name: str,
        scopes: Iterable[str],
        *,
        agent: str | None,
        expires_at: str | None,
        actor: Actor,
    ) -> tuple[KeyRow, str]:
        """The key and its text, which nobody can read again."""
        name = checked_name(name, "a key")
        made, secret = new_id("key"), MARK + new_secret()
        with self._database.write() as connection:
            connection.execute(
                keys.insert().values(
                    id=made,
                    project_id=project,
                    name=name,
                    prefix=secret[:SHOWN],
                    sha256=digest(secret),
                    scopes=sorted(scopes),
                    agent_id=agent,
                    created_at=now(),
                    created_by=actor.name,
                    expires_at=expires_at,
                )
            )
            record(connection, actor, "key.create", made)
        [row] = self._rows(keys.c.id == made)
        return _key(row), secret

    def find(self, project: str, key: str) -> KeyRow | None:
        rows = self._rows(keys.c.project_id == project, keys.c.id == key)
        return _key(rows[0]) if rows else None

    def of_project(self, project: str) -> Sequence[KeyRow]:
        """The oldest first; those that were revoked or have expired as well."""
        return [_key(row) for row in self._rows(keys.c.project_id == project)]

    def revoke(self, key: str, actor: Actor) -> None:
        """From now on; a key that was revoked before stays as it is."""
        with self._database.write() as connection:
            changed = connection.execute(
                update(keys).where(keys.c.id == key, keys.c.revoked_at.is_(None)).values(revoked_at=now())
            )
            if changed.rowcount:
                record(connection, actor, "key.revoke", key)

    def resolve(self, secret: str) -> InForce | None:
        """The key of this text if it is in force; its use is noted at most once a minute."""
        if not _TEXT.fullmatch(secret):
            return None
        prefix, given = secret[:SHOWN], digest(secret)
        for key in self._in_force([prefix])[prefix] or ():
            if hmac.compare_digest(key.sha256, given) and (key.expires_at is None or key.expires_at > now()):
                self._note_use(key)
                return key
        return None

    def _read_in_force(self, prefixes: Collection[str]) -> Mapping[str, Sequence[InForce]]:
        return {
            prefix: [_in_force(row) for row in self._database.asked(_IN_FORCE, {"prefix": prefix})]
            for prefix in prefixes
        }

    def _note_use(self, key: InForce) -> None:
        noted = later(-USE_NOTED_EVERY)
        if key.last_used_at is not None and key.last_used_at > noted:
            return
        with self._database.write(alone=False) as connection:
            connection.execute(update(keys).where(keys.c.id == key.id).values(last_used_at=now()))

    def _rows(self, *where: Any) -> Sequence[RowMapping]:
        query = (
            select(keys, projects.c.slug, projects.c.organization_id)
            .join(projects, projects.c.id == keys.c.project_id)
            .where(*where)
            .order_by(keys.c.created_at, keys.c.id)
        )
        with self._database.read() as connection:
            return connection.execute(query).mappings().all()


def _in_force(row: Row) -> InForce:
    key, scopes, *more = row
    return InForce(key, tuple(json.loads(scopes)), *more)


def _key(row: RowMapping) -> KeyRow:
    return KeyRow(
        id=row["id"],
        name=row["name"],
        prefix=row["prefix"],
        scopes=tuple(row["scopes"]),
        project_id=row["project_id"],
        project=row["slug"],
        organization_id=row["organization_id"],
        agent_id=row["agent_id"],
        created_at=row["created_at"],
        created_by=row["created_by"],
        expires_at=row["expires_at"],
        revoked_at=row["revoked_at"],
        last_used_at=row["last_used_at"],
    )
