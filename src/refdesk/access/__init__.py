"""Who may do what: one table, and one function that answers from it."""

from refdesk.access.model import LOCAL, ROLES, SCOPES, Principal, Resource, Role, Scope, as_roles, as_scopes
from refdesk.access.table import TABLE, Rule, authorize, permits, within

__all__ = [
    "LOCAL",
    "ROLES",
    "SCOPES",
    "TABLE",
    "Principal",
    "Resource",
    "Role",
    "Rule",
    "Scope",
    "as_roles",
    "as_scopes",
    "authorize",
    "permits",
    "within",
]
