"""What the doors in other people's shapes share: their errors, a score for every hit, filters by equality."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from refdesk.errors import UsageError
from refdesk.results.found import Hit
from refdesk.web.gate import Gate, Handler
from refdesk.web.problems import MEDIA_TYPE, unexpected

Shape = Callable[[Request, Mapping[str, Any]], tuple[int, dict[str, Any]]]
"""A problem of the API as another protocol's status and body."""

_TOLD = (RequestValidationError, HTTPException)


def shaped(shape: Shape) -> type[Gate]:
    """The gate of a door whose errors look so."""

    class Shaped(Gate):
        def get_route_handler(self) -> Handler:
            handle = super().get_route_handler()

            async def answered(request: Request) -> Response:
                response = await _answer(request, handle)
                if response.headers.get("content-type") != MEDIA_TYPE:
                    return response
                status, body = shape(request, json.loads(bytes(response.body)))
                told = {name: value for name, value in response.headers.items() if name in _KEPT}
                return JSONResponse(body, status, told)

            return answered

    return Shaped


_KEPT = ("retry-after", "www-authenticate", "allow")


async def _answer(request: Request, handle: Handler) -> Response:
    try:
        return await handle(request)
    except _TOLD as error:
        kind = next(kind for kind in _TOLD if isinstance(error, kind))
        answer: Response = await request.app.exception_handlers[kind](request, error)
        return answer
    except Exception as error:
        return unexpected(request, error)


def score(hit: Hit) -> float:
    """0-1: its similarity; of a hit that no vector was compared for, the reciprocal of its number."""
    return 1 / hit.number if hit.similarity is None else hit.similarity


def equal(pairs: Iterable[tuple[str, str, Any]], equals: Iterable[str], joined: str) -> dict[str, str] | None:
    """``(key, comparison, value)`` as a search's filter, where all must hold (``joined`` is ``and``) and each
    asks for equality. Raises ``UsageError`` for what a search cannot filter by."""
    wanted = list(pairs)
    if len(wanted) > 1 and joined != "and":
        raise UsageError("Filters are joined by and: ask once for each alternative.", code="bad_value")
    for _, comparison, _ in wanted:
        if comparison not in equals:
            raise UsageError(
                f"Filters compare by {' or '.join(equals)}, and {comparison[:40]!r} was given.",
                code="bad_value",
            )
    return {key: flat(value) for key, _, value in wanted} or None


def flat(value: object) -> str:
    """A metadata value as the text that it is kept as: a number or truth value as JSON writes it."""
    return value if isinstance(value, str) else json.dumps(value)
