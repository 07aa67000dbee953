"""The catalog as the guard of a search, for the bases that the caller was granted."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from refdesk.catalog import Catalog
from refdesk.index.visibility import Live


class Granted:
    """A base outside ``bases`` holds nothing for this caller, whatever an index proposes; nor does a document
    whose metadata lack a value of ``wanted``."""

    def __init__(
        self, catalog: Catalog, bases: Collection[str], wanted: Mapping[str, str] | None = None
    ) -> None:
        self._catalog = catalog
        self._bases = frozenset(bases)
        self._wanted = wanted or {}

    def live(self, wanted: Mapping[str, Collection[str]]) -> Mapping[str, Mapping[str, Live]]:
        live = self._catalog.visible.live(
            {base: documents for base, documents in wanted.items() if base in self._bases}
        )
        if not self._wanted:
            return live
        return {
            base: {id_: one for id_, one in documents.items() if self._wanted.items() <= one.metadata.items()}
            for base, documents in live.items()
        }
