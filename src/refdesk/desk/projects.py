"""Projects as their users see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from refdesk import access
from refdesk.access import Principal, Resource, within
from refdesk.catalog.asked import Project as ProjectRow
from refdesk.catalog.common import Actor
from refdesk.desk.house import House
from refdesk.errors import NotFound


@dataclass(frozen=True, slots=True)
class Project:
    """``organization`` is the name of the one that it belongs to."""

    id: str
    slug: str
    policy: str
    organization: str

    def to_dict(self) -> dict[str, Any]:
        """The contract's fields."""
        return {"id": self.id, "slug": self.slug, "policy": self.policy}


def reached(house: House, principal: Principal, slug_or_id: str) -> ProjectRow:
    """Raises ``NotFound``, in the same words for a project that is not there and for somebody else's."""
    found = house.catalog.asked.projects.find(slug_or_id)
    if found is None or not within(principal, Resource(found.organization_id, found.id)):
        raise NotFound(f"There is no project {slug_or_id!r}: `refdesk projects list` names them.")
    return found


class Projects:
    """Those within reach of ``principal``, whichever project its desk is of."""

    def __init__(self, house: House, principal: Principal) -> None:
        self._house = house
        self._principal = principal

    def create(self, slug: str, policy: str = "packs", *, organization: str | None = None) -> Project:
        """``organization`` by name, made on first use, or by id; else the caller's own, or a new one for who
        belongs to none."""
        self._authorize("project.create")
        who = self._principal
        owner = self._organization(organization)
        row = self._house.catalog.projects.create(
            slug, policy, owner, Actor(who.name, who.organization, None)
        )
        return _project(row)

    def get(self, slug_or_id: str) -> Project:
        self._authorize("project.read")
        return _project(reached(self._house, self._principal, slug_or_id))

    def list(self) -> Sequence[Project]:
        """The oldest first."""
        self._authorize("project.read")
        return [
            _project(row)
            for row in self._house.catalog.projects.all(self._principal.organization)
            if within(self._principal, Resource(row.organization_id, row.id))
        ]

    def _authorize(self, action: str) -> None:
        access.authorize(self._principal, action, Resource(self._principal.organization))

    def _organization(self, named: str | None) -> str | None:
        own = self._principal.organization
        if own is None or named is None:
            return named or own
        if self._house.catalog.projects.organization(named) != own:
            raise NotFound(f"There is no organization {named!r} within your reach.")
        return own


def _project(row: ProjectRow) -> Project:
    return Project(row.id, row.slug, row.policy, row.organization)
