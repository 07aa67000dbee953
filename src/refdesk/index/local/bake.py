"""A base as read-only files: one segment, the texts in SQLite, and a manifest of settings and hashes.

The manifest is written last: a folder without one is no finished bake.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from refdesk.errors import Failed, UsageError
from refdesk.index.local import files
from refdesk.index.local.part import Part
from refdesk.index.local.segment import Segment, combine
from refdesk.index.local.view import View
from refdesk.index.visibility import Live

MANIFEST = "manifest.json"
SEGMENT = "passages.segment"
TEXTS = "texts.db"
FORMAT = 1
_COPIED_AT_ONCE = 1_000
_COLUMNS = 'key, document, version, position, page, "start", "end", digest, section, text'
_SCHEMA = f"""
CREATE TABLE passages (
    key INTEGER PRIMARY KEY, document TEXT NOT NULL, version INTEGER NOT NULL, position INTEGER NOT NULL,
    page INTEGER, "start" INTEGER NOT NULL, "end" INTEGER NOT NULL,
    digest BLOB NOT NULL, section TEXT NOT NULL, text TEXT NOT NULL
);
CREATE UNIQUE INDEX passages_by_place ON passages (document, version, position);
CREATE INDEX passages_by_digest ON passages (digest);
PRAGMA user_version = {FORMAT};
"""


@dataclass(frozen=True, slots=True)
class Manifest:
    """``files`` has size and SHA-256 of each; ``documents`` those that may be seen."""

    settings: Mapping[str, str]
    passages: int
    files: Mapping[str, tuple[int, str]]
    documents: Sequence[Live]


def bake(
    folder: Path,
    database: sqlite3.Connection,
    view: View,
    settings: Mapping[str, str],
    documents: Sequence[Live] | None,
) -> None:
    """Nobody else writes to the index meanwhile. ``folder`` is made, and must be empty."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise UsageError(f"{folder} is not empty: name a new folder to bake into.")
    segment = _segment(view, documents)
    if segment is not None:
        files.write(folder / SEGMENT, segment)
    _copy_texts(folder / TEXTS, database, [] if segment is None else segment.keys.tolist())
    made = [folder / TEXTS] + ([] if segment is None else [folder / SEGMENT])
    manifest = Manifest(
        settings=settings,
        passages=0 if segment is None else len(segment),
        files={path.name: (path.stat().st_size, sha256(path)) for path in made},
        documents=documents or (),
    )
    (folder / MANIFEST).write_text(_written(manifest))
    files.sync_folder(folder)


def _segment(view: View, documents: Sequence[Live] | None) -> Segment | None:
    """All that is alive; with ``documents``, of their versions alone."""
    wanted = None if documents is None else {(one.id, one.version) for one in documents}
    parts = [part if wanted is None else _of(part, wanted) for part in view.parts]
    living = [part for part in parts if part.living]
    return combine([part.segment for part in living], [part.dead for part in living]) if living else None


def _of(part: Part, wanted: set[tuple[str, int]]) -> Part:
    segment = part.segment
    places = zip(segment.names_of(segment.documents), segment.versions.tolist(), strict=True)
    kept = np.fromiter((place in wanted for place in places), np.bool_, len(segment))
    return part.without(segment.keys[~kept])


def _copy_texts(path: Path, database: sqlite3.Connection, keys: Sequence[int]) -> None:
    with closing(sqlite3.connect(path)) as copy:
        copy.executescript(_SCHEMA)
        for start in range(0, len(keys), _COPIED_AT_ONCE):
            rows = database.execute(
                f"SELECT {_COLUMNS} FROM passages"  # noqa: S608
                " WHERE key IN (SELECT value FROM json_each(?)) ORDER BY key",
                (json.dumps(keys[start : start + _COPIED_AT_ONCE]),),
            )
            copy.executemany(f"INSERT INTO passages VALUES ({', '.join('?' * 10)})", rows)  # noqa: S608
        copy.commit()


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _written(manifest: Manifest) -> str:
    table = {
        "format": FORMAT,
        "settings": dict(manifest.settings),
        "passages": manifest.passages,
        "files": manifest.files,
        "documents": [[*one[:5], dict(one.metadata)] for one in manifest.documents],
    }
    return json.dumps({"sha256": _digest(table), **table}, ensure_ascii=False)


def _digest(table: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(table, sort_keys=True).encode()).hexdigest()


def read_manifest(folder: Path) -> Manifest:
    """Raises ``Failed`` where there is none, or it is not as it was written."""
    try:
        table = json.loads((folder / MANIFEST).read_bytes())
        intact = table.pop("sha256") == _digest(table)
    except FileNotFoundError:
        raise Failed(f"{folder} holds no finished bake: bake it again.", code="index_damaged") from None
    except PermissionError:
        raise closed(folder / MANIFEST) from None
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        intact = False
    if not intact:
        raise damaged(folder, f"{MANIFEST} is not as it was written")
    if table["format"] != FORMAT:
        raise Failed(
            f"The baked index at {folder} has format {table['format']} and this Refdesk reads {FORMAT}: "
            "bake it again.",
            code="bake_mismatch",
            limit=FORMAT,
            actual=table["format"],
        )
    return Manifest(
        table["settings"],
        table["passages"],
        {name: (size, digest) for name, (size, digest) in table["files"].items()},
        [Live(*document) for document in table["documents"]],
    )


def closed(path: Path) -> Failed:
    return Failed(
        f"{path} may not be read by this user: bake it again, or give files mode 644 and folders 755.",
        code="index_damaged",
    )


def damaged(folder: Path, why: str) -> Failed:
    return Failed(f"The baked index at {folder} is damaged ({why}): bake it again.", code="index_damaged")
