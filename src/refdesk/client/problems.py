"""An answer that is no success, as the exception that a desk raises for it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from refdesk.errors import (
    CODES,
    Failed,
    NotFound,
    NotPermitted,
    RefdeskError,
    Refusal,
    Scalar,
    UsageError,
)
from refdesk.retry_after import seconds_of

if TYPE_CHECKING:
    import httpx2

_BY_STATUS: Mapping[int, type[RefdeskError]] = {
    **dict.fromkeys((400, 405, 409, 412), UsageError),
    **dict.fromkeys((413, 422), Refusal),
    **dict.fromkeys((401, 403), NotPermitted),
    404: NotFound,
}
"""Every other status is ``Failed``."""

_ABOUT_THE_CALL = (
    *("top_k_out_of_range", "deadline_out_of_range", "min_score_out_of_range", "min_score_with_keyword"),
    *("bad_name", "bad_source_url", "bad_metadata", "bad_email", "bad_expiry", "bad_value"),
    *("unknown_policy", "unknown_role", "unknown_scope"),
)
_BY_CODE: Mapping[str, type[RefdeskError]] = {
    **dict.fromkeys(_ABOUT_THE_CALL, UsageError),
    "embedding_changed": Failed,
    "searches_used_up": Refusal,
}
"""Where the status alone does not tell."""

_CODES = {
    400: "usage",
    401: "unauthenticated",
    403: "not_permitted",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    422: "bad_value",
    429: "rate_limited",
}
"""For an answer without a code that is known here: a proxy's, or a newer server's."""


def kind_of(code: str, status: int) -> type[RefdeskError]:
    return _BY_CODE.get(code) or _BY_STATUS.get(status, Failed)


def error_of(response: httpx2.Response) -> RefdeskError:
    said = f"The server answered {response.status_code} {response.reason_phrase}."
    wait = seconds_of(response.headers.get("retry-after"))
    return _error(_told(response), response.status_code, said, math.ceil(wait) if wait else None)


def error_told(told: Mapping[str, Any]) -> RefdeskError:
    """Of a problem that came in an answer that had begun well."""
    return _error(told, int(told.get("status") or 500), "The server could not go on.", None)


def _error(told: Mapping[str, Any], status: int, otherwise: str, wait: int | None) -> RefdeskError:
    code = told.get("code")
    if code not in CODES:
        code = _CODES.get(status, "failed")
    return kind_of(code, status)(
        str(told.get("detail") or otherwise),
        code=code,
        limit=_scalar(told.get("limit")),
        actual=_scalar(told.get("actual")),
        retry_after=wait,
    )


def _told(response: httpx2.Response) -> Mapping[str, Any]:
    try:
        told = response.json()
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def _scalar(value: Any) -> Scalar:
    return value if isinstance(value, str | int | float) else None
