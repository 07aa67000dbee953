"""Knowledge bases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refdesk.client.adding import Progress, add, sent, silent
from refdesk.client.http import Http
from refdesk.client.places import Places, base_path
from refdesk.client.shaped import shaped
from refdesk.errors import NotFound, UsageError
from refdesk.files import Named
from refdesk.results.added import Added
from refdesk.results.documents import BaseProgress, Document
from refdesk.unset import UNSET, Unset

if TYPE_CHECKING:
    from refdesk.policy.model import BaseKind


@dataclass(frozen=True, slots=True)
class _Fields:
    id: str
    name: str
    slug: str
    description: str | None
    kind: str
    embedding_account_id: str | None
    documents: int
    ready_chars: int
    total_chars: int
    created_at: str


class Base:
    """A base as it was when it was looked up; its methods act on it as it is."""

    def __init__(self, http: Http, places: Places, table: Mapping[str, Any]) -> None:
        self._http, self._places = http, places
        self._fields = shaped(_Fields, table)
        self._path = base_path(self._fields.id)
        self.id = self._fields.id
        self.name = self._fields.name
        self.slug = self._fields.slug
        self.description = self._fields.description
        self.kind = self._fields.kind
        self.embedding_account_id = self._fields.embedding_account_id
        self.documents = self._fields.documents
        self.ready_chars = self._fields.ready_chars
        self.total_chars = self._fields.total_chars
        self.created_at = self._fields.created_at
        places.see_base(self.id, self.name)

    def __repr__(self) -> str:
        return f"Base({self.name!r}, {self.id})"

    def to_dict(self) -> dict[str, Any]:
        return asdict(self._fields)

    def add(
        self,
        *paths: str | Path,
        wait: bool = False,
        source_url: str | None = None,
        metadata: Mapping[str, str] | None = None,
        progress: Progress = silent,
    ) -> Added:
        """Files and folders in. A refused file stays out and is told; the others go on. ``wait`` asks until
        each is ready or failed: the server's workers do the work."""
        return add(
            self._http,
            self._path,
            paths,
            wait=wait,
            labels={"source_url": source_url, "metadata": _pairs(metadata)},
            progress=progress,
        )

    def upload(
        self,
        path: Path,
        name: str,
        *,
        declared_type: str | None = None,
        source_url: str | None = None,
        metadata: Mapping[str, str] | None = None,
        replaces: str | None = None,
    ) -> Document:
        """One file in, called ``name``, as a document of its own also where another has that name (D2); or as
        the next version of the document with the id ``replaces``. Raises ``Refusal``, ``NotFound``, and
        ``Failed`` (``reader_busy``) with ``retry_after``."""
        labels = {"source_url": source_url, "metadata": _pairs(metadata)}
        table, _ = sent(
            self._http, self._path, Named(path, name), labels, declared_type=declared_type, replaces=replaces
        )
        return self._places.document(table, self.id)

    def list_documents(self) -> Sequence[Document]:
        """In the order that they came."""
        return [self._places.document(one, self.id) for one in self._http.items(f"{self._path}/documents")]

    def progress(self) -> BaseProgress:
        """How far the work on its documents is."""
        return shaped(BaseProgress, self._http.get(f"{self._path}/progress"))

    def reindex(self) -> int:
        """Queues every document that is not fully indexed; returns how many."""
        return int(self._http.post(f"{self._path}/reindex")["queued"])

    def update(
        self,
        *,
        name: str | Unset = UNSET,
        description: str | Unset | None = UNSET,
        embedding_account_id: str | Unset | None = UNSET,
    ) -> Base:
        """Changes what is given. The same account again is as ``reindex``; another one, or ``None``, reads
        every document again. Raises ``UsageError`` (``name_taken``, ``account_unverified``,
        ``account_fixed``), ``NotFound``."""
        given = {"name": name, "description": description, "embedding_account_id": embedding_account_id}
        changes = {key: value for key, value in given.items() if not isinstance(value, Unset)}
        return Base(self._http, self._places, self._http.patch(self._path, changes))

    def delete(self, *, erase: bool = False) -> None:
        """The base and everything in it, for good; ``erase`` as for documents."""
        self._http.delete(self._path, erase=erase)


class Bases:
    def __init__(self, http: Http, places: Places) -> None:
        self._http, self._places = http, places

    def create(
        self,
        name: str,
        *,
        description: str | None = None,
        kind: BaseKind | None = None,
        embedding_account_id: str | Unset | None = UNSET,
    ) -> Base:
        """The embedding account, by name or id, is the policy's unless one is given; ``None``: keyword alone.
        Raises ``UsageError`` (``name_taken``, ``account_unverified``, ``account_fixed``)."""
        table: dict[str, Any] = {"name": name, "description": description, "kind": kind}
        if not isinstance(embedding_account_id, Unset):
            table["embedding_account_id"] = embedding_account_id
        return Base(self._http, self._places, self._http.create("/knowledge-bases", table))

    def get(self, name_or_id: str) -> Base:
        found = self.find(name_or_id)
        if found is None:
            raise NotFound(f"There is no base {name_or_id!r} in the project of the key.")
        return found

    def find(self, name_or_id: str) -> Base | None:
        found = [Base(self._http, self._places, one) for one in self._listed(name_or_id)]
        return found[0] if found else None

    def list(self) -> Sequence[Base]:
        return [Base(self._http, self._places, one) for one in self._listed(None)]

    def _listed(self, name: str | None) -> Sequence[Mapping[str, Any]]:
        return tuple(self._http.items("/knowledge-bases", name=name))


def _pairs(metadata: Mapping[str, str] | None) -> Sequence[str] | None:
    """As an address has them. Raises ``UsageError`` for a key that has the sign between the two."""
    if metadata is None:
        return None
    for key in metadata:
        if "=" in key:
            raise UsageError(
                f"The metadata key {key!r} has a =, which none has over HTTP.", code="bad_metadata"
            )
    return [f"{key}={value}" for key, value in metadata.items()]
