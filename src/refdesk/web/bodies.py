"""The limit of a body that is read as a whole, counted as it arrives (H4). Documents are counted by the route
that takes them, against the policy's limit."""

from __future__ import annotations

from fastapi import Request
from starlette.exceptions import HTTPException
from starlette.types import Message

MOST_BYTES = 2_097_152


def limited(request: Request) -> Request:
    """``request`` with a body that raises 413 where it is larger, before it is read where it says so."""
    if (announced := request.headers.get("content-length", "")).isdecimal():
        _check(int(announced))
    receive, size = request.receive, 0

    async def counted() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        _check(size)
        return message

    return Request(request.scope, counted)


def _check(size: int) -> None:
    if size > MOST_BYTES:
        raise HTTPException(413)
