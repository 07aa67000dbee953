"""``/agents/{id}/runs``, ``/runs``, ``/feedback``: ask an agent, see its receipts, say whether it helped."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response

from refdesk.answer.receipt import resource
from refdesk.web import run_shapes as shapes
from refdesk.web.addresses import by_id
from refdesk.web.asks import asks_of
from refdesk.web.caller import Caller
from refdesk.web.gate import Gate
from refdesk.web.paging import DEFAULT, Cursor, Limit, page
from refdesk.web.shapes import Page
from refdesk.web.streaming import EVENTS, streamed, wants_events

router = APIRouter(route_class=Gate, tags=["runs"])


@router.post(
    "/agents/{agent_id}/runs",
    response_model=shapes.Run,
    response_model_exclude_unset=True,
    responses={200: {"content": {EVENTS: {}}}},
)
async def ask(
    desk: Caller, agent_id: str, body: shapes.NewRun, request: Request
) -> Mapping[str, Any] | Response:
    """What is not covered or not accepted is a run as well, with its `outcome`. With `Accept:
    text/event-stream` come `references`, as soon as they are known and again where the model looks up more;
    `text`, a piece of what the model says, to be shown as plain text, and `again` where what came so far is
    not the answer; then `answer`, with its citations checked, in its place, and
    `done` with the whole run; or `error`, a problem."""
    asking = partial(
        desk.ask, body.question, agent=by_id(agent_id, "agt"), grounding=body.grounding, model=body.model
    )
    if wants_events(request):
        return await streamed(request, asking)
    return resource(await (await asks_of(request).begin(asking)))


@router.get("/runs", response_model=Page[shapes.Run], response_model_exclude_unset=True)
def list_runs(desk: Caller, cursor: Cursor = None, limit: Limit = DEFAULT) -> Mapping[str, Any]:
    """The newest first: the project's, the caller's own, or those of the agent that a key is bound to."""
    return page(
        cursor,
        limit,
        lambda before, many: [shapes.Listed(run) for run in desk.runs.list(many, before=before)],
    )


@router.get("/runs/{run_id}", response_model=shapes.Run, response_model_exclude_unset=True)
def read(desk: Caller, run_id: str) -> Mapping[str, Any]:
    return resource(desk.runs.get(by_id(run_id, "run")))


@router.get("/runs/{run_id}/sources/{number}/document", response_model=shapes.OpenedDocument)
def open_document(desk: Caller, run_id: str, number: int) -> Mapping[str, Any]:
    """The document of a source, as it is now, and where in it the passage stands. Who may read documents
    opens every source; whose run it is, those that its answer cites."""
    return desk.runs.open_document(by_id(run_id, "run"), number).to_dict()


@router.get(
    "/runs/{run_id}/figures/{number}/{figure}",
    response_class=Response,
    responses={200: {"content": {"image/webp": {}}}},
)
def figure(desk: Caller, run_id: str, number: int, figure: int) -> Response:
    """A figure of source `number`: the picture that was issued. Where it is deleted: 404 `figure_gone`."""
    return Response(desk.runs.figure(by_id(run_id, "run"), number, figure), media_type="image/webp")


@router.post("/runs/{run_id}/rating", response_model=shapes.Run, response_model_exclude_unset=True)
def rate(desk: Caller, run_id: str, body: shapes.NewRating) -> Mapping[str, Any]:
    """In place of the rating that the run had."""
    run = desk.runs.rate(by_id(run_id, "run"), helpful=body.helpful, reason=body.reason, note=body.note)
    return resource(run)


@router.post("/runs/{run_id}/erase", status_code=204)
def erase(desk: Caller, run_id: str) -> None:
    """Blanks what was asked, given, answered and noted, for good. The record that there was a run stays."""
    desk.runs.erase(by_id(run_id, "run"))


@router.get("/feedback", response_model=Page[shapes.Run], response_model_exclude_unset=True)
def feedback(desk: Caller, cursor: Cursor = None, limit: Limit = DEFAULT) -> Mapping[str, Any]:
    """The runs that did not help, the newest first."""
    return page(
        cursor,
        limit,
        lambda before, many: [shapes.Listed(run) for run in desk.runs.feedback(many, before=before)],
    )
