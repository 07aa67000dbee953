"""Sessions: what a door asks before it knows who is there."""

from __future__ import annotations

from datetime import timedelta

from pydantic import SecretStr

from refdesk.access import Principal, as_roles
from refdesk.desk.parts import Parts
from refdesk.desk.people import Person, actor_of
from refdesk.errors import Failed

_KEPT = "a browser's sign-in"


class Sessions:
    """For doors: the desk acts as ``LOCAL`` until one of these has answered who is there."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def open(self, person: Person) -> str:
        """A session's text, for a cookie."""
        self._parts.authorize_installation("sign_in")
        return self._open(person.id, person.organization)

    def redeem(self, link: str) -> str | None:
        """A session for the text of a link; ``None`` where it is unknown, used or expired."""
        self._parts.authorize_installation("sign_in")
        row = self._parts.catalog.links.redeem(link)
        return None if row is None else self._open(row.id, row.organization_id)

    def resolve(self, session: str) -> Principal | None:
        """Whose session this text is, with the roles of this moment; ``None`` where it is unknown, revoked or
        expired."""
        self._parts.authorize_installation("sign_in")
        row = self._parts.catalog.sessions.resolve(session)
        if row is None:
            return None
        return Principal("person", row.email, row.organization_id, as_roles(row.roles))

    def revoke(self, session: str) -> None:
        self._parts.authorize_installation("sign_in")
        self._parts.catalog.sessions.revoke(session)

    def seal(self, text: str) -> str:
        """What a door gives a browser to keep, so that nobody reads or changes it."""
        self._parts.authorize_installation("sign_in")
        return self._parts.house.vault.seal(SecretStr(text), _KEPT)

    def unseal(self, sealed: str) -> str | None:
        """``None`` where it was not sealed here."""
        self._parts.authorize_installation("sign_in")
        try:
            return self._parts.house.vault.open(sealed, _KEPT).get_secret_value()
        except Failed:
            return None

    def _open(self, person: str, organization: str | None) -> str:
        lasts = timedelta(hours=self._parts.settings.session_hours)
        return self._parts.catalog.sessions.open(person, lasts, actor_of(self._parts, organization))
