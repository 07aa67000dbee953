"""People: who may sign in, and with which roles. Nobody is deleted: receipts and the audit name them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import RowMapping, select, update

from refdesk.catalog.common import Actor, checked_name, name_key, now, record
from refdesk.catalog.connect import Database
from refdesk.catalog.schema import people
from refdesk.errors import UsageError
from refdesk.ids import is_id, new_id

EMAIL_CHARACTERS = 254
_EMAIL = re.compile(r"[^@\s\x00-\x1f\x7f]+@[^@\s\x00-\x1f\x7f]+")


@dataclass(frozen=True, slots=True)
class PersonRow:
    """``organization_id`` null: a person of every organization."""

    id: str
    organization_id: str | None
    email: str
    name: str
    roles: tuple[str, ...]
    created_at: str
    signed_in_at: str | None
    disabled_at: str | None


class People:
    def __init__(self, database: Database) -> None:
        self._database = database

    def create(
        self, organization: str | None, email: str, name: str | None, roles: Iterable[str], actor: Actor
    ) -> PersonRow:
        """Raises ``UsageError`` (``bad_email``, ``name_taken``); an e-mail address is one person's in the
        whole installation."""
        email = _checked_email(email)
        name = checked_name(name or email, "a person")
        made = new_id("psn")
        with self._database.write() as connection:
            taken = select(people.c.id).where(people.c.email_key == name_key(email))
            if connection.execute(taken).first() is not None:
                raise UsageError(
                    f"There is a person with the address {email} already: change that one's roles, or use "
                    "another address.",
                    code="name_taken",
                )
            connection.execute(
                people.insert().values(
                    id=made,
                    organization_id=organization,
                    email=email,
                    email_key=name_key(email),
                    name=name,
                    roles=sorted(roles),
                    created_at=now(),
                )
            )
            record(connection, actor, "person.create", made)
        [row] = self._rows(people.c.id == made)
        return row

    def find(self, email_or_id: str, organization: str | None = None) -> PersonRow | None:
        """Among the people of one organization, or all."""
        by_id = is_id(email_or_id, "psn")
        matches = people.c.id == email_or_id if by_id else people.c.email_key == name_key(email_or_id)
        rows = self._rows(matches, *_of(organization))
        return rows[0] if rows else None

    def all(self, organization: str | None = None) -> Sequence[PersonRow]:
        """The oldest first; those that were disabled as well."""
        return self._rows(*_of(organization))

    def set_roles(self, person: str, roles: Iterable[str], actor: Actor) -> None:
        """In force with the person's next request."""
        self._change(person, actor, "person.set_roles", roles=sorted(roles))

    def disable(self, person: str, actor: Actor) -> None:
        """Ends every session and link of the person with it."""
        self._change(person, actor, "person.disable", disabled_at=now())

    def _change(self, person: str, actor: Actor, action: str, **values: Any) -> None:
        with self._database.write() as connection:
            connection.execute(update(people).where(people.c.id == person).values(**values))
            record(connection, actor, action, person)

    def _rows(self, *where: Any) -> Sequence[PersonRow]:
        query = select(people).where(*where).order_by(people.c.created_at, people.c.id)
        with self._database.read() as connection:
            return [person_of(row) for row in connection.execute(query).mappings()]


def person_of(row: RowMapping) -> PersonRow:
    return PersonRow(
        id=row["id"],
        organization_id=row["organization_id"],
        email=row["email"],
        name=row["name"],
        roles=tuple(row["roles"]),
        created_at=row["created_at"],
        signed_in_at=row["signed_in_at"],
        disabled_at=row["disabled_at"],
    )


def _of(organization: str | None) -> Sequence[Any]:
    return [] if organization is None else [people.c.organization_id == organization]


def _checked_email(email: str) -> str:
    trimmed = email.strip()
    if not _EMAIL.fullmatch(trimmed) or len(trimmed) > EMAIL_CHARACTERS:
        raise UsageError(
            f"{email!r} is no e-mail address: it has the form NAME@HOST and at most {EMAIL_CHARACTERS} "
            "characters.",
            code="bad_email",
        )
    return trimmed
