"""Errors as OpenAI's clients read them, and the route class that answers with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import Request

from refdesk.web.foreign import shaped

_TYPES = {
    401: "authentication_error",
    403: "permission_error",
    429: "rate_limit_error",
}


def _error(_: Request, problem: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
    status = problem["status"]
    kind = _TYPES.get(status, "invalid_request_error" if status < 500 else "server_error")
    told = {"message": problem["detail"], "type": kind, "param": problem["place"], "code": problem["code"]}
    return status, {"error": told}


Route = shaped(_error)
