"""What people call a base, cleaned because a model reads it beside its passages; and what they write."""

from __future__ import annotations

import re

from refdesk.errors import UsageError
from refdesk.ids import is_id
from refdesk.screening.clean import clean_text

_NO_TEXT = re.compile(r"[\x00\ud800-\udfff]")


def as_stored(name_or_id: str) -> str:
    """The name that a base of this one has, made and looked up alike; an id stays."""
    return name_or_id if is_id(name_or_id, "kb") else clean_text(name_or_id)


def check_text(text: str, what: str) -> None:
    """No database keeps NUL or half of a surrogate pair."""
    if _NO_TEXT.search(text):
        raise UsageError(
            f"The {what} has characters that are no text (NUL, or half of a surrogate pair): remove them.",
            code="bad_value",
        )
