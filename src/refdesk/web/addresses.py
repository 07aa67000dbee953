"""What stands in an address, or in a body for another resource."""

from __future__ import annotations

from refdesk.errors import NotFound
from refdesk.ids import Prefix, is_id


def by_id(text: str, prefix: Prefix) -> str:
    """Ids alone: a name would be another resource tomorrow. Raises ``NotFound``."""
    if not is_id(text, prefix):
        raise NotFound(f"There is nothing with the id {text[:80]!r} here: this kind's begin with {prefix}_.")
    return text
