"""What the aggregates share: time, the key that names are compared by, and audit lines."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime

from sqlalchemy import Connection

from refdesk.catalog.schema import audit
from refdesk.errors import UsageError

NAME_CHARACTERS = 200


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def name_key(name: str) -> str:
    """Equal for names that differ in case or Unicode form alone (BEHAVIOUR.md D6)."""
    whole = name.encode("utf-8", "replace").decode()  # a lone surrogate is no text
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", whole).casefold()).strip()


def checked_name(name: str, what: str) -> str:
    """``name`` trimmed; a name is one line of 1 to 200 characters."""
    trimmed = name.strip()
    if not trimmed or not any(character.isalnum() for character in trimmed):
        raise UsageError(f"The name of {what} has no letter or digit: give it one.", code="bad_name")
    if len(trimmed) > NAME_CHARACTERS:
        raise UsageError(
            f"The name of {what} has {len(trimmed)} characters; at most {NAME_CHARACTERS} are accepted.",
            code="bad_name",
            limit=NAME_CHARACTERS,
            actual=len(trimmed),
        )
    if any(unicodedata.category(character) in {"Cc", "Cs"} for character in trimmed):
        raise UsageError(
            f"The name of {what} has a line break or control character: remove it.", code="bad_name"
        )
    return trimmed


def slug_of(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).casefold()
    kept = "".join(character for character in plain if not unicodedata.combining(character))
    return re.sub(r"[^\w]+", "-", kept).strip("-_")[:60] or "base"


def record(connection: Connection, person: str, action: str, resource: str) -> None:
    connection.execute(audit.insert().values(at=now(), person=person, action=action, resource=resource))
