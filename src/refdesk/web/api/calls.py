"""``/agents/{id}/calls`` and ``/calls``: what an agent knows at the start of a call, and what it looks up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request, Response

from refdesk.web import call_shapes as shapes
from refdesk.web.addresses import by_id
from refdesk.web.caller import Caller
from refdesk.web.gate import Gate

router = APIRouter(route_class=Gate, tags=["calls"])


@router.post("/agents/{agent_id}/calls", status_code=201, response_model=shapes.StartedCall)
def start(
    desk: Caller, agent_id: str, request: Request, response: Response, body: shapes.NewCall | None = None
) -> Mapping[str, Any]:
    """Measured once, here: `inline` has the documents in `text`, `search` a tool, `none` nothing."""
    started = desk.calls.start(by_id(agent_id, "agt"), tool_characters=body.tool_characters if body else 0)
    door = request.url.path.removesuffix(f"/agents/{agent_id}/calls")
    response.headers["Location"] = f"{door}/calls/{started.call.id}"
    return started.to_dict()


@router.get("/calls/{call_id}", response_model=shapes.Call)
def read(desk: Caller, call_id: str) -> Mapping[str, Any]:
    """With every search, and which passages it gave."""
    return desk.calls.get(by_id(call_id, "call")).to_dict()


@router.post("/calls/{call_id}/erase", status_code=204)
def erase(desk: Caller, call_id: str) -> None:
    """Blanks what was asked in its searches, for good. The record that there was a call stays."""
    desk.runs.erase(by_id(call_id, "call"))


@router.post("/calls/{call_id}/search", response_model=shapes.CallFound, response_model_exclude_unset=True)
def search(desk: Caller, call_id: str, body: shapes.CallQuestion) -> Mapping[str, Any]:
    """Within the policy's budget of searches a call, passages and characters a search, and seconds."""
    return desk.calls.search(by_id(call_id, "call"), body.query).to_dict()
