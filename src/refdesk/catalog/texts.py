"""What bases serve now as whole texts: for an agent that has them in its prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import and_, select

from refdesk.catalog.connect import Database
from refdesk.catalog.listed import among, listed
from refdesk.catalog.schema import bases, documents, versions
from refdesk.catalog.titles import SHOWN


@dataclass(frozen=True, slots=True)
class ServedText:
    """A document's live version. ``base`` is the base's name; ``files`` names its folder among the blobs."""

    base: str
    document: str
    version: int
    name: str
    title: str
    source_url: str | None
    metadata: Mapping[str, str]
    files: str


class Texts:
    def __init__(self, database: Database) -> None:
        self._database = database

    def served(self, wanted: Sequence[str]) -> Sequence[ServedText]:
        """Base after base in the order of ``wanted``, in each the oldest document first."""
        query = (
            select(
                bases.c.name,
                documents.c.id,
                documents.c.live_version,
                documents.c.name,
                SHOWN,
                documents.c.source_url,
                documents.c.metadata,
                versions.c.files,
                bases.c.id,
            )
            .select_from(documents)
            .join(bases, bases.c.id == documents.c.base_id)
            .join(
                versions,
                and_(
                    versions.c.document_id == documents.c.id, versions.c.version == documents.c.live_version
                ),
            )
            .where(among(bases.c.id, "wanted"))
            .order_by(documents.c.created_at, documents.c.id)
        )
        places = {base: place for place, base in enumerate(wanted)}
        rows = self._database.rows(query, {"wanted": listed(wanted)})
        return [ServedText(*row[:-1]) for row in sorted(rows, key=lambda row: places[row[-1]])]
