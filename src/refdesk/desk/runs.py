"""Run records: written once, read as they were."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields

from refdesk.answer.model import Citation, Reference, Run
from refdesk.desk.parts import Parts
from refdesk.errors import NotFound

_APART = ("references", "citations")


class Runs:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def keep(self, run: Run) -> None:
        row = {field.name: getattr(run, field.name) for field in fields(run) if field.name not in _APART}
        row |= {
            "project_id": self._parts.project.id,
            "citations": [asdict(citation) for citation in run.citations],
            "warnings": list(run.warnings),
        }
        self._parts.catalog.runs.insert(row, [asdict(reference) for reference in run.references])

    def get(self, run: str) -> Run:
        found = self._parts.catalog.runs.find(self._parts.project.id, run)
        if found is None:
            raise NotFound(f"There is no run {run!r} in project {self._parts.project.slug}.")
        row, references = found
        values = {field.name: row[field.name] for field in fields(Run) if field.name not in _APART}
        values["warnings"] = tuple(row["warnings"])
        return Run(
            **values,
            references=tuple(
                Reference(**{field.name: one[field.name] for field in fields(Reference)})
                for one in references
            ),
            citations=tuple(Citation(**one) for one in row["citations"]),
        )

    def list(self, limit: int = 50) -> Sequence[Run]:
        """The newest first."""
        return [self.get(run) for run in self._parts.catalog.runs.newest(self._parts.project.id, limit)]
