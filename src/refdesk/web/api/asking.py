"""``POST /runs``: ask bases without an agent."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import Field

from refdesk.answer.receipt import resource
from refdesk.web import run_shapes as shapes
from refdesk.web.asks import asks_of
from refdesk.web.caller import Caller
from refdesk.web.gate import Gate
from refdesk.web.streaming import EVENTS, streamed, wants_events

router = APIRouter(route_class=Gate, tags=["runs"])


class NewRunOfBases(shapes.NewRun):
    bases: list[str] = Field(description="Names or ids.")


@router.post(
    "/runs",
    response_model=shapes.Run,
    response_model_exclude_unset=True,
    responses={200: {"content": {EVENTS: {}}}},
)
async def ask_bases(desk: Caller, body: NewRunOfBases, request: Request) -> Mapping[str, Any] | Response:
    """As an agent is asked, and events as there; grounding is the policy's unless told, and the quoting model
    answers."""
    asking = partial(desk.ask, body.question, body.bases, grounding=body.grounding, model=body.model)
    if wants_events(request):
        return await streamed(request, asking)
    return resource(await (await asks_of(request).begin(asking)))
