"""What a desk is made of, opened once and handed to each of its faces."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from refdesk.blobs import Blobs
from refdesk.catalog import Catalog
from refdesk.catalog.projects import Project
from refdesk.embedding.model import Embedder
from refdesk.errors import Failed, UsageError
from refdesk.index.local import LocalIndex
from refdesk.ingest.context import Context
from refdesk.policy import Policy, load_policy
from refdesk.settings import Settings

if TYPE_CHECKING:
    from refdesk.reading import Reader


def _make(home: Path) -> None:
    try:
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        why = "it is a file" if home.is_file() else (error.strerror or "the system refused").lower()
        raise UsageError(f"{home} cannot be the desk's folder: {why}. Name another with --home.") from error


class Parts:
    """``person`` is who acts: whoever can open the home is its administrator, recorded as ``local``."""

    def __init__(
        self,
        home: Path,
        settings: Settings,
        project: str,
        policy: str | None,
        embedders: Mapping[str, Embedder],
    ) -> None:
        _make(home)
        self.home = home
        self.settings = settings
        self._embedders = embedders
        self.person = "local"
        address = settings.database_url
        self.catalog = Catalog(address.get_secret_value() if address else home / "catalog.sqlite")
        self.project: Project = self.catalog.projects.open(project, policy, "packs")
        self.policy: Policy = load_policy(self.project.policy, self.project.overrides)
        self.blobs = Blobs(home / "blobs")
        self._reader: Reader | None = None
        self.context = Context(self.catalog, self.blobs, self.reader, self.index, self.embedder)
        self._indexes: dict[str, LocalIndex] = {}
        self._lock = threading.Lock()

    def index(self, base: str) -> LocalIndex:
        with self._lock:
            if base not in self._indexes:
                self._indexes[base] = LocalIndex(self.home / "index" / base)
            return self._indexes[base]

    def reader(self) -> Reader:
        with self._lock:
            if self._reader is None:
                from refdesk.reading import Reader

                self._reader = Reader(memory_mb=self.settings.reading_memory_mb)
            return self._reader

    def embedder(self, account: str) -> Embedder:
        """Raises ``Failed`` where the account's model cannot be used here."""
        from refdesk.embedding.accounts import open_embedder

        embedder = self._embedders.get(account) or open_embedder(account, self.settings)
        assert embedder is not None
        return embedder

    def default_account(self) -> str | None:
        """The policy's embedding account, where its model is on this machine."""
        account = self.policy.embedding.default_account
        if account is None:
            return None
        try:
            self.embedder(account)
        except Failed:
            return None
        return account

    def close(self) -> None:
        if self._reader is not None:
            self._reader.close()
        for index in self._indexes.values():
            index.close()
        self.catalog.close()
