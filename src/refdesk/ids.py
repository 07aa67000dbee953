"""Prefixed ULIDs: sortable by time, never reused, and their prefix tells what they name."""

from __future__ import annotations

import base64
from typing import Literal

Prefix = Literal["org", "prj", "kb", "doc", "agt", "run", "upl", "rem", "psn", "key", "acc", "slt", "call"]


def new_id(prefix: Prefix) -> str:
    from ulid import ULID  # 70 ms, and a search makes no id

    return f"{prefix}_{ULID()}"


def is_id(text: str, prefix: Prefix) -> bool:
    head, _, tail = text.partition("_")
    return head == prefix and len(tail) == 26 and tail.isalnum() and tail == tail.upper()


def cursor_behind(id_: str) -> str:
    """Where in a list of the API the next page begins (H1)."""
    return base64.urlsafe_b64encode(id_.encode()).decode().rstrip("=")
