"""The guard's question: which documents searches see, and what they are called."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from types import MappingProxyType

from refdesk.catalog.connect import Database
from refdesk.catalog.remembered import Remembered
from refdesk.catalog.standing import Row, Standing
from refdesk.index.visibility import Live

_NONE: Mapping[str, str] = MappingProxyType({})

# Every search asks it, of up to a hundred documents, and few have metadata to unpack. The base is compared
# afterwards: an index by base would be taken for it, and all of the base's documents be read.
_WITHIN = """
SELECT base_id, id, live_version, name, coalesce(set_title, title), source_url, CAST(metadata AS TEXT)
FROM documents WHERE live_version IS NOT NULL AND id IN (SELECT value FROM json_each(:ids))
"""
_LIVE = Standing(
    _WITHIN, _WITHIN.replace("value FROM json_each(:ids)", "json_array_elements_text(CAST(:ids AS json))")
)


class Visible:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._known = Remembered(database, self._read)

    def live(self, wanted: Mapping[str, Collection[str]]) -> Mapping[str, Mapping[str, Live]]:
        """Of the documents wanted of each base the live ones, by base, then id."""
        known = self._known(set().union(*wanted.values()))
        return {
            base: {one: its[1] for one in ids if (its := known[one]) is not None and its[0] == base}
            for base, ids in wanted.items()
        }

    def _read(self, ids: Collection[str]) -> dict[str, tuple[str, Live]]:
        """Each with its base."""
        rows = self._database.asked(_LIVE, {"ids": json.dumps(list(ids))})
        return {row[1]: (row[0], _live(row)) for row in rows}


def _live(row: Row) -> Live:
    _, document, version, name, title, url, metadata = row
    its = _NONE if metadata == "{}" else MappingProxyType(json.loads(metadata))  # remembered, and shared
    return Live(document, version, name, title, url, its)
