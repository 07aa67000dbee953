"""Sessions that can be revoked, and links that sign a person in once. Only hashes of either are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import delete, select, update

from refdesk.catalog.common import Actor, digest, later, new_secret, now, record
from refdesk.catalog.connect import Database
from refdesk.catalog.people import PersonRow, person_of
from refdesk.catalog.schema import links, people, sessions


@dataclass(frozen=True, slots=True)
class SessionRow:
    created_at: str
    expires_at: str


class Sessions:
    def __init__(self, database: Database) -> None:
        self._database = database

    def open(self, person: str, lasts: timedelta, actor: Actor) -> str:
        """The session's text, for a cookie."""
        secret = new_secret()
        with self._database.write() as connection:
            connection.execute(delete(sessions).where(sessions.c.expires_at < now()))
            connection.execute(
                sessions.insert().values(
                    sha256=digest(secret), person_id=person, created_at=now(), expires_at=later(lasts)
                )
            )
            connection.execute(update(people).where(people.c.id == person).values(signed_in_at=now()))
            record(connection, actor, "session.open", person)
        return secret

    def resolve(self, secret: str) -> PersonRow | None:
        """Whose session this is, while it is in force and the person is not disabled."""
        query = (
            select(people)
            .join(sessions, sessions.c.person_id == people.c.id)
            .where(
                sessions.c.sha256 == digest(secret),
                sessions.c.expires_at > now(),
                people.c.disabled_at.is_(None),
            )
        )
        with self._database.read() as connection:
            row = connection.execute(query).mappings().first()
        return None if row is None else person_of(row)

    def revoke(self, secret: str) -> None:
        with self._database.write(alone=False) as connection:
            connection.execute(delete(sessions).where(sessions.c.sha256 == digest(secret)))

    def of(self, person: str) -> Sequence[SessionRow]:
        """Those in force, the oldest first."""
        query = (
            select(sessions.c.created_at, sessions.c.expires_at)
            .join(people, sessions.c.person_id == people.c.id)
            .where(people.c.id == person, sessions.c.expires_at > now(), people.c.disabled_at.is_(None))
            .order_by(sessions.c.created_at, sessions.c.sha256)
        )
        with self._database.read() as connection:
            return [SessionRow(row.created_at, row.expires_at) for row in connection.execute(query)]

    def end_all(self, person: str, actor: Actor) -> None:
        """And the links that this person has not used yet."""
        with self._database.write() as connection:
            connection.execute(delete(sessions).where(sessions.c.person_id == person))
            connection.execute(delete(links).where(links.c.person_id == person))
            record(connection, actor, "person.sign_out", person)


class Links:
    def __init__(self, database: Database) -> None:
        self._database = database

    def make(self, person: str, lasts: timedelta, actor: Actor) -> tuple[str, str]:
        """The link's text and when it expires. Links made for this person before work no longer."""
        secret, until = new_secret(), later(lasts)
        with self._database.write() as connection:
            connection.execute(delete(links).where(links.c.person_id == person))
            connection.execute(
                links.insert().values(
                    sha256=digest(secret), person_id=person, created_at=now(), expires_at=until
                )
            )
            record(connection, actor, "person.link", person)
        return secret, until

    def redeem(self, secret: str) -> PersonRow | None:
        """Who signs in; of several who try the same link, one does."""
        mine = links.c.sha256 == digest(secret)
        query = (
            select(people)
            .join(links, links.c.person_id == people.c.id)
            .where(mine, links.c.expires_at > now(), people.c.disabled_at.is_(None))
        )
        with self._database.write() as connection:
            row = connection.execute(query).mappings().first()
            connection.execute(delete(links).where(mine))
        return None if row is None else person_of(row)
