"""What ``refdesk.Client`` is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self

from refdesk.client.accounts import Accounts
from refdesk.client.agents import Agents, agent_path
from refdesk.client.bases import Base, Bases
from refdesk.client.calls import Calls
from refdesk.client.documents import Documents
from refdesk.client.found import found_of
from refdesk.client.http import Http
from refdesk.client.places import Places
from refdesk.client.runs import Issued, Runs, Said, asked
from refdesk.errors import UsageError
from refdesk.results.found import Found
from refdesk.results.runs import Run

if TYPE_CHECKING:
    import httpx2

    from refdesk.policy.model import Grounding, Mode


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
        self.runs = Runs(self._http)
        self.calls = Calls(self._http)

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
        question_to_bases = {
            "query": question,
            "bases": _named(bases),
            "mode": mode,
            "top_k": top_k,
            "min_score": min_score,
            "deadline": deadline,
            "filter": None if filter is None else dict(filter),
        }
        return found_of(self._http.post("/search", question_to_bases))

    def ask(
        self,
        question: str,
        bases: Sequence[Base | str] = (),
        *,
        agent: str | None = None,
        grounding: Grounding | None = None,
        model: str | None = None,
        issued: Issued | None = None,
        said: Said | None = None,
    ) -> Run:
        """One run, kept by the server: of an agent (name or id), or of ``bases``. Grounding and model are the
        agent's unless told; without one, preferred and the quoting model. ``issued`` is told the references
        before the model is asked, and again where it looks up more; ``said`` each piece of the answer as it
        comes, and ``None`` where what came so far is not the answer."""
        table = {"question": question, "grounding": grounding, "model": model}
        if agent is None:
            return asked(self._http, "/runs", {**table, "bases": _named(bases)}, issued, said)
        if bases:
            raise UsageError("Name the agent to ask, or bases to ask without one, and not both.")
        return asked(self._http, f"{agent_path(self._http, agent)}/runs", table, issued, said)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _named(bases: Sequence[Base | str]) -> Sequence[str]:
    return [base if isinstance(base, str) else base.id for base in bases]
