"""The catalog as the guard of a search, for the bases that the caller was granted."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from refdesk.catalog import Catalog
from refdesk.index.visibility import Live


class Granted:
    """The guard of one search: what it has once let through stays so until that search has its answer. A base
    outside ``bases`` holds nothing for this caller, whatever an index proposes."""

    def __init__(self, catalog: Catalog, bases: Collection[str]) -> None:
        self._catalog = catalog
        self._bases = frozenset(bases)
        self._known: dict[str, Live | None] = {}

    def live(self, base: str, documents: Sequence[str]) -> Mapping[str, Live]:
        if base not in self._bases:
            return {}
        new = [document for document in documents if document not in self._known]
        if new:
            found = self._catalog.documents.live(base, new)
            for (
                document
            ) in new:  # the other half of the search may have asked meanwhile: the first answer stays
                self._known.setdefault(document, found.get(document))
        known = {document: self._known[document] for document in documents}
        return {document: live for document, live in known.items() if live is not None}
