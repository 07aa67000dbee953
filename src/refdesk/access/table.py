"""The table of who may do what, and the one function that answers from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn

from refdesk.access.model import ROLES, Principal, Resource, Role, Scope
from refdesk.errors import NotFound, NotPermitted


@dataclass(frozen=True, slots=True)
class Rule:
    """``roles`` may, and a key with one of ``scopes``. ``owner``: so may the principal whom the resource
    belongs to, whatever the role or scope. ``bound``: so may a key that is bound to the resource's agent."""

    roles: frozenset[Role]
    scopes: frozenset[Scope] = frozenset()
    owner: bool = False
    bound: bool = False


_ADMIN: frozenset[Role] = frozenset({"PlatformAdmin"})
_BUILD: frozenset[Role] = frozenset({"PlatformAdmin", "AgentBuilder"})
_REVIEW: frozenset[Role] = frozenset({"PlatformAdmin", "Auditor"})
_READ: frozenset[Role] = frozenset({"PlatformAdmin", "AgentBuilder", "Auditor"})
_CHAT: frozenset[Role] = frozenset({"PlatformAdmin", "AgentBuilder", "Member"})
_ALL: frozenset[Role] = frozenset(ROLES)

_IN: frozenset[Scope] = frozenset({"knowledge:write"})
_OUT: frozenset[Scope] = frozenset({"knowledge:read"})

TABLE: Mapping[str, Rule] = {
    "base.read": Rule(_READ, _OUT),
    "base.create": Rule(_ADMIN, _IN),
    "base.update": Rule(_ADMIN, _IN),
    "base.delete": Rule(_ADMIN, _IN),
    "base.sync": Rule(_ADMIN, _IN),  # makes the base, and adds and deletes its documents
    "document.read": Rule(_READ, _OUT),
    "document.original": Rule(_READ, _OUT),  # DOC6: the same check as the document's page
    "document.write": Rule(_ADMIN, _IN),
    "document.delete": Rule(_ADMIN, _IN),
    "base.ask": Rule(_BUILD, _OUT),  # without an agent, so without its grants
    "search": Rule(_READ, _OUT, bound=True),
    "agent.read": Rule(_ALL, _OUT, bound=True),
    "agent.write": Rule(_BUILD, _IN),
    "agent.grant": Rule(_BUILD, _IN),
    "agent.grant_company": Rule(_ADMIN),  # KB2: a PlatformAdmin alone, so no key
    "run.erase": Rule(_ADMIN, _IN),
    "run.create": Rule(_CHAT, _OUT, bound=True),
    "run.read": Rule(_READ, _OUT, owner=True, bound=True),
    "run.list": Rule(_ALL, _OUT, bound=True),  # who may not read them all is shown their own
    "call.search": Rule(frozenset(), _OUT, owner=True, bound=True),  # by who began the call
    "rating.write": Rule(frozenset(), _OUT, owner=True, bound=True),
    "feedback.read": Rule(_READ, _OUT),
    "account.read": Rule(_REVIEW, _OUT),
    "account.write": Rule(_ADMIN, _IN),
    "account.verify": Rule(_ADMIN, _IN),
    "limits.read": Rule(_ALL, _IN | _OUT),
    "project.read": Rule(_ALL, _IN | _OUT),
    "request.repeat": Rule(frozenset(), owner=True),  # the answer that the caller was given before
    "project.create": Rule(_ADMIN),
    "key.read": Rule(_REVIEW),
    "key.manage": Rule(_ADMIN),
    "person.read": Rule(_REVIEW),
    "person.manage": Rule(_ADMIN),
    "audit.read": Rule(_REVIEW),
    "queue.work": Rule(_ADMIN),
    "sign_in": Rule(_ADMIN),  # what a door asks before it knows who is there: always as ``LOCAL``
}


def authorize(principal: Principal, action: str, resource: Resource) -> None:
    """Raises ``NotFound`` where the resource is another organization's, project's or agent's, so that nobody
    learns that it exists; ``NotPermitted`` where it is the caller's own and the table says no."""
    rule = TABLE[action]
    if not within(principal, resource) or (rule.bound and _anothers(principal, resource)):
        raise NotFound("There is nothing of that name or id within your reach.")
    if not permits(principal, action, resource):
        _refuse(principal, action, rule)


def within(principal: Principal, resource: Resource) -> bool:
    """Neither another organization's nor another project's."""
    return not (
        _differ(principal.organization, resource.organization) or _differ(principal.project, resource.project)
    )


def permits(principal: Principal, action: str, resource: Resource) -> bool:
    """The table's answer for a resource within reach."""
    rule = TABLE[action]
    if principal.organization is not None and resource.organization is None:
        return False
    if rule.owner and resource.owner == principal.name:
        return True
    if principal.scopes is None:
        return bool(rule.roles & principal.roles)
    if principal.agent is not None and (not rule.bound or _anothers(principal, resource)):
        return False
    return bool(rule.scopes & principal.scopes)


def _differ(own: str | None, other: str | None) -> bool:
    return own is not None and other is not None and own != other


def _anothers(principal: Principal, resource: Resource) -> bool:
    return principal.agent is not None and principal.agent != resource.agent


def _refuse(principal: Principal, action: str, rule: Rule) -> NoReturn:
    if principal.scopes is None:
        roles = " or ".join(role for role in ROLES if role in rule.roles)
        needed = f"the role {roles}" if roles else "that it is yours"
    elif not rule.scopes:
        needed = "a person, and no key may"
    elif principal.agent is not None and not rule.bound:
        needed = "a key that is not bound to one agent"
    else:
        needed = f"a key with the scope {' or '.join(sorted(rule.scopes))}"
    raise NotPermitted(f"{principal.name} may not do this: {action} needs {needed}.")
