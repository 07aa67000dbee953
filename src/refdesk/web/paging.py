"""Lists in pages (H1): a cursor says behind which id the next one begins."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Protocol, TypeVar

from fastapi import Query

from refdesk.errors import UsageError
from refdesk.ids import cursor_behind

DEFAULT, MOST = 50, 200

Cursor = Annotated[str | None, Query(description="`next_cursor` of the page before.", max_length=200)]
Limit = Annotated[int, Query(description="How many items a page has at most.", ge=1, le=MOST)]


class Identified(Protocol):
    @property
    def id(self) -> Any: ...

    def to_dict(self) -> dict[str, Any]: ...


T = TypeVar("T", bound=Identified)


def page(cursor: str | None, limit: int, fetch: Callable[[str, int], Sequence[T]]) -> dict[str, Any]:
    """``fetch`` gives so many items behind an id, in the order of their ids."""
    items = fetch(_behind(cursor), limit + 1)
    more = len(items) > limit
    shown = items[:limit]
    return {
        "items": [item.to_dict() for item in shown],
        "next_cursor": cursor_behind(shown[-1].id) if more else None,
    }


def page_of(cursor: str | None, limit: int, items: Sequence[T]) -> dict[str, Any]:
    """The same of a list that is at hand whole."""
    ordered = sorted(items, key=lambda item: str(item.id))
    return page(cursor, limit, lambda after, many: [item for item in ordered if str(item.id) > after][:many])


def _behind(cursor: str | None) -> str:
    if cursor is None:
        return ""
    try:
        padded = f"{cursor}{'=' * (-len(cursor) % 4)}".encode("ascii")
        return base64.b64decode(padded, altchars=b"-_", validate=True).decode("ascii")
    except (binascii.Error, ValueError):
        raise UsageError("The cursor is none that this list gave: begin without one.") from None
