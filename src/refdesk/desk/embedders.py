"""From an embedding account to its embedder: one for each, which all share."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from refdesk.catalog import Catalog
from refdesk.embedding.accounts import READY, open_embedder
from refdesk.embedding.model import Embedder
from refdesk.errors import Failed, Refusal, UsageError
from refdesk.secrets import Vault
from refdesk.settings import Settings

if TYPE_CHECKING:
    from refdesk.catalog.accounts import AccountRow
    from refdesk.embedding.service import ServiceEmbedder
    from refdesk.outgoing import Outgoing
    from refdesk.outgoing.patience import Patience


class Embedders:
    """``given`` are models of the caller's own by the name of their account; they come before every other."""

    def __init__(
        self, settings: Settings, catalog: Catalog, vault: Vault, given: Mapping[str, Embedder]
    ) -> None:
        self._settings = settings
        self._catalog = catalog
        self._vault = vault
        self._given = given
        self._lock = threading.Lock()
        self._opened: dict[str, tuple[str, Embedder]] = {}

    @cached_property
    def outgoing(self) -> Outgoing:
        from refdesk.outgoing import Outgoing

        return Outgoing(self._settings.allow_private_hosts)

    def get(self, account: str) -> Embedder:
        """Raises ``Failed`` where the account's model cannot be used here."""
        if account in self._given:
            return self._given[account]
        if account in READY:
            return open_embedder(account, self._settings)
        row = self._catalog.accounts.by_id(account)
        if row is None:
            raise _unavailable(f"The embedding account {account} is gone: choose another for the base.")
        with self._lock:
            changed, embedder = self._opened.get(account, ("", None))
            if embedder is None or changed != row.changed_at:
                embedder = self._open(row)
                self._opened[account] = row.changed_at, embedder
            return embedder

    def ready(self) -> Sequence[str]:
        """The accounts without a row that can be used here."""
        return [account for account in dict.fromkeys((*READY, *self._given)) if self.is_ready(account)]

    def is_ready(self, account: str) -> bool:
        if account not in READY and account not in self._given:
            return False
        try:
            self.get(account)
        except Failed:
            return False
        return True

    def _open(self, row: AccountRow) -> Embedder:
        from refdesk.embedding.guarded import GuardedEmbedder

        if row.service.dimensions is None:
            raise _unavailable(f"The embedding account {row.name} has never been verified: verify it.")
        try:
            return GuardedEmbedder(self.service(row))
        except (Refusal, UsageError) as error:  # the settings have changed since
            raise _unavailable(f"The embedding account {row.name} cannot be used. {error.message}") from None

    def service(self, row: AccountRow, patience: Patience | None = None) -> ServiceEmbedder:
        """As it stands, for one that asks it once."""
        from refdesk.embedding.opened import service_embedder

        secret = None if row.secret is None else self._vault.open(row.secret, row.id)
        return service_embedder(row.service, secret, self.outgoing, patience)


def _unavailable(message: str) -> Failed:
    return Failed(message, code="embedding_unavailable")
