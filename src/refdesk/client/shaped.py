"""JSON to the shapes that calls give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

from refdesk.errors import Failed

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    T = TypeVar("T", bound=DataclassInstance)


def shaped(shape: type[T], table: Mapping[str, Any], **more: Any) -> T:
    """``shape`` of the fields that it has: a newer server may send more. Raises ``Failed`` where one is
    missing."""
    values = {one.name: table[one.name] for one in fields(shape) if one.name in table} | more
    try:
        return shape(**values)
    except TypeError:
        missing = sorted({one.name for one in fields(shape)} - values.keys())
        raise Failed(
            f"The server's answer lacks {', '.join(missing)}: it is of another version than this client."
        ) from None
