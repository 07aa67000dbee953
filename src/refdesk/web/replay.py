"""``Idempotency-Key``: the same answer again, and nothing done twice (H2)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool
from starlette.types import Message

from refdesk.desk import Desk
from refdesk.desk.replies import Known
from refdesk.errors import UsageError

_KEPT_HEADERS = ("content-type", "location", "etag", "document-change")

Handle = Callable[[Request], Awaitable[Response]]


async def replayed(request: Request, handle: Handle) -> Response:
    key = request.headers.get("idempotency-key")
    if key is None or request.method != "POST":
        return await handle(request)
    desk: Desk = request.state.desk
    route = f"POST {request.url.path}"
    digest = _Digest(request)
    known = await run_in_threadpool(desk.replies.begin, route, key)
    if known is not None:
        return _again(known, await digest.of_whole())
    try:
        response = await handle(digest.request)
    except BaseException:
        await run_in_threadpool(desk.replies.forget, route, key)
        raise
    if response.status_code >= 300 or not hasattr(response, "body"):
        await run_in_threadpool(desk.replies.forget, route, key)
        return response
    await run_in_threadpool(desk.replies.keep, route, key, _known(response, digest.so_far()))
    return response


class _Digest:
    """The fingerprint of a request, body and query, taken as the body arrives."""

    def __init__(self, request: Request) -> None:
        self._hash = hashlib.sha256(request.scope["query_string"] + b"\n")
        self._receive = request.receive
        self.request = Request(request.scope, self._counted)

    async def of_whole(self) -> str:
        async for _ in self.request.stream():
            pass
        return self.so_far()

    def so_far(self) -> str:
        return self._hash.hexdigest()

    async def _counted(self) -> Message:
        message = await self._receive()
        self._hash.update(message.get("body", b""))
        return message


def _known(response: Response, fingerprint: str) -> Known:
    headers = {name: response.headers[name] for name in _KEPT_HEADERS if name in response.headers}
    content = json.dumps({"headers": headers, "body": bytes(response.body).decode()})
    return Known(fingerprint, response.status_code, content)


def _again(known: Known, fingerprint: str) -> Response:
    if known.fingerprint != fingerprint:
        raise UsageError(
            "This idempotency key was used for another request: take a new one.", code="key_reused"
        )
    kept = json.loads(known.content)
    return Response(kept["body"], known.status, {**kept["headers"], "Idempotent-Replay": "true"})
