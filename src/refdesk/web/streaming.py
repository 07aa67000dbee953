"""A run as server-sent events: what was found, the text as it comes, and the answer when it was checked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from functools import partial
from typing import Any

from fastapi import Request, Response
from fastapi.responses import StreamingResponse
from fastapi.sse import format_sse_event

from refdesk.answer.model import Reference, Run
from refdesk.answer.receipt import resource
from refdesk.errors import RefdeskError
from refdesk.web.asks import asks_of
from refdesk.web.problems import problem, unexpected

EVENTS = "text/event-stream"
FIRST = 2.0  # seconds in which a refusal is still told by the status of the answer
KEEP_ALIVE = 15.0  # seconds that a proxy may let a silent connection live

_ANSWER = ("outcome", "answer", "message", "citations", "warnings")

Asking = Callable[..., Run]
Told = tuple[str, Mapping[str, Any]]


def wants_events(request: Request) -> bool:
    return EVENTS in request.headers.get("accept", "")


async def streamed(request: Request, asking: Asking) -> StreamingResponse:
    """``asking`` takes ``issued`` and ``said``. What is refused soon, before anything was told, is raised:
    it is the answer to the request. A caller that goes away ends nothing, and the run is kept."""
    loop = asyncio.get_running_loop()
    told: asyncio.Queue[Told | None] = asyncio.Queue()

    def tell(event: Told | None) -> None:
        loop.call_soon_threadsafe(told.put_nowait, event)

    def issued(references: Sequence[Reference]) -> None:
        tell(("references", {"references": [one.to_dict() for one in references]}))

    def said(text: str | None) -> None:
        tell(("again", {}) if text is None else ("text", {"text": text}))

    run = await asks_of(request).begin(partial(asking, issued=issued, said=said))
    run.add_done_callback(lambda _: told.put_nowait(None))
    first = await _within(told.get(), FIRST)
    if first == [None]:
        await run  # raises, where it was refused
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_told(request, first, told, run), media_type=EVENTS, headers=headers)


async def _told(
    request: Request,
    waiting: Sequence[Told | None],
    told: asyncio.Queue[Told | None],
    run: asyncio.Future[Run],
) -> AsyncIterator[bytes]:
    try:
        while waiting != [None]:
            yield _event(*waiting[0]) if waiting and waiting[0] else format_sse_event(comment="still here")
            waiting = await _within(told.get(), KEEP_ALIVE)
    except BaseException:  # nobody listens any more
        run.add_done_callback(lambda run: run.cancelled() or _ended(request, run))
        raise
    for last in _ended(request, run):
        yield last


def _ended(request: Request, run: asyncio.Future[Run]) -> Sequence[bytes]:
    try:
        whole = resource(run.result())
        return [_event("answer", {name: whole[name] for name in _ANSWER}), _event("done", whole)]
    except RefdeskError as error:
        return [_wrong(problem(request, error))]
    except Exception as error:
        return [_wrong(unexpected(request, error))]


def _wrong(answer: Response) -> bytes:
    return format_sse_event(event="error", data_str=bytes(answer.body).decode())


async def _within(coming: Coroutine[Any, Any, Told | None], seconds: float) -> Sequence[Told | None]:
    """What comes, or nothing."""
    try:
        return [await asyncio.wait_for(coming, seconds)]
    except TimeoutError:
        return []


def _event(name: str, data: Mapping[str, Any]) -> bytes:
    return format_sse_event(event=name, data_str=json.dumps(data))
