"""Projects: a policy, its overrides, and the organization that they belong to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, select

from refdesk.catalog.asked import KnownProjects, Project
from refdesk.catalog.common import Actor, checked_name, name_key, now, record
from refdesk.catalog.schema import organizations, projects
from refdesk.errors import NotFound, UsageError
from refdesk.ids import is_id, new_id
from refdesk.policy import POLICIES

_SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?")


class Projects(KnownProjects):
    def open(self, slug: str, policy: str | None, default_policy: str, actor: Actor) -> Project:
        """The project of that slug, made on first use; another ``policy`` than it has is wrong usage."""
        found = self.find(slug) or self._made(slug, policy or default_policy, actor)
        if policy is not None and policy != found.policy:
            raise UsageError(
                f"Project {slug} has the policy {found.policy}, not {policy}: "
                "leave --policy out, or name another project.",
                code="policy_fixed",
                limit=found.policy,
                actual=policy,
            )
        return found

    def all(self, organization: str | None = None) -> Sequence[Project]:
        """Of one organization, or of all; the oldest first."""
        return self._rows(*([] if organization is None else [projects.c.organization_id == organization]))

    def create(self, slug: str, policy: str, organization: str | None, actor: Actor) -> Project:
        """``organization`` by name, made on first use, or by id; ``None``: one of the project's own. Raises
        ``UsageError`` (``name_taken``)."""
        _check(slug, policy)
        with self._database.write() as connection:
            if connection.execute(select(projects.c.id).where(projects.c.slug == slug)).first() is not None:
                raise UsageError(
                    f"There is a project {slug} already: use it, or choose another name.", code="name_taken"
                )
            owner = _own(connection, slug) if organization is None else _named(connection, organization)
            made = new_id("prj")
            connection.execute(
                projects.insert().values(
                    id=made,
                    organization_id=owner,
                    slug=slug,
                    policy=policy,
                    overrides={},
                    created_at=now(),
                )
            )
            record(connection, Actor(actor.name, owner, made), "project.create", made)
        [project] = self._rows(projects.c.id == made)
        return project

    def organization(self, name_or_id: str) -> str | None:
        """The id of an organization."""
        with self._database.read() as connection:
            return _organization(connection, name_or_id)

    def _made(self, slug: str, policy: str, actor: Actor) -> Project:
        try:
            return self.create(slug, policy, None, actor)
        except UsageError as error:
            found = self.find(slug) if error.code == "name_taken" else None
            if found is None:
                raise
            return found  # another process made it in between

    def _rows(self, *where: Any) -> Sequence[Project]:
        query = (
            select(projects, organizations.c.name)
            .join(organizations, organizations.c.id == projects.c.organization_id)
            .where(*where)
            .order_by(projects.c.created_at, projects.c.id)
        )
        with self._database.read() as connection:
            return [_project(row) for row in connection.execute(query).mappings()]


def _check(slug: str, policy: str) -> None:
    if not _SLUG.fullmatch(slug):
        raise UsageError(
            f"{slug!r} is no project name: 1 to 64 of a-z, 0-9 and hyphens inside.", code="bad_name"
        )
    if policy not in POLICIES:
        raise UsageError(
            f"There is no policy {policy!r}; the policies are {', '.join(POLICIES)}.", code="unknown_policy"
        )


def _own(connection: Connection, slug: str) -> str:
    """A new organization with the project's name, or the next that is free."""
    name, number = slug, 2
    while _organization(connection, name) is not None:
        name, number = f"{slug}-{number}", number + 1
    return _insert(connection, name)


def _named(connection: Connection, organization: str) -> str:
    found = _organization(connection, organization)
    if found is not None:
        return found
    if is_id(organization, "org"):
        raise NotFound(f"There is no organization {organization}.")
    return _insert(connection, checked_name(organization, "an organization"))


def _organization(connection: Connection, name_or_id: str) -> str | None:
    by_id = is_id(name_or_id, "org")
    column, value = (
        (organizations.c.id, name_or_id) if by_id else (organizations.c.name_key, name_key(name_or_id))
    )
    return connection.execute(select(organizations.c.id).where(column == value)).scalar()


def _insert(connection: Connection, name: str) -> str:
    made = new_id("org")
    connection.execute(organizations.insert().values(id=made, name=name, name_key=name_key(name)))
    return made


def _project(row: RowMapping) -> Project:
    return Project(
        id=row["id"],
        slug=row["slug"],
        policy=row["policy"],
        organization_id=row["organization_id"],
        organization=row["name"],
        overrides=row["overrides"],
    )
