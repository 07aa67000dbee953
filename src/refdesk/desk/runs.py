"""Run records: written once, read as they were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from refdesk.answer.model import Citation, Reference, Run
from refdesk.desk.parts import Parts
from refdesk.errors import NotFound

_APART = ("references", "citations")


def keep(parts: Parts, run: Run) -> None:
    row = {field.name: getattr(run, field.name) for field in fields(run) if field.name not in _APART}
    row |= {
        "project_id": parts.project.id,
        "citations": [asdict(citation) for citation in run.citations],
        "warnings": list(run.warnings),
    }
    parts.catalog.runs.insert(row, [asdict(reference) for reference in run.references])


class Runs:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def get(self, run: str) -> Run:
        """Whoever it belongs to may read it, whatever the role."""
        found = self._find(run)
        self._parts.authorize("run.read", owner=found.person if found else None)
        if found is None:
            raise NotFound(f"There is no run {run!r} in project {self._parts.project.slug}.")
        return found

    def list(self, limit: int = 50) -> Sequence[Run]:
        """The newest first; the caller's own, for who may not read them all."""
        parts = self._parts
        parts.authorize("run.list")
        person = None if parts.permits("run.read") else parts.principal.name
        runs = parts.catalog.runs.newest(parts.project.id, limit, person)
        return [run for run in map(self._find, runs) if run is not None]

    def _find(self, run: str) -> Run | None:
        found = self._parts.catalog.runs.find(self._parts.project.id, run)
        return None if found is None else _run(*found)


def _run(row: Mapping[str, Any], references: Sequence[Mapping[str, Any]]) -> Run:
    values = {field.name: row[field.name] for field in fields(Run) if field.name not in _APART}
    values["warnings"] = tuple(row["warnings"])
    return Run(
        **values,
        references=tuple(
            Reference(**{field.name: one[field.name] for field in fields(Reference)}) for one in references
        ),
        citations=tuple(Citation(**one) for one in row["citations"]),
    )
