"""Every error as ``application/problem+json`` with a stable ``code``."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from refdesk.errors import Failed, NotFound, RefdeskError, Scalar, UsageError, written
from refdesk.web.bodies import MOST_BYTES
from refdesk.web.doors import API, CONSOLE, OPENAI

MEDIA_TYPE = "application/problem+json"

log = logging.getLogger(__name__)

_NOT_WELL_FORMED = {"json_invalid", "extra_forbidden", "missing", "model_attributes_type", "model_type"}
_BY_STATUS = {404: "not_found", 405: "method_not_allowed", 413: "too_large", 400: "usage"}


class Problem(BaseModel):
    """RFC 9457. ``limit`` and ``actual`` are set where a limit was hit, ``place`` where a field is wrong."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    limit: Scalar
    actual: Scalar
    place: str | None = None
    request_id: str | None = None


RESPONSES: dict[int | str, dict[str, Any]] = {
    "default": {
        "description": "What was wrong, in one sentence, with a stable code.",
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
}


def problem(request: Request, error: RefdeskError, *, place: str | None = None) -> JSONResponse:
    return _response(
        request, error.status, error.code, error.message, (error.limit, error.actual), place, _headers(error)
    )


def install(app: FastAPI) -> None:
    app.add_exception_handler(RefdeskError, _refdesk)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)


def unexpected(request: Request, error: Exception) -> JSONResponse:
    """The type alone goes to the log: a message may hold what a document says."""
    log.error("request failed route=%s error=%s", route_of(request), type(error).__name__)
    return problem(request, Failed("Something failed on our side: try again, and tell us the request id."))


def route_of(request: Request) -> str:
    """The route's template, for logs and metrics: a path may hold what people wrote."""
    path: str | None = getattr(request.scope.get("route"), "path", None)
    if path is None:
        return "none"
    mounted = (API, CONSOLE, OPENAI)
    doors = (door for door in mounted if request.url.path.startswith(f"{door.partition('/{')[0]}/"))
    return f"{next(doors, '')}{path}"


async def _refdesk(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RefdeskError)
    return problem(request, error)


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    message = f"The request is wrong at {place}: {first['msg']}."
    status = 400 if first["type"] in _NOT_WELL_FORMED else 422
    return _response(
        request, status, "usage" if status == 400 else "bad_value", message, _limit(first), place
    )


def _limit(error: Mapping[str, Any]) -> tuple[Scalar, Scalar]:
    """A bound that was passed, and the value where it is a number: text is not repeated."""
    context = error.get("ctx") or {}
    bounds: Sequence[Any] = [value for value in context.values() if isinstance(value, int | float)]
    actual = error.get("input")
    return (bounds[0] if bounds else None), (actual if isinstance(actual, int | float) else None)


async def _http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    code = _BY_STATUS.get(error.status_code, "usage")
    said: RefdeskError = UsageError(_SAID.get(error.status_code, f"{error.detail}."))
    if error.status_code == 404:
        said = NotFound("There is no such address here: /docs lists those that there are.")
    headers = dict(error.headers or {})
    if error.status_code == 405 and (methods := _methods(request)):
        headers["Allow"] = ", ".join(methods)
    limit = MOST_BYTES if error.status_code == 413 else None
    return _response(request, error.status_code, code, said.message, (limit, None), None, headers)


def _methods(request: Request) -> Sequence[str]:
    """Those of every route of an address; the router's own answer names those of the first alone."""
    described = request.app.openapi()["paths"].get(route_of(request).replace(CONSOLE, API, 1), {})
    methods = {method.upper() for method in described}
    return sorted(methods | ({"HEAD"} if "GET" in methods else set()))


_SAID = {
    405: "This address does not answer to that method: /docs says which it does.",
    413: "The body of the request is larger than is accepted here.",
}


def _headers(error: RefdeskError) -> dict[str, str]:
    headers = {}
    if error.retry_after is not None:
        headers["Retry-After"] = str(error.retry_after)
    if error.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return headers


def _response(
    request: Request,
    status: int,
    code: str,
    message: str,
    bound: tuple[Scalar, Scalar] = (None, None),
    place: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    body = Problem(
        type="about:blank",
        title=HTTPStatus(status).phrase,
        status=status,
        detail=message,
        code=code,
        limit=written(bound[0]),
        actual=written(bound[1]),
        place=place,
        request_id=getattr(request.state, "request_id", None),
    )
    return JSONResponse(body.model_dump(), status, dict(headers or {}), media_type=MEDIA_TYPE)
