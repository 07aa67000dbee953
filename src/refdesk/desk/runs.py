"""Run records: written once, read as they were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import Any, get_args

from refdesk.answer.model import (
    NOTE_CHARACTERS,
    Citation,
    KnownBase,
    Rating,
    Reason,
    Receipt,
    Reference,
    ReferenceFigure,
    Run,
    RunSearch,
)
from refdesk.desk.naming import check_text
from refdesk.desk.parts import Parts
from refdesk.desk.sources import figure as picture_of
from refdesk.desk.sources import opened
from refdesk.errors import NotFound, UsageError
from refdesk.results.opened import OpenedDocument

_APART = ("references", "citations", "searches", "receipt", "rating")


def keep(parts: Parts, run: Run) -> None:
    row = {field.name: getattr(run, field.name) for field in fields(run) if field.name not in _APART}
    row |= {
        "project_id": parts.project.id,
        "citations": [asdict(citation) for citation in run.citations],
        "warnings": list(run.warnings),
        "knowledge": None if run.knowledge is None else [asdict(base) for base in run.knowledge],
        "searches": [asdict(search) for search in run.searches] or None,
        "rejected": list(run.rejected) or None,
        "digests": run.receipt and run.receipt.digests,
        "sha256": run.receipt and run.receipt.sha256,
    }
    parts.catalog.runs.insert(row, [asdict(reference) for reference in run.references])


class Runs:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def get(self, run: str) -> Run:
        """Whoever it belongs to may read it, whatever the role."""
        found = self._find(run)
        return self._authorized("run.read", run, found)

    def open_document(self, run: str, source: int) -> OpenedDocument:
        """The document of the source with that number, as it is now. Raises ``NotFound``, and
        ``NotPermitted`` for a source that the answer does not cite where documents are not the caller's to
        read."""
        return opened(self._parts, self._authorized("run.read", run, self._find(run)), source)

    def figure(self, run: str, source: int, figure: int) -> bytes:
        """A figure of the source with that number, as it was issued, lossless WebP. Raises ``NotFound``, also
        (``figure_gone``) where it is deleted."""
        return picture_of(self._parts, self._authorized("run.read", run, self._find(run)), source, figure)

    def rate(self, run: str, *, helpful: bool, reason: Reason | None = None, note: str | None = None) -> Run:
        """In place of the rating that it had; for whom it answered, or a key of its project. Raises
        ``UsageError`` (``bad_value``)."""
        found = self._authorized("rating.write", run, self._find(run))
        _check_rating(reason, note, helpful=helpful)
        self._parts.catalog.ratings.rate(
            found.id, helpful=helpful, reason=reason, note=note, actor=self._parts.actor
        )
        return replace(found, rating=self._rating(found.id))

    def erase(self, *runs: str) -> int:
        """Blanks what was asked, given, answered and noted in these runs, or calls, for good. That each was,
        when, for whom, which documents it was given and the hash of each text stay. Raises ``NotFound``."""
        parts = self._parts
        parts.authorize("run.erase")
        wanted = list(dict.fromkeys(runs))
        calls = [one for one in wanted if parts.catalog.calls.find(parts.project.id, one)]
        for one in wanted:
            if one not in calls and self._find(one) is None:
                raise NotFound(f"There is no run or call {one!r} in project {parts.project.slug}.")
        for call in calls:
            parts.catalog.calls.erase(call, parts.actor)
        parts.catalog.runs.erase_runs([one for one in wanted if one not in calls], parts.actor)
        parts.catalog.replies.erase(parts.project.id)
        parts.catalog.database.tidy()
        return len(wanted)

    def feedback(self, limit: int = 50, *, before: str = "") -> Sequence[Run]:
        """The runs that did not help, with their ratings, the newest first, behind the run ``before``."""
        parts = self._parts
        parts.authorize("feedback.read")
        runs = parts.catalog.ratings.not_helpful(parts.project.id, limit, before=before)
        return [run for run in map(self._find, runs) if run is not None]

    def list(self, limit: int = 50, *, before: str = "") -> Sequence[Run]:
        """The newest first, behind the run ``before``. Who may not read them all gets their own, and a key
        that is bound to one agent that agent's."""
        parts = self._parts
        agent = parts.principal.agent
        parts.authorize("run.list", agent=agent)
        everybodys = agent is not None or parts.permits("run.read")
        person = None if everybodys else parts.principal.name
        runs = parts.catalog.runs.newest(parts.project.id, limit, before=before, person=person, agent=agent)
        return [run for run in map(self._find, runs) if run is not None]

    def _authorized(self, action: str, run: str, found: Run | None) -> Run:
        self._parts.authorize(
            action, owner=found.person if found else None, agent=found.agent if found else None
        )
        if found is None:
            raise NotFound(f"There is no run {run!r} in project {self._parts.project.slug}.")
        return found

    def _find(self, run: str) -> Run | None:
        found = self._parts.catalog.runs.find(self._parts.project.id, run)
        return None if found is None else replace(_run(*found), rating=self._rating(run))

    def _rating(self, run: str) -> Rating | None:
        row = self._parts.catalog.ratings.of(run)
        return None if row is None else Rating(**row)


def _check_rating(reason: str | None, note: str | None, *, helpful: bool) -> None:
    reasons = get_args(Reason)
    if reason is not None and reason not in reasons:
        raise UsageError(
            f"There is no reason {reason[:80]!r}; there are {', '.join(reasons)}.", code="bad_value"
        )
    if helpful and reason is not None:
        raise UsageError(
            "A reason says why an answer did not help, and this one did: leave it out.", code="bad_value"
        )
    if note is None:
        return
    if len(note) > NOTE_CHARACTERS:
        raise UsageError(
            f"The note has {len(note):,} characters; at most {NOTE_CHARACTERS:,} are accepted: shorten it.",
            code="bad_value",
            limit=NOTE_CHARACTERS,
            actual=len(note),
        )
    check_text(note, "note")


def _run(row: Mapping[str, Any], references: Sequence[Mapping[str, Any]]) -> Run:
    values = {field.name: row[field.name] for field in fields(Run) if field.name not in _APART}
    values["warnings"] = tuple(row["warnings"])
    values["rejected"] = tuple(row["rejected"] or ())
    if row["knowledge"] is not None:
        values["knowledge"] = tuple(KnownBase(**base) for base in row["knowledge"])
    return Run(
        **values,
        receipt=None if row["sha256"] is None else Receipt(row["sha256"], row["digests"]),
        references=tuple(map(_reference, references)),
        citations=tuple(Citation(**one) for one in row["citations"]),
        searches=tuple(
            RunSearch(**{**one, "references": tuple(one["references"])}) for one in row["searches"] or ()
        ),
    )


def _reference(row: Mapping[str, Any]) -> Reference:
    values = {field.name: row[field.name] for field in fields(Reference)}
    return Reference(**{**values, "figures": tuple(ReferenceFigure(**one) for one in row["figures"] or ())})
