"""What the aggregates share: time, the key that names are compared by, and audit lines."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING

from refdesk.errors import UsageError

if TYPE_CHECKING:
    from sqlalchemy import Connection, Insert

NAME_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts, and for which organization and project; ``None``: for all of them."""

    name: str
    organization: str | None
    project: str | None


def now() -> str:
    return later(timedelta())


def later(than_now: timedelta) -> str:
    """Times compare as texts."""
    return (datetime.now(UTC) + than_now).isoformat(timespec="microseconds").replace("+00:00", "Z")


def new_secret() -> str:
    """256 random bits as 43 characters that are safe in addresses and headers."""
    import secrets  # a search makes none

    return secrets.token_urlsafe(32)


def digest(secret: str) -> str:
    """What is kept of a secret: as it is random, a plain hash gives nothing away."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


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


def record(connection: Connection, actor: Actor, action: str, resource: str) -> None:
    """Who did what to whom, in the transaction that does it."""
    line = {"at": now(), "person": actor.name, "action": action, "resource": resource}
    connection.execute(_line(), {**line, "organization_id": actor.organization, "project_id": actor.project})


@cache
def _line() -> Insert:
    from refdesk.catalog.schema import audit  # names and times are of searches, too, which write none

    return audit.insert()
