"""What a desk is made of: the house, one project of it, and who acts."""

from __future__ import annotations

from refdesk import access
from refdesk.access import Principal, Resource
from refdesk.catalog.asked import Project
from refdesk.catalog.common import Actor
from refdesk.desk.house import House
from refdesk.errors import Failed
from refdesk.policy import Policy, load_policy


class Parts:
    def __init__(self, house: House, project: Project, principal: Principal) -> None:
        self.house = house
        self.home, self.settings = house.home, house.settings
        self.catalog, self.blobs, self.context = house.catalog, house.blobs, house.context
        self.index, self.embedder = house.index, house.embedders.get
        self.project = project
        self.policy: Policy = load_policy(project.policy, project.overrides)
        self.principal = principal
        self.actor = Actor(principal.name, project.organization_id, project.id)

    def authorize(self, action: str, *, owner: str | None = None, agent: str | None = None) -> None:
        """The first thing that each public method of the facade does, once. ``owner`` and ``agent``: of the
        resource, where it has them."""
        resource = Resource(self.project.organization_id, self.project.id, owner, agent)
        access.authorize(self.principal, action, resource)

    def permits(self, action: str) -> bool:
        """Whether ``authorize`` would let the caller do this to whatever this project contains."""
        resource = Resource(self.project.organization_id, self.project.id)
        return access.permits(self.principal, action, resource)

    def authorize_everywhere(self, action: str) -> None:
        """As ``authorize``, for what no project contains: all that the caller can reach."""
        access.authorize(self.principal, action, Resource(self.principal.organization))

    def authorize_installation(self, action: str) -> None:
        """As ``authorize``, for what belongs to no organization."""
        access.authorize(self.principal, action, Resource(None))

    @property
    def one_model(self) -> bool:
        """Whether all bases have the deployment's embedding model (ING7)."""
        return self.policy.embedding.scope == "deployment"

    def default_account(self) -> str | None:
        """The policy's embedding account, or the deployment's, where its model can be used here."""
        of_deployment = self.settings.embedding_account if self.one_model else None
        account = of_deployment or self.policy.embedding.default_account
        if account is None:
            return None
        try:
            self.embedder(account)
        except Failed:
            return None
        return account
