"""What every search asks of the catalog, beside which documents are visible: who only searches loads no
SQLAlchemy."""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from refdesk.catalog.common import name_key
from refdesk.catalog.connect import Database
from refdesk.catalog.remembered import Remembered
from refdesk.catalog.standing import Row, Standing
from refdesk.errors import NotFound
from refdesk.ids import is_id


@dataclass(frozen=True, slots=True)
class Project:
    """``organization`` is the name of the one that it belongs to."""

    id: str
    slug: str
    policy: str
    organization_id: str
    organization: str
    overrides: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Located:
    """What a search needs of a base."""

    id: str
    name: str
    embedding_account_id: str | None
    follows_policy: bool


@dataclass(frozen=True, slots=True)
class Removal:
    """``document`` ``None``: the whole base. What no version names goes: files, and but for an ``upload``
    index entries. One that is not ``final`` stays owed, because more may still be written."""

    id: str
    base: str
    document: str | None
    upload: bool
    final: bool


_PROJECT = """
SELECT projects.id, slug, policy, organization_id, organizations.name, CAST(overrides AS TEXT)
FROM projects JOIN organizations ON organizations.id = organization_id
"""
_PROJECT_BY_ID = Standing(f"{_PROJECT} WHERE projects.id = :project")
_PROJECT_BY_SLUG = Standing(f"{_PROJECT} WHERE slug = :project")

_BASE = "SELECT bases.id, name, embedding_account_id, follows_policy FROM bases"
_BASE_BY_ID = Standing(f"{_BASE} WHERE project_id = :project AND id = :base")
_BASE_BY_NAME = Standing(f"{_BASE} WHERE project_id = :project AND name_key = :base")
_BASES_GRANTED = Standing(
    f"{_BASE} JOIN grants ON base_id = bases.id WHERE project_id = :project AND agent_id = :agent"
    " ORDER BY grants.number"
)
_NAMES = Standing("SELECT name FROM bases WHERE project_id = :project ORDER BY created_at, id")

_DUE = Standing("""
SELECT id, base_id, document_id, files IS NOT NULL, not_before FROM removals
WHERE not_before <= :at OR below IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM versions WHERE versions.document_id = removals.document_id AND version = below - 1
)
ORDER BY id
""")


class KnownProjects:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._found = Remembered(database, self._read_found)

    def find(self, slug_or_id: str) -> Project | None:
        return self._found([slug_or_id])[slug_or_id]

    def _read_found(self, wanted: Collection[str]) -> Mapping[str, Project]:
        found = {}
        for project in wanted:
            query = _PROJECT_BY_ID if is_id(project, "prj") else _PROJECT_BY_SLUG
            for row in self._database.asked(query, {"project": project}):
                found[project] = _project(row)
        return found


class KnownBases:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._located = Remembered(database, self._read_located)

    def locate(self, project: Project, name_or_id: str) -> Located:
        """By id or by name; a name is compared without regard to case and Unicode form. Raises
        ``NotFound``."""
        wanted = project.id, name_or_id
        return self._located([wanted])[wanted] or self._missing(project, name_or_id)

    def granted(self, project: Project, agent: str) -> Sequence[Located]:
        rows = self._database.asked(_BASES_GRANTED, {"project": project.id, "agent": agent})
        return list(map(_located, rows))

    def _read_located(self, wanted: Collection[tuple[str, str]]) -> dict[tuple[str, str], Located]:
        found = {}
        for project, base in wanted:
            by_id = is_id(base, "kb")
            value = {"project": project, "base": base if by_id else name_key(base)}
            for row in self._database.asked(_BASE_BY_ID if by_id else _BASE_BY_NAME, value):
                found[project, base] = _located(row)
        return found

    def _missing(self, project: Project, name_or_id: str) -> NoReturn:
        names = [name for (name,) in self._database.asked(_NAMES, {"project": project.id})]
        known = f"the bases here are {', '.join(names[:10])}" if names else "there are no bases yet"
        raise NotFound(f"There is no base {name_or_id!r} in project {project.slug}; {known}.")


class Debts:
    def __init__(self, database: Database) -> None:
        self._database = database

    def due(self) -> Sequence[Removal]:
        """Those whose time has come, and at once those of work on a version that the catalog has no more."""
        at = time.time()
        rows = self._database.asked(_DUE, {"at": at})
        return [
            Removal(id_, base, document, bool(upload), not_before <= at)
            for id_, base, document, upload, not_before in rows
        ]


def _project(row: Row) -> Project:
    id_, slug, policy, organization_id, organization, overrides = row
    return Project(id_, slug, policy, organization_id, organization, json.loads(overrides))


def _located(row: Row) -> Located:
    id_, name, account, follows_policy = row
    return Located(id_, name, account, bool(follows_policy))
