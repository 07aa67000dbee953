"""Where a document is: its address names its base, and callers name the document alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from refdesk.client.http import Http
from refdesk.client.shaped import shaped
from refdesk.results.documents import Document, DocumentProgress


def base_path(base: str) -> str:
    return f"/knowledge-bases/{quoted(base)}"


def quoted(segment: str) -> str:
    return quote(segment.encode("utf-8", "replace"), safe="")


class Places:
    """A document never moves to another base, so what was seen once holds."""

    def __init__(self, http: Http) -> None:
        self._http = http
        self._bases: dict[str, str] = {}
        self._names: dict[str, str] = {}

    def see_base(self, base: str, name: str) -> None:
        self._names[base] = name

    def document(self, table: Mapping[str, Any], base: str) -> Document:
        self._bases[table["id"]] = base
        notes = tuple(table["notes"])
        return shaped(Document, table, base=self._name(base), notes=notes, progress=None)

    def found(self, document: str) -> Document:
        """By its id alone, with its progress where a worker has it. Raises ``NotFound``."""
        response = self._http.send("GET", f"/documents/{quoted(document)}")
        base = response.headers["content-location"].split("/")[-3]
        its = self.document(response.json(), base)
        if its.state != "indexing":
            return its
        progress = self._http.get(f"{self.path(document)}/progress")["progress"]
        return its if progress is None else replace(its, progress=shaped(DocumentProgress, progress))

    def path(self, document: str) -> str:
        """The document's own address. Raises ``NotFound``."""
        if document not in self._bases:
            self.found(document)
        return f"{base_path(self._bases[document])}/documents/{quoted(document)}"

    def _name(self, base: str) -> str:
        if base not in self._names:
            self._names[base] = self._http.get(base_path(base))["name"]
        return self._names[base]
