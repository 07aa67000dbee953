"""People: who they are, what they may do, and how they come in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from typing import Any

from refdesk.access import as_roles
from refdesk.catalog.common import Actor
from refdesk.catalog.people import PersonRow
from refdesk.desk.parts import Parts
from refdesk.errors import NotFound

FIRST = "admin@localhost"
LINK_LASTS = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Person:
    """``organization`` is an id; null: of every organization."""

    id: str
    email: str
    name: str
    roles: Sequence[str]
    organization: str | None
    created_at: str
    signed_in_at: str | None
    disabled_at: str | None

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "roles": list(self.roles)}


@dataclass(frozen=True, slots=True)
class Session:
    created_at: str
    expires_at: str

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Link:
    """Signs ``person`` in once, at the console of whichever address the server has."""

    person: str
    email: str
    expires_at: str
    token: str = field(repr=False)

    @property
    def path(self) -> str:
        return f"/console/sign-in/{self.token}"

    def to_dict(self) -> dict[str, Any]:
        return {
            "person": self.person,
            "email": self.email,
            "link": self.path,
            "expires_at": self.expires_at,
        }


class People:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def create(
        self, email: str, *, roles: Sequence[str], name: str | None = None, everywhere: bool = False
    ) -> Person:
        """In the organization of this project, or ``everywhere``, in all of them. The name is the address
        unless told."""
        if everywhere:
            self._parts.authorize_installation("person.manage")
        else:
            self._parts.authorize("person.manage")
        return _person(self._insert(email, name, roles, everywhere=everywhere))

    def list(self) -> Sequence[Person]:
        """The oldest first; those that were disabled as well."""
        self._parts.authorize_everywhere("person.read")
        return [_person(row) for row in self._parts.catalog.people.all(self._parts.principal.organization)]

    def get(self, email_or_id: str) -> Person:
        self._parts.authorize_everywhere("person.read")
        return _person(self._row(email_or_id))

    def set_roles(self, email_or_id: str, roles: Sequence[str]) -> Person:
        """In force with the person's next request."""
        self._parts.authorize_everywhere("person.manage")
        row = self._row(email_or_id)
        self._parts.catalog.people.set_roles(
            row.id, as_roles(roles), actor_of(self._parts, row.organization_id)
        )
        return _person(self._row(row.id))

    def disable(self, email_or_id: str) -> Person:
        """Ends every session and link of the person with it."""
        self._parts.authorize_everywhere("person.manage")
        row = self._row(email_or_id)
        self._parts.catalog.people.disable(row.id, actor_of(self._parts, row.organization_id))
        return _person(self._row(row.id))

    def sessions(self, email_or_id: str) -> Sequence[Session]:
        """Those of the person that are in force, the oldest first."""
        self._parts.authorize_everywhere("person.read")
        rows = self._parts.catalog.sessions.of(self._row(email_or_id).id)
        return [Session(row.created_at, row.expires_at) for row in rows]

    def sign_out(self, email_or_id: str) -> Person:
        """Ends every session of the person, and the links not used yet; who may sign in may do so again."""
        self._parts.authorize_everywhere("person.manage")
        row = self._row(email_or_id)
        self._parts.catalog.sessions.end_all(row.id, actor_of(self._parts, row.organization_id))
        return _person(row)

    def link(self, email_or_id: str) -> Link:
        """A link that signs the person in once; links made before work no longer."""
        self._parts.authorize_everywhere("person.manage")
        return self._link(self._row(email_or_id))

    def first_link(self) -> Link | None:
        """A link for the first administrator, who is made for it; ``None`` once an administrator has signed
        in."""
        self._parts.authorize_installation("sign_in")
        known = [row for row in self._parts.catalog.people.all() if "PlatformAdmin" in row.roles]
        if any(row.signed_in_at for row in known):
            return None
        if not known:
            known = [self._insert(FIRST, "Administrator", ["PlatformAdmin"], everywhere=True)]
        enabled = [row for row in known if row.disabled_at is None]
        return self._link(enabled[0]) if enabled else None

    def find_by_email(self, email: str) -> Person | None:
        """Who has this address and is not disabled. For doors that had it proved elsewhere (OIDC): letters of
        other alphabets that are compared as equal in names are other addresses here."""
        self._parts.authorize_installation("sign_in")
        row = self._parts.catalog.people.find(email)
        if row is None or row.disabled_at is not None:
            return None
        same = row.email.encode().lower() == email.strip().encode("utf-8", "replace").lower()  # ASCII alone
        return _person(row) if same else None

    def _insert(self, email: str, name: str | None, roles: Sequence[str], *, everywhere: bool) -> PersonRow:
        organization = None if everywhere else self._parts.project.organization_id
        actor = actor_of(self._parts, organization)
        return self._parts.catalog.people.create(organization, email, name, as_roles(roles), actor)

    def _link(self, row: PersonRow) -> Link:
        actor = actor_of(self._parts, row.organization_id)
        token, until = self._parts.catalog.links.make(row.id, LINK_LASTS, actor)
        return Link(row.id, row.email, until, token)

    def _row(self, email_or_id: str) -> PersonRow:
        row = self._parts.catalog.people.find(email_or_id, self._parts.principal.organization)
        if row is None:
            raise NotFound(f"There is no person {email_or_id!r}: `refdesk people list` shows who there is.")
        return row


def actor_of(parts: Parts, organization: str | None) -> Actor:
    """A person belongs to an organization, and to no project."""
    return Actor(parts.principal.name, organization, None)


def _person(row: PersonRow) -> Person:
    return Person(
        id=row.id,
        email=row.email,
        name=row.name,
        roles=row.roles,
        organization=row.organization_id,
        created_at=row.created_at,
        signed_in_at=row.signed_in_at,
        disabled_at=row.disabled_at,
    )
