"""What a tool of the caller may look up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from refdesk.desk.documents import document_of
from refdesk.desk.parts import Parts
from refdesk.errors import NotFound
from refdesk.results.documents import Document


@dataclass(frozen=True, slots=True)
class LookedUp:
    """A document that can be found, with its text."""

    document: Document
    text: str


class Lookups:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def bases(self, *, agent: str | None = None) -> Mapping[str, str]:
        """The names of the bases within reach, by id: those that ``agent``, by name or id, was granted; for a
        key that is bound to an agent, that one's; else all of the project."""
        self._parts.authorize("search", agent=self._parts.principal.agent)
        return self._reached(agent)

    def document(self, document: str, *, agent: str | None = None) -> LookedUp:
        """One of the bases within reach. Raises ``NotFound``, also while searches see nothing of it."""
        parts = self._parts
        parts.authorize("search", agent=parts.principal.agent)
        row = parts.catalog.documents.find(document, parts.project.id)
        if row is None or row.indexed_version is None or row.base_id not in self._reached(agent):
            raise NotFound(f"There is no document {document[:80]!r} among those that can be searched here.")
        text = parts.blobs.get(row.id, row.files, "text")
        return LookedUp(document_of(row), "" if text is None else text.decode())

    def _reached(self, agent: str | None) -> Mapping[str, str]:
        parts = self._parts
        bound = parts.principal.agent
        if agent is not None and bound is None:
            bound = parts.catalog.agents.get(parts.project, agent).id
        if bound is None:
            return {base.id: base.name for base in parts.catalog.bases.all(parts.project)}
        return {base.id: base.name for base in parts.catalog.asked.bases.granted(parts.project, bound)}
