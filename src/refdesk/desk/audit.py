"""The record of who did what."""

from __future__ import annotations

from collections.abc import Sequence

from refdesk.catalog.audit import AuditLine
from refdesk.desk.parts import Parts


class Audit:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def list(self, limit: int = 50, *, before: int | None = None) -> Sequence[AuditLine]:
        """The newest first, of all that the caller can reach; ``before`` continues behind that line."""
        self._parts.authorize_everywhere("audit.read")
        organization = self._parts.principal.organization
        return self._parts.catalog.audit.newest(organization, limit=limit, before=before)
