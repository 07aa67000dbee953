"""Projects: a policy, its overrides, and the organization that they belong to."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select

from refdesk.catalog.common import now
from refdesk.catalog.connect import Database
from refdesk.catalog.schema import organizations, projects
from refdesk.errors import UsageError
from refdesk.ids import new_id
from refdesk.policy import POLICIES

_SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?")


@dataclass(frozen=True, slots=True)
class Project:
    id: str
    slug: str
    policy: str
    organization_id: str
    overrides: dict[str, Any] = field(default_factory=dict)


class Projects:
    def __init__(self, database: Database) -> None:
        self._database = database

    def open(self, slug: str, policy: str | None, default_policy: str) -> Project:
        """The project of that slug, made on first use; another ``policy`` than it has is wrong usage."""
        found = self.find(slug) or self._create(slug, policy or default_policy)
        if policy is not None and policy != found.policy:
            raise UsageError(
                f"Project {slug} has the policy {found.policy}, not {policy}: "
                "leave --policy out, or name another project.",
                code="policy_fixed",
                limit=found.policy,
                actual=policy,
            )
        return found

    def find(self, slug: str) -> Project | None:
        query = select(projects).where(projects.c.slug == slug)
        with self._database.read() as connection:
            row = connection.execute(query).mappings().first()
        if row is None:
            return None
        return Project(row["id"], row["slug"], row["policy"], row["organization_id"], row["overrides"])

    def _create(self, slug: str, policy: str) -> Project:
        if not _SLUG.fullmatch(slug):
            raise UsageError(
                f"{slug!r} is no project name: 1 to 64 of a-z, 0-9 and hyphens inside.", code="bad_name"
            )
        if policy not in POLICIES:
            raise UsageError(
                f"There is no policy {policy!r}; the policies are {', '.join(POLICIES)}.",
                code="unknown_policy",
            )
        made = Project(new_id("prj"), slug, policy, new_id("org"))
        with self._database.write() as connection:
            if connection.execute(select(projects.c.id).where(projects.c.slug == slug)).first() is None:
                connection.execute(organizations.insert().values(id=made.organization_id, name=slug))
                connection.execute(
                    projects.insert().values(
                        id=made.id,
                        organization_id=made.organization_id,
                        slug=slug,
                        policy=policy,
                        overrides={},
                        created_at=now(),
                    )
                )
                return made
        found = self.find(slug)  # another process made it in between
        assert found is not None
        return found
