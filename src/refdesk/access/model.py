"""Who acts, and on what."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeVar, get_args

from refdesk.errors import UsageError

T = TypeVar("T")
Role = Literal["PlatformAdmin", "AgentBuilder", "Auditor", "Member"]
Scope = Literal["knowledge:read", "knowledge:write"]

ROLES: tuple[Role, ...] = get_args(Role)
SCOPES: tuple[Scope, ...] = get_args(Scope)

_ALSO: dict[str, Scope] = {"voice:read": "knowledge:read", "voice:write": "knowledge:write"}


@dataclass(frozen=True, slots=True)
class Principal:
    """``name`` is what receipts and the audit say: ``local``, a person's e-mail address, a key's id; no two
    principals share one. ``organization`` ``None``: every organization. A person has ``roles``, a key has
    ``scopes`` and its ``project``, and where it is bound to one agent, that ``agent``."""

    kind: Literal["local", "person", "key"]
    name: str
    organization: str | None
    roles: frozenset[Role] = frozenset()
    scopes: frozenset[Scope] | None = None
    project: str | None = None
    agent: str | None = None


LOCAL = Principal("local", "local", None, frozenset({"PlatformAdmin"}))
"""Whoever can open the home."""


@dataclass(frozen=True, slots=True)
class Resource:
    """``project`` ``None``: of the organization as a whole; ``organization`` ``None``: of all of them.
    ``owner`` is the ``name`` of the principal whom it belongs to, ``agent`` the agent it is reached by."""

    organization: str | None
    project: str | None = None
    owner: str | None = None
    agent: str | None = None


def as_roles(names: Iterable[str]) -> frozenset[Role]:
    """Raises ``UsageError`` (``unknown_role``)."""
    known: dict[str, Role] = {role: role for role in ROLES}
    return frozenset(_known(known, name, "role") for name in names)


def as_scopes(names: Iterable[str]) -> frozenset[Scope]:
    """Raises ``UsageError`` (``unknown_scope``)."""
    known: dict[str, Scope] = {**{scope: scope for scope in SCOPES}, **_ALSO}
    return frozenset(_known(known, name, "scope") for name in names)


def _known(known: dict[str, T], name: str, what: str) -> T:
    if name not in known:
        raise UsageError(
            f"There is no {what} {name!r}; the {what}s are {', '.join(known)}.", code=f"unknown_{what}"
        )
    return known[name]
