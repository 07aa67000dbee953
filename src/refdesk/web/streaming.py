"""A run as server-sent events: what was found, before the model has answered, and then the answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse
from fastapi.sse import format_sse_event

from refdesk.answer.model import Reference, Run
from refdesk.answer.receipt import resource
from refdesk.errors import RefdeskError
from refdesk.web.problems import problem

EVENTS = "text/event-stream"
KEEP_ALIVE = 15.0  # seconds that a proxy may let a silent connection live

_ANSWER = ("outcome", "answer", "message", "citations", "warnings")

Asking = Callable[..., Run]


def wants_events(request: Request) -> bool:
    return EVENTS in request.headers.get("accept", "")


async def streamed(request: Request, asking: Asking) -> StreamingResponse:
    """``asking`` takes ``issued``. What is refused before anything was issued is raised: it is the answer to
    the request. A caller that goes away ends nothing, and the run is kept."""
    loop = asyncio.get_running_loop()
    issued: asyncio.Future[Sequence[Reference]] = loop.create_future()
    run = asyncio.ensure_future(
        run_in_threadpool(
            asking, issued=lambda references: loop.call_soon_threadsafe(issued.set_result, references)
        )
    )
    either: list[asyncio.Future[Any]] = [issued, run]
    await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    if not issued.done():
        await run  # raises
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_told(request, issued.result(), run), media_type=EVENTS, headers=headers)


async def _told(
    request: Request, references: Sequence[Reference], run: asyncio.Future[Run]
) -> AsyncIterator[bytes]:
    yield _event("references", {"references": [one.to_dict() for one in references]})
    while not (await asyncio.wait([run], timeout=KEEP_ALIVE))[0]:
        yield format_sse_event(comment="still here")
    try:
        whole = resource(run.result())
    except RefdeskError as error:
        yield format_sse_event(event="error", data_str=bytes(problem(request, error).body).decode())
        return
    yield _event("answer", {name: whole[name] for name in _ANSWER})
    yield _event("done", whole)


def _event(name: str, data: Any) -> bytes:
    return format_sse_event(event=name, data_str=json.dumps(data))
