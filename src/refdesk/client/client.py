"""What ``refdesk.Client`` is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from refdesk.client.accounts import Accounts
from refdesk.client.agents import Agents
from refdesk.client.bases import Base, Bases
from refdesk.client.documents import Documents
from refdesk.client.http import Http
from refdesk.client.places import Places
from refdesk.client.shaped import shaped
from refdesk.results.found import Found, Hit

if TYPE_CHECKING:
    import httpx2

    from refdesk.policy.model import Mode


class Client:
    """The project of a key, at the server with the address ``url``. A context manager, and safe to share
    between threads.

    A request that is told to wait (429, 503) is sent again after the seconds that the server names, at most
    ``retries`` times and where these are at most ``longest_wait``; else it fails with ``retry_after``.
    ``timeout``: seconds that the server may be silent. ``transport``: httpx2's, for a proxy or a test."""

    def __init__(
        self,
        url: str,
        key: str,
        *,
        timeout: float = 60.0,
        retries: int = 3,
        longest_wait: float = 60.0,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        """Sends nothing yet. Raises ``UsageError`` for what is no address, or no key."""
        self._http = Http(
            url, key, timeout=timeout, retries=retries, longest_wait=longest_wait, transport=transport
        )
        places = Places(self._http)
        self.accounts = Accounts(self._http)
        self.agents = Agents(self._http)
        self.bases = Bases(self._http, places)
        self.documents = Documents(self._http, places)

    def search(
        self,
        question: str,
        bases: Sequence[Base | str],
        *,
        mode: Mode | None = None,
        top_k: int | None = None,
        min_score: float | None = None,
        deadline: float | None = None,
        filter: Mapping[str, str] | None = None,  # noqa: A002
    ) -> Found:
        """``bases`` by object, name or id; ``deadline`` in seconds; ``filter``: values that a document's
        metadata must have."""
        asked = {
            "query": question,
            "bases": [base if isinstance(base, str) else base.id for base in bases],
            "mode": mode,
            "top_k": top_k,
            "min_score": min_score,
            "deadline": deadline,
            "filter": None if filter is None else dict(filter),
        }
        table = self._http.post("/search", asked)
        hits = tuple(_hit(one) for one in table["hits"])
        return shaped(Found, table, hits=hits, notes=tuple(table["notes"]))

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _hit(table: Mapping[str, Any]) -> Hit:
    found_by, also_in = tuple(table["found_by"]), tuple(table["also_in"])
    return shaped(Hit, {"metadata": {}, **table}, found_by=found_by, also_in=also_in)
