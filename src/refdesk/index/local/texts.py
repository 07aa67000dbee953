"""What searches read of passages: the truth and the texts of a bake have the same columns."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from refdesk.index.model import DIGEST, Candidate, Stored

_PLACE = "document, version, position"
_ISSUED = f"""
WITH wanted(wanted_key, low, high) AS (VALUES {{}})
SELECT key, {_PLACE}, digest, section, page, "start", "end", CASE key WHEN wanted_key THEN text END
FROM wanted JOIN passages ON digest BETWEEN low AND high
"""  # noqa: S608
_BEHIND_TEXT = b"\xff" * (DIGEST // 2)


def stored(database: sqlite3.Connection, keys: Sequence[int]) -> dict[int, Stored]:
    rows = database.execute(
        f'SELECT key, {_PLACE}, text, section, page, "start", "end" FROM passages'  # noqa: S608
        " WHERE key IN (SELECT value FROM json_each(?))",
        (json.dumps(list(keys)),),
    )
    return {key: Stored(*values) for key, *values in rows}


def issued(
    database: sqlite3.Connection, wanted: Sequence[tuple[bytes, int | None]]
) -> tuple[dict[int, Stored], list[Candidate]]:
    """As ``Searchable.issued``."""
    if not wanted:
        return {}, []
    query = _ISSUED.format(", ".join(["(?, ?, ?)"] * len(wanted)))
    values = [value for text, key in wanted for value in (key, text, text + _BEHIND_TEXT)]
    kept: dict[int, Stored] = {}
    same: list[Candidate] = []
    for key, document, version, position, digest, *rest, text in database.execute(query, values):
        same.append(Candidate(key, document, version, position, digest, 0.0))
        if text is not None:
            kept[key] = Stored(document, version, position, text, *rest)
    same.sort(key=lambda one: (one.document, one.position))
    return kept, same


def document(database: sqlite3.Connection, name: str, version: int) -> list[Stored]:
    rows = database.execute(
        f'SELECT {_PLACE}, text, section, page, "start", "end" FROM passages'  # noqa: S608
        " WHERE document = ? AND version = ? ORDER BY position",
        (name, version),
    )
    return [Stored(*row) for row in rows]
