"""The same answer to the same request, for a day (H2)."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import SecretStr

from refdesk.desk.parts import Parts
from refdesk.errors import UsageError

MAX_KEY = 255


@dataclass(frozen=True, slots=True)
class Known:
    """An answer that was given: ``fingerprint`` is of the request's body."""

    fingerprint: str
    status: int
    content: str


class Replies:
    """Answers are kept sealed: a deleted document is not to be read in one."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def begin(self, route: str, key: str) -> Known | None:
        """``None``: the request is the first of that key. Raises ``UsageError`` (``key_reused``) where one is
        still in work."""
        self._parts.authorize("request.repeat", owner=self._parts.principal.name)
        if not 1 <= len(key) <= MAX_KEY:
            raise UsageError(
                f"An idempotency key has 1 to {MAX_KEY} characters, and this one has {len(key)}.",
                code="bad_value",
                limit=MAX_KEY,
                actual=len(key),
            )
        found = self._parts.catalog.replies.begin(self._caller, route, key)
        if found is None:
            return None
        if found.fingerprint is None or found.status is None or found.content is None:
            raise UsageError(
                "A request with this idempotency key is still in work: wait for its answer.",
                code="key_reused",
            )
        vault = self._parts.house.vault
        return Known(found.fingerprint, found.status, vault.open(found.content, route).get_secret_value())

    def keep(self, route: str, key: str, known: Known) -> None:
        self._parts.authorize("request.repeat", owner=self._parts.principal.name)
        sealed = self._parts.house.vault.seal(SecretStr(known.content), route)
        self._parts.catalog.replies.keep(
            self._caller, route, key, fingerprint=known.fingerprint, status=known.status, content=sealed
        )

    def forget(self, route: str, key: str) -> None:
        """The request failed: it may be sent again."""
        self._parts.authorize("request.repeat", owner=self._parts.principal.name)
        self._parts.catalog.replies.forget(self._caller, route, key)

    @property
    def _caller(self) -> str:
        return f"{self._parts.project.id} {self._parts.principal.name}"
