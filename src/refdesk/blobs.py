"""Files that belong to a document's version: ``{document}/{files}/text`` and ``…/original``.

One store for a folder here and for S3-compatible storage on a cluster (obstore). Each upload writes into
a folder of its own (``files``), create-only: what was written never changes.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Literal

from obstore.store import LocalStore

Part = Literal["text", "original"]


class Blobs:
    def __init__(self, folder: Path) -> None:
        self._store = LocalStore(prefix=folder, automatic_cleanup=True, mkdir=True)

    def put(self, document: str, files: str, part: Part, content: bytes) -> None:
        self._store.put(f"{document}/{files}/{part}", content, mode="create")

    def get(self, document: str, files: str, part: Part) -> bytes | None:
        try:
            return bytes(self._store.get(f"{document}/{files}/{part}").bytes())
        except FileNotFoundError:
            return None

    def delete(self, document: str, keep: Collection[str] = ()) -> None:
        """All files of a document but those of the uploads to ``keep``."""
        for batch in self._store.list(f"{document}/"):
            for meta in batch:
                if meta["path"].split("/")[1] not in keep:
                    self._store.delete(meta["path"])
