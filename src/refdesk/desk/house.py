"""What every desk of one home shares: opened once, whoever acts and for whichever project."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Self

from refdesk.access import LOCAL
from refdesk.blobs import Blobs
from refdesk.catalog import Catalog
from refdesk.catalog.asked import Project
from refdesk.catalog.common import Actor
from refdesk.desk.embedders import Embedders
from refdesk.embedding.model import Embedder
from refdesk.errors import UsageError
from refdesk.index.local import LocalIndex
from refdesk.ingest.context import Context
from refdesk.secrets import Vault
from refdesk.settings import Settings

if TYPE_CHECKING:
    from refdesk.desk.intake import Intake
    from refdesk.reading import Reader


def _make(home: Path) -> None:
    try:
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        why = "it is a file" if home.is_file() else (error.strerror or "the system refused").lower()
        raise UsageError(f"{home} cannot be the desk's folder: {why}. Name another with --home.") from error


class House:
    def __init__(self, home: Path, settings: Settings, embedders: Mapping[str, Embedder]) -> None:
        _make(home)
        self.home = home
        self.settings = settings
        address = settings.database_url
        self.catalog = Catalog(address.get_secret_value() if address else home / "catalog.sqlite")
        self.vault = Vault(home, settings.secret_key)
        self.embedders = Embedders(settings, self.catalog, self.vault, embedders)
        self.blobs = Blobs(home / "blobs")
        self.intake: Intake | None = None  # where another process accepts uploads
        self._reader: Reader | None = None
        self.context = Context(self.catalog, self.blobs, self.reader, self.index, self.embedders.get)
        self._indexes: dict[str, LocalIndex] = {}
        self._lock = threading.Lock()

    @classmethod
    def open(
        cls,
        home: str | Path | None = None,
        settings: Settings | None = None,
        embedders: Mapping[str, Embedder] | None = None,
    ) -> Self:
        """Makes the home on first use."""
        settings = settings or Settings()
        folder = settings.home_folder() if home is None else Path(home).expanduser().absolute()
        return cls(folder, settings, embedders or {})

    def index(self, base: str) -> LocalIndex:
        with self._lock:
            if base not in self._indexes:
                self._indexes[base] = LocalIndex(self.home / "index" / base)
            return self._indexes[base]

    def settle(self) -> None:
        """What a crash cut is finished."""
        if self.catalog.asked.removals.due():
            from refdesk.ingest.removals import settle

            settle(self.context)

    def project(self, slug: str, policy: str | None, default_policy: str) -> Project:
        """The project of that slug, made on first use. Raises ``UsageError`` (``policy_fixed``) where it has
        another ``policy``."""
        found = self.catalog.asked.projects.find(slug)
        if found is not None and policy in {None, found.policy}:
            return found
        return self.catalog.projects.open(slug, policy, default_policy, Actor(LOCAL.name, None, None))

    def reader(self) -> Reader:
        with self._lock:
            if self._reader is None:
                from refdesk.reading import Reader

                self._reader = Reader(memory_mb=self.settings.reading_memory_mb)
            return self._reader

    def close(self) -> None:
        if self._reader is not None:
            self._reader.close()
        for index in self._indexes.values():
            index.close()
        self.catalog.close()
