"""What stands in a receipt where a text was erased on demand."""

from __future__ import annotations

import re

_ERASED = re.compile(r"text erased on \d{4}-\d{2}-\d{2}")


def erased_on(day: str) -> str:
    """``day`` as 2026-11-30."""
    return f"text erased on {day}"


def is_erased(text: str | None) -> bool:
    return text is not None and _ERASED.fullmatch(text) is not None
