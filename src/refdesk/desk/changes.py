"""What has to change so that a base equals a folder (D3)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from refdesk.catalog.document_rows import DocumentRow
from refdesk.desk.parts import Parts
from refdesk.errors import RefdeskError, Refusal, UsageError
from refdesk.files import Named
from refdesk.ingest.accept import stored_names
from refdesk.ingest.screened import Labels, screened
from refdesk.reading.kinds import check_size, kind_of


@dataclass(frozen=True, slots=True)
class Rename:
    row: DocumentRow
    name: str


@dataclass(slots=True)
class Changes:
    """``put`` are files to send in, with the document that each replaces; ``refused`` with the document that
    is kept as it is instead."""

    put: list[tuple[Named, DocumentRow | None]] = field(default_factory=list)
    renamed: list[Rename] = field(default_factory=list)
    unchanged: list[DocumentRow] = field(default_factory=list)
    refused: list[tuple[Named, DocumentRow | None, RefdeskError]] = field(default_factory=list)
    deleted: list[DocumentRow] = field(default_factory=list)


def changes(parts: Parts, files: Sequence[Named], rows: Sequence[DocumentRow]) -> Changes:
    """``rows`` are the base's documents as they came: of several with one name, the last is the one. What
    reading a file refuses shows when it is sent in."""
    found = Changes()
    named = {row.name: row for row in rows}
    taken: dict[str, Named] = {}
    new: list[tuple[Named, str]] = []
    left = {row.id: row for row in rows}
    for file in files:
        names = stored_names(parts.policy, file.name)
        row = next((named[name] for name in sorted(names) if name in named), None)
        if row is not None:
            left.pop(row.id, None)
        try:
            sha256 = _checked(parts, file, names, taken)
        except (Refusal, UsageError) as refusal:
            found.refused.append((file, row, refusal))
            continue
        if row is None:
            new.append((file, sha256))
        elif row.content.sha256 == sha256:
            found.unchanged.append(row)
        else:
            found.put.append((file, row))
    _match(parts, new, left, found)
    found.deleted = list(left.values())
    return found


def _checked(parts: Parts, file: Named, names: set[str], taken: dict[str, Named]) -> str:
    """The digest of a file that may be sent in."""
    other = next((taken[name] for name in names if name in taken), None)
    if other is not None:
        raise UsageError(
            f"{file.name} and {other.name} would have the same name in the base: rename one of them.",
            code="name_taken",
        )
    taken.update(dict.fromkeys(names, file))
    kind = kind_of(file.name, None, parts.policy)
    try:
        check_size(kind, file.path.stat().st_size, parts.policy)
        return _digest(file.path)
    except OSError as error:
        raise Refusal(f"The file cannot be read: {error.strerror}.", code="damaged") from None


def _digest(path: Path) -> str:
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _match(
    parts: Parts, new: Sequence[tuple[Named, str]], left: dict[str, DocumentRow], found: Changes
) -> None:
    """Files of a new name whose bytes and kind a document has that the folder has no more: renamed."""
    for file, sha256 in new:
        kind = kind_of(file.name, None, parts.policy)
        same = (row for row in left.values() if (row.content.sha256, row.kind) == (sha256, kind))
        row = next(same, None)
        if row is None:
            found.put.append((file, None))
            continue
        del left[row.id]
        try:
            name = _new_name(parts, file, row)
        except Refusal as refusal:
            found.refused.append((file, row, refusal))
            continue
        if name == row.name:
            found.unchanged.append(row)
        else:
            found.renamed.append(Rename(row, name))


def _new_name(parts: Parts, file: Named, row: DocumentRow) -> str:
    """As it may be stored: the text is read again, which may say that a part of the name is secret."""
    reading = parts.context.reader().read(file.path, file.name, None, parts.policy)
    labels = Labels(file.name, row.own_title, row.source_url, row.metadata, row.set_title)
    kept = screened(parts.policy, reading, labels)
    if kept.refusal is not None:
        raise kept.refusal
    return kept.labels.name
