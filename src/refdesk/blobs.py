"""Files of a document's version: ``{document}/{files}/text``, ``…/original``, ``…/figures/….webp``.

One store for a folder here and for S3-compatible storage on a cluster (obstore). Each upload writes into
a folder of its own (``files``), create-only: what was written never changes.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from obstore.store import LocalStore


class Blobs:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def _store(self) -> LocalStore:
        from obstore.store import LocalStore  # a search reads none of these files

        return LocalStore(prefix=self._folder, automatic_cleanup=True, mkdir=True)

    def put(self, document: str, files: str, part: str, content: bytes) -> None:
        """Putting the same content again is fine: work that broke off is done again."""
        from obstore.exceptions import AlreadyExistsError

        try:
            self._store.put(f"{document}/{files}/{part}", content, mode="create")
        except AlreadyExistsError:
            if self.get(document, files, part) != content:
                raise

    def get(self, document: str, files: str, part: str) -> bytes | None:
        try:
            return bytes(self._store.get(f"{document}/{files}/{part}").bytes())
        except FileNotFoundError:
            return None

    def uploads(self, document: str) -> set[str]:
        return {path.split("/")[1] for path in self._paths(f"{document}/")}

    def delete(self, document: str, uploads: Collection[str]) -> None:
        """All files of these uploads; another process may be deleting the same."""
        for files in uploads:
            for path in self._paths(f"{document}/{files}/"):
                with suppress(FileNotFoundError):
                    self._store.delete(path)

    def remove(self, document: str, files: str, part: str) -> None:
        with suppress(FileNotFoundError):
            self._store.delete(f"{document}/{files}/{part}")

    def _paths(self, prefix: str) -> list[str]:
        return [meta["path"] for batch in self._store.list(prefix) for meta in batch]
