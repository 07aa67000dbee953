"""API keys of a project."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from typing import Any

from refdesk.access import SCOPES, Principal, as_scopes
from refdesk.catalog.common import later
from refdesk.catalog.keys import KeyRow
from refdesk.desk.parts import Parts
from refdesk.errors import NotFound, UsageError

MOST_DAYS = 3_650


@dataclass(frozen=True, slots=True)
class Key:
    """``prefix`` is how its text begins; ``project`` is a slug; ``created_by`` is a principal's name."""

    id: str
    name: str
    prefix: str
    project: str
    scopes: Sequence[str]
    agent: str | None
    created_at: str
    created_by: str
    expires_at: str | None
    revoked_at: str | None
    last_used_at: str | None

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "scopes": list(self.scopes)}


@dataclass(frozen=True, slots=True)
class NewKey:
    """``secret`` is the key's text, which nobody can read again."""

    key: Key
    secret: str = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """The contract's fields."""
        return {
            "id": self.key.id,
            "key": self.secret,
            "project": self.key.project,
            "scopes": list(self.key.scopes),
        }


class Keys:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def create(
        self,
        name: str = "key",
        *,
        scopes: Sequence[str] = SCOPES,
        expires_days: int | None = None,
        agent: str | None = None,
    ) -> NewKey:
        """A key of this project; without ``expires_days`` it holds until it is revoked. Bound to ``agent``,
        by name or id, it sees that agent and searches its bases, and nothing else."""
        parts = self._parts
        parts.authorize("key.manage")
        row, secret = parts.catalog.keys.create(
            parts.project.id,
            name,
            as_scopes(scopes),
            agent=None if agent is None else parts.catalog.agents.get(parts.project, agent).id,
            expires_at=_expiry(expires_days),
            actor=parts.actor,
        )
        return NewKey(_key(row), secret)

    def list(self) -> Sequence[Key]:
        """The oldest first; those that were revoked or have expired as well."""
        self._parts.authorize("key.read")
        return [_key(row) for row in self._parts.catalog.keys.of_project(self._parts.project.id)]

    def revoke(self, key: str) -> Key:
        """``key`` by its id. It is refused from its next request on."""
        self._parts.authorize("key.manage")
        row = self._row(key)
        self._parts.catalog.keys.revoke(row.id, self._parts.actor)
        return _key(self._row(key))

    def resolve(self, secret: str) -> Principal | None:
        """Whose key this text is; ``None`` for one that is unknown, revoked or expired. For doors: the desk
        acts as ``LOCAL`` until this has answered."""
        self._parts.authorize_installation("sign_in")
        row = self._parts.catalog.keys.resolve(secret)
        if row is None:
            return None
        return Principal(
            kind="key",
            name=row.id,
            organization=row.organization_id,
            scopes=as_scopes(row.scopes),
            project=row.project_id,
            agent=row.agent_id,
        )

    def _row(self, key: str) -> KeyRow:
        row = self._parts.catalog.keys.find(self._parts.project.id, key)
        if row is None:
            raise NotFound(
                f"There is no such key in project {self._parts.project.slug}: `refdesk keys list` shows "
                "their ids."  # it may have been given as its text, which no message repeats
            )
        return row


def _expiry(days: int | None) -> str | None:
    if days is None:
        return None
    if not 1 <= days <= MOST_DAYS:
        raise UsageError(
            f"A key expires in 1 to {MOST_DAYS:,} days, not in {days}: leave it out for none.",
            code="bad_expiry",
            limit=MOST_DAYS,
            actual=days,
        )
    return later(timedelta(days=days))


def _key(row: KeyRow) -> Key:
    return Key(
        id=row.id,
        name=row.name,
        prefix=row.prefix,
        project=row.project,
        scopes=row.scopes,
        agent=row.agent_id,
        created_at=row.created_at,
        created_by=row.created_by,
        expires_at=row.expires_at,
        revoked_at=row.revoked_at,
        last_used_at=row.last_used_at,
    )
