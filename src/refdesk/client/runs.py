"""Runs: asked, read as they were, rated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from refdesk.client.calls import call_path
from refdesk.client.http import Http
from refdesk.client.places import quoted
from refdesk.client.problems import error_told
from refdesk.client.shaped import shaped
from refdesk.errors import Failed
from refdesk.ids import cursor_behind, is_id
from refdesk.results.runs import (
    Citation,
    KnownBase,
    Rating,
    Receipt,
    Reference,
    ReferenceFigure,
    Run,
    RunSearch,
)

if TYPE_CHECKING:
    from refdesk.results.runs import Reason

_PATH = "/runs"

Issued = Callable[[Sequence[Reference]], None]
Said = Callable[[str | None], None]


class Runs:
    def __init__(self, http: Http) -> None:
        self._http = http

    def get(self, run: str) -> Run:
        return _run(self._http.get(_path(run)))

    def list(self, limit: int = 50, *, before: str = "") -> Sequence[Run]:
        """The newest first, behind the run ``before``: the project's, or those of the agent that the key is
        bound to."""
        return self._page(_PATH, limit, before)

    def feedback(self, limit: int = 50, *, before: str = "") -> Sequence[Run]:
        """The runs that did not help, with their ratings, the newest first, behind the run ``before``."""
        return self._page("/feedback", limit, before)

    def rate(self, run: str, *, helpful: bool, reason: Reason | None = None, note: str | None = None) -> Run:
        """In place of the rating that it had. Raises ``UsageError`` (``bad_value``)."""
        said = {"helpful": helpful, "reason": reason, "note": note}
        return _run(self._http.post(f"{_path(run)}/rating", said))

    def erase(self, *runs: str) -> int:
        """Blanks what was asked, given, answered and noted in these runs, or calls, for good. That each was,
        when, for whom, which documents it was given and the hash of each text stay. Raises ``NotFound`` at
        the first that is not there."""
        wanted = list(dict.fromkeys(runs))
        for one in wanted:
            path = call_path(one) if is_id(one, "call") else _path(one)
            self._http.send("POST", f"{path}/erase")
        return len(wanted)

    def _page(self, path: str, limit: int, before: str) -> Sequence[Run]:
        cursor = cursor_behind(before) if before else None
        return [_run(one) for one in islice(self._http.items(path, cursor=cursor), limit)]


def asked(http: Http, path: str, table: Mapping[str, Any], issued: Issued | None, said: Said | None) -> Run:
    """One run, whose events are listened to: a model may take longer than a server may be silent."""
    for event, told in http.events(path, table):
        if event == "references" and issued is not None:
            issued([_reference(one) for one in told["references"]])
        elif event == "text" and said is not None:
            said(told["text"])
        elif event == "again" and said is not None:
            said(None)
        elif event == "error":
            raise error_told(told)
        elif event == "done":
            return _run(told)
    raise Failed("The server ended its answer before the run was done: `runs.list()` may show it.")


def _path(run: str) -> str:
    return f"{_PATH}/{quoted(run)}"


def _run(table: Mapping[str, Any]) -> Run:
    knowledge, rating = table.get("knowledge"), table.get("rating")
    return shaped(
        Run,
        table,
        id=table["run"],
        references=tuple(map(_reference, table["references"])),
        citations=tuple(shaped(Citation, one) for one in table["citations"]),
        warnings=tuple(table["warnings"]),
        input_tokens=table["tokens"]["input"],
        output_tokens=table["tokens"]["output"],
        knowledge=None if knowledge is None else tuple(shaped(KnownBase, one) for one in knowledge),
        searches=tuple(_searches(table)),
        rejected=tuple(table["rejected"]),
        receipt=None if table["receipt"] is None else shaped(Receipt, table["receipt"]),
        rating=None if rating is None else shaped(Rating, rating),
    )


def _reference(table: Mapping[str, Any]) -> Reference:
    figures = tuple(shaped(ReferenceFigure, one) for one in table.get("figures") or ())
    return shaped(Reference, table, metadata=table.get("metadata") or {}, figures=figures)


def _searches(table: Mapping[str, Any]) -> Iterator[RunSearch]:
    for one in table["searches"]:
        yield shaped(RunSearch, one, references=tuple(one["references"]))
