"""Documents by their ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from refdesk.client.http import Http
from refdesk.client.places import Places, quoted
from refdesk.client.shaped import shaped
from refdesk.errors import NotFound
from refdesk.results.documents import Document, DocumentFigure
from refdesk.unset import UNSET, Unset


@dataclass(frozen=True, slots=True)
class Passage:
    """``position`` counts from 1; ``section`` is null where there is none; ``start`` and ``end`` are
    characters of the document's text."""

    position: int
    section: str | None
    page: int | None
    start: int
    end: int
    text: str


class Documents:
    def __init__(self, http: Http, places: Places) -> None:
        self._http, self._places = http, places

    def get(self, document: str) -> Document:
        return self._places.found(document)

    def find(self, document: str) -> Document | None:
        try:
            return self._places.found(document)
        except NotFound:
            return None

    def text(self, document: str) -> str:
        """The text as it was read; empty while it has not been."""
        return self._bytes(document, "text").decode()

    def passages(self, document: str) -> Sequence[Passage]:
        """Those that searches see now, by position."""
        path = f"{self._places.path(document)}/passages"
        return [shaped(Passage, one) for one in self._http.items(path)]

    def original(self, document: str) -> bytes:
        """Raises ``NotFound`` (``original_not_kept``)."""
        return self._bytes(document, "original")

    def figures(self, document: str) -> Sequence[DocumentFigure]:
        """In the order of the text."""
        path = f"{self._places.path(document)}/figures"
        return [shaped(DocumentFigure, one) for one in self._http.items(path)]

    def figure(self, document: str, number: int) -> bytes:
        """A figure's picture, lossless WebP."""
        return self._bytes(document, f"figures/{number}")

    def update(
        self,
        document: str,
        *,
        name: str | Unset = UNSET,
        title: str | Unset | None = UNSET,
        source_url: str | Unset | None = UNSET,
        metadata: Mapping[str, str] | Unset = UNSET,
    ) -> Document:
        """Changes what is given; hits show it from the next search on (D4). A title that is set stays when
        the document is replaced or read again; ``None`` gives it its own again. Raises ``UsageError``,
        ``Refusal``."""
        given = {"name": name, "title": title, "source_url": source_url, "metadata": metadata}
        changes = {key: value for key, value in given.items() if not isinstance(value, Unset)}
        self._http.patch(self._places.path(document), changes)
        return self.get(document)

    def delete(self, *documents: str, erase: bool = False) -> int:
        """For good; where one is not there, none. ``erase`` also blanks their passages, and the answers that
        were given them, in receipts: also of a document that was deleted before."""
        wanted = list(dict.fromkeys(documents))
        there = {one for one in wanted if (self.find(one) if erase else self.get(one)) is not None}
        for document in sorted(wanted, key=there.__contains__):  # what may be nowhere, first
            self._http.delete(f"/documents/{quoted(document)}", erase=erase)
        return len(wanted)

    def retry(self, document: str) -> Document:
        """Queues a failed document again. Raises ``UsageError`` (``wrong_state``) for another."""
        return self._done(document, "retry")

    def reingest(self, document: str) -> Document:
        """Reads a ready document again from its original, else indexes its stored text again (D11). Raises
        ``UsageError`` (``wrong_state``) for one that is not ready, and ``Refusal``."""
        return self._done(document, "reingest")

    def cancel(self, document: str) -> Document:
        """Stops the work on it; what was live stays. Raises ``UsageError`` (``wrong_state``) where nobody
        works on it, or is to."""
        return self._done(document, "cancel")

    def _done(self, document: str, what: str) -> Document:
        self._http.post(f"{self._places.path(document)}/{what}")
        return self.get(document)

    def _bytes(self, document: str, what: str) -> bytes:
        return self._http.send("GET", f"{self._places.path(document)}/{what}").content
