"""Run records: written once, read as they were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from refdesk.answer.model import Citation, KnownBase, Receipt, Reference, Run
from refdesk.desk.parts import Parts
from refdesk.errors import NotFound

_APART = ("references", "citations", "receipt")


def keep(parts: Parts, run: Run) -> None:
    row = {field.name: getattr(run, field.name) for field in fields(run) if field.name not in _APART}
    row |= {
        "project_id": parts.project.id,
        "citations": [asdict(citation) for citation in run.citations],
        "warnings": list(run.warnings),
        "knowledge": None if run.knowledge is None else [asdict(base) for base in run.knowledge],
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
        self._parts.authorize(
            "run.read", owner=found.person if found else None, agent=found.agent if found else None
        )
        if found is None:
            raise NotFound(f"There is no run {run!r} in project {self._parts.project.slug}.")
        return found

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

    def _find(self, run: str) -> Run | None:
        found = self._parts.catalog.runs.find(self._parts.project.id, run)
        return None if found is None else _run(*found)


def _run(row: Mapping[str, Any], references: Sequence[Mapping[str, Any]]) -> Run:
    values = {field.name: row[field.name] for field in fields(Run) if field.name not in _APART}
    values["warnings"] = tuple(row["warnings"])
    if row["knowledge"] is not None:
        values["knowledge"] = tuple(KnownBase(**base) for base in row["knowledge"])
    return Run(
        **values,
        receipt=None if row["sha256"] is None else Receipt(row["sha256"], row["digests"]),
        references=tuple(
            Reference(**{field.name: one[field.name] for field in fields(Reference)}) for one in references
        ),
        citations=tuple(Citation(**one) for one in row["citations"]),
    )
