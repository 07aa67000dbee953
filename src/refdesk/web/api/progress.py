"""How far the work on a base's documents is: once, or as server-sent events until all is done."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse
from fastapi.sse import format_sse_event

from refdesk.desk.bases import Base
from refdesk.web import shapes
from refdesk.web.api.bases import base_of
from refdesk.web.caller import Caller
from refdesk.web.gate import Gate

router = APIRouter(prefix="/knowledge-bases/{base_id}", route_class=Gate, tags=["knowledge bases"])

EVERY = 0.5  # seconds between looks
KEEP_ALIVE = 15.0  # seconds that a proxy may let a silent connection live


@router.get("/progress", response_model=shapes.BaseProgress)
def progress(desk: Caller, base_id: str) -> Mapping[str, Any]:
    return base_of(desk, base_id).progress().to_dict()


@router.get(
    "/events",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}}},
)
async def events(desk: Caller, base_id: str, request: Request) -> StreamingResponse:
    """`progress` whenever something has changed, `done` when nothing waits or is in work any more."""
    base = await run_in_threadpool(base_of, desk, base_id)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_told(base, request), media_type="text/event-stream", headers=headers)


async def _told(base: Base, request: Request) -> AsyncIterator[bytes]:
    last, silent = None, 0.0
    while not await request.is_disconnected():
        now = await run_in_threadpool(base.progress)
        if now != last:
            yield format_sse_event(event="progress", data_str=json.dumps(now.to_dict()))
            last, silent = now, 0.0
        if not now.queued and not now.indexing:
            yield format_sse_event(event="done", data_str=json.dumps(now.to_dict()))
            return
        await asyncio.sleep(EVERY)
        silent += EVERY
        if silent >= KEEP_ALIVE:
            yield format_sse_event(comment="still here")
            silent = 0.0
