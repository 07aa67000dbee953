"""``ETag`` and ``If-Match`` on what two people may edit: the tag is of what can be edited alone."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from fastapi import Request, Response

from refdesk.errors import UsageError

_VERSION = re.compile(r'"([0-9]{1,9})"')


def tag(resource: Mapping[str, Any], fields: Sequence[str]) -> str:
    written = json.dumps([resource[field] for field in fields], sort_keys=True, default=dict)
    return f'"{hashlib.sha256(written.encode()).hexdigest()[:16]}"'


def tagged(response: Response, resource: Mapping[str, Any], fields: Sequence[str]) -> Mapping[str, Any]:
    response.headers["ETag"] = tag(resource, fields)
    return resource


def check_match(request: Request, resource: Mapping[str, Any], fields: Sequence[str]) -> None:
    """Raises ``UsageError`` (``changed_meanwhile``) where ``If-Match`` names none of what is there now."""
    wanted = _wanted(request)
    if wanted is not None and tag(resource, fields) not in wanted:
        raise UsageError(
            "Somebody changed this since you read it: read it again, then change it.",
            code="changed_meanwhile",
        )


def version_tag(version: int) -> str:
    """Of what counts its own versions."""
    return f'"{version}"'


def expected_versions(request: Request) -> Collection[int] | None:
    """The versions that ``If-Match`` names; ``None``: any will do."""
    wanted = _wanted(request)
    if wanted is None:
        return None
    return {int(match[1]) for one in wanted if (match := _VERSION.fullmatch(one))}


def _wanted(request: Request) -> Collection[str] | None:
    """The tags of ``If-Match``; ``None``: whatever is there."""
    wanted = request.headers.get("if-match")
    if wanted is None or wanted.strip() == "*":
        return None
    return [one.strip().removeprefix("W/") for one in wanted.split(",")]
