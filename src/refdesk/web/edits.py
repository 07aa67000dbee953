"""``ETag`` and ``If-Match`` on what two people may edit: the tag is of what can be edited alone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import Request, Response

from refdesk.errors import UsageError


def tag(resource: Mapping[str, Any], fields: Sequence[str]) -> str:
    written = json.dumps([resource[field] for field in fields], sort_keys=True, default=dict)
    return f'"{hashlib.sha256(written.encode()).hexdigest()[:16]}"'


def tagged(response: Response, resource: Mapping[str, Any], fields: Sequence[str]) -> Mapping[str, Any]:
    response.headers["ETag"] = tag(resource, fields)
    return resource


def check_match(request: Request, resource: Mapping[str, Any], fields: Sequence[str]) -> None:
    """Raises ``UsageError`` (``changed_meanwhile``) where ``If-Match`` names none of what is there now."""
    wanted = request.headers.get("if-match")
    if wanted is None or wanted.strip() == "*":
        return
    if tag(resource, fields) not in [one.strip().removeprefix("W/") for one in wanted.split(",")]:
        raise UsageError(
            "Somebody changed this since you read it: read it again, then change it.",
            code="changed_meanwhile",
        )
