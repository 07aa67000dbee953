"""The catalog as the guard of a search, for the bases that the caller was granted."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from refdesk.catalog import Catalog
from refdesk.index.visibility import Live


class Granted:
    """A base outside ``bases`` holds nothing for this caller, whatever an index proposes."""

    def __init__(self, catalog: Catalog, bases: Collection[str]) -> None:
        self._catalog = catalog
        self._bases = frozenset(bases)

    def live(self, wanted: Mapping[str, Collection[str]]) -> Mapping[str, Mapping[str, Live]]:
        return self._catalog.documents.live(
            {base: documents for base, documents in wanted.items() if base in self._bases}
        )
