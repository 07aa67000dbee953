"""Run records: the receipt of what a model was given. Rows are written once; only an erasure changes them."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, select, update

from refdesk.catalog.common import Actor, now, record
from refdesk.catalog.connect import Database
from refdesk.catalog.schema import audit, ratings, run_references, runs
from refdesk.results.receipts import erased_on

ERASE = "document.erase"
ERASE_RUN = "run.erase"


class Runs:
    def __init__(self, database: Database) -> None:
        self._database = database

    def insert(self, run: Mapping[str, Any], references: Sequence[Mapping[str, Any]]) -> None:
        """``run`` has the columns of ``runs``; each reference those of ``run_references`` but the hash."""
        with self._database.write() as connection:
            # a run may have waited for its model while a document of its own was erased
            erased = set(_erased(connection, list({reference["document"] for reference in references})))
            if erased:
                run = {**run, **_blanked(run, erased)}
            connection.execute(runs.insert().values(**run))
            for reference in references:
                digest = hashlib.sha256(reference["text"].encode()).hexdigest()
                blank = _blank_reference(run) if reference["document"] in erased else {}
                figures = {"figures": reference["figures"] or None}
                values = {**reference, **figures, **blank, "run_id": run["id"], "sha256": digest}
                connection.execute(run_references.insert().values(**values))

    def find(self, project: str, run: str) -> tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]] | None:
        with self._database.read() as connection:
            row = (
                connection.execute(select(runs).where(runs.c.id == run, runs.c.project_id == project))
                .mappings()
                .first()
            )
            if row is None:
                return None
            query = select(run_references).where(run_references.c.run_id == run)
            references = connection.execute(query.order_by(run_references.c.number)).mappings().all()
        return dict(row), [dict(reference) for reference in references]

    def newest(
        self,
        project: str,
        limit: int,
        *,
        before: str = "",
        person: str | None = None,
        agent: str | None = None,
    ) -> Sequence[str]:
        """Of one person or agent, or of all; those older than the run ``before``. Ids sort by time."""
        query = select(runs.c.id).where(runs.c.project_id == project)
        if before:
            query = query.where(runs.c.id < before)
        if person is not None:
            query = query.where(runs.c.person == person)
        if agent is not None:
            query = query.where(runs.c.agent == agent)
        query = query.order_by(runs.c.id.desc()).limit(limit)
        with self._database.read() as connection:
            return list(connection.execute(query).scalars())

    def given(self, project: str, document: str) -> bool:
        """Whether a receipt of the project holds passages of a document, which may be gone by now."""
        query = (
            select(run_references.c.run_id)
            .join(runs, runs.c.id == run_references.c.run_id)
            .where(run_references.c.document == document, runs.c.project_id == project)
        )
        with self._database.read() as connection:
            return connection.execute(query.limit(1)).first() is not None

    def erase(self, documents: Sequence[str], actor: Actor) -> None:
        """Blanks these documents' passages in every receipt, and what was said of them: an answer, and a note
        beside it, may quote any of its references."""
        with self._database.write() as connection:
            for document in documents:
                given = select(run_references.c.run_id).where(run_references.c.document == document)
                for run in _runs(connection, runs.c.id.in_(given)):
                    _blank(connection, run, {document})
                record(connection, actor, ERASE, document)

    def erase_runs(self, wanted: Sequence[str], actor: Actor) -> None:
        """Blanks what these runs were asked, given and answered, and the note of each one's rating."""
        with self._database.write() as connection:
            for one in wanted:
                for run in _runs(connection, runs.c.id == one):
                    _blank(connection, run, None)
                    connection.execute(update(runs).where(runs.c.id == one).values(question=_notice()))
                record(connection, actor, ERASE_RUN, one)


def _notice() -> str:
    return erased_on(now()[:10])


def _runs(connection: Connection, which: ColumnElement[bool]) -> Sequence[Mapping[str, Any]]:
    return [dict(run) for run in connection.execute(select(runs).where(which)).mappings().all()]


def _blank(connection: Connection, run: Mapping[str, Any], documents: Collection[str] | None) -> None:
    """The passages of these documents, or of all, and what was said in the run."""
    connection.execute(update(runs).where(runs.c.id == run["id"]).values(**_blanked(run, documents)))
    its = run_references.c.run_id == run["id"]
    if documents is not None:
        its &= run_references.c.document.in_(documents)
    connection.execute(update(run_references).where(its).values(**_blank_reference(run)))
    noted = (ratings.c.run_id == run["id"]) & ratings.c.note.is_not(None)
    connection.execute(update(ratings).where(noted).values(note=_notice()))


def _blank_reference(run: Mapping[str, Any]) -> dict[str, Any]:
    """What a document is called goes with its text, but in older receipts, whose hash is of names too."""
    text = {"text": _notice(), "section": None}
    if not _names_apart(run):
        return text
    called: dict[str, Any] = {"name": _notice(), "title": _notice(), "source_url": None, "metadata": {}}
    return {**text, **called, "figures": None}  # a figure's label is the document's text too


def _names_apart(run: Mapping[str, Any]) -> bool:
    return run["digests"] is None or "question" in run["digests"]


def _blanked(run: Mapping[str, Any], documents: Collection[str] | None) -> dict[str, Any]:
    """What a model said in a run: each of its texts may quote any of its references."""
    values: dict[str, Any] = {"citations": run["citations"]}
    if _names_apart(run):
        values["citations"] = [
            {**one, "name": _notice()} if documents is None or one["document"] in documents else one
            for one in run["citations"]
        ]
    if run["answer"] is not None:
        values |= {"answer": _notice(), "warnings": []}
    if run["searches"]:
        values["searches"] = [{**one, "query": _notice(), "error": None} for one in run["searches"]]
    if run["rejected"]:
        values["rejected"] = [_notice()] * len(run["rejected"])
    return values


def _erased(connection: Connection, documents: Sequence[str]) -> Sequence[str]:
    query = select(audit.c.resource).where(audit.c.action == ERASE, audit.c.resource.in_(documents))
    return connection.execute(query.distinct()).scalars().all()
