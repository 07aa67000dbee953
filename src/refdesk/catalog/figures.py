"""The figures of documents' versions, for receipts that name them by the SHA-256 of their picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import select

from refdesk.catalog.connect import Database
from refdesk.catalog.listed import among, listed
from refdesk.catalog.schema import documents, versions


class Figures:
    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, wanted: Sequence[str]) -> Mapping[tuple[str, int], Sequence[Mapping[str, Any]]]:
        """By document and version: number, label, page, width, height and sha256 of each."""
        query = select(versions.c.document_id, versions.c.version, versions.c.figures)
        query = query.where(among(versions.c.document_id, "wanted"))
        rows = self._database.rows(query, {"wanted": listed(wanted)})
        return {(document, version): figures for document, version, figures in rows if figures}

    def folders(self, document: str, sha256: str) -> Iterator[str]:
        """Of the versions that hold that picture and are not deleted, the newest first."""
        query = (
            select(versions.c.files, versions.c.figures)
            .join(documents, documents.c.id == versions.c.document_id)
            .where(versions.c.document_id == document)
            .order_by(versions.c.version.desc())
        )
        with self._database.read() as connection:
            rows = connection.execute(query).all()
        return (files for files, figures in rows if any(one["sha256"] == sha256 for one in figures))
