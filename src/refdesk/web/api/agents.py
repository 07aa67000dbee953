"""``/agents``: make, see, change, delete. An agent's version is its tag."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from refdesk.desk import Agent
from refdesk.web import shapes
from refdesk.web.addresses import by_id
from refdesk.web.caller import Caller
from refdesk.web.edits import expected_versions, version_tag
from refdesk.web.gate import Gate
from refdesk.web.paging import DEFAULT, Cursor, Limit, page_of

router = APIRouter(prefix="/agents", route_class=Gate, tags=["agents"])

Name = Annotated[
    str | None, Query(description="The one of this name, without regard to case and Unicode form.")
]


@router.post("", status_code=201, response_model=shapes.Agent)
def create(desk: Caller, body: shapes.NewAgent, request: Request, response: Response) -> Mapping[str, Any]:
    agent = desk.agents.create(**_given(body))
    response.headers["Location"] = f"{request.url.path}/{agent.id}"
    return _tagged(response, agent)


@router.get("", response_model=shapes.Page[shapes.Agent])
def list_agents(
    desk: Caller, cursor: Cursor = None, limit: Limit = DEFAULT, name: Name = None
) -> Mapping[str, Any]:
    """`knowledge_mode` is measured when one agent is read, and null here."""
    return page_of(cursor, limit, desk.agents.list(name=name))


@router.get("/{agent_id}", response_model=shapes.Agent)
def read(desk: Caller, agent_id: str, response: Response) -> Mapping[str, Any]:
    return _tagged(response, desk.agents.get(by_id(agent_id, "agt")))


@router.patch("/{agent_id}", response_model=shapes.Agent)
def change(
    desk: Caller, agent_id: str, body: shapes.AgentChanges, request: Request, response: Response
) -> Mapping[str, Any]:
    """What changes anything makes the agent's next version; `knowledge_base_ids` replace those it has."""
    agent = desk.agents.update(by_id(agent_id, "agt"), **_given(body), expected=expected_versions(request))
    return _tagged(response, agent)


@router.delete("/{agent_id}", status_code=204)
def delete(desk: Caller, agent_id: str, request: Request) -> None:
    """Keys that are bound to it are revoked."""
    desk.agents.delete(by_id(agent_id, "agt"), expected=expected_versions(request))


def _given(body: shapes.NewAgent | shapes.AgentChanges) -> dict[str, Any]:
    given = body.model_dump(exclude_unset=True)
    if "knowledge_base_ids" in given:
        given["bases"] = [by_id(base, "kb") for base in given.pop("knowledge_base_ids")]
    return given


def _tagged(response: Response, agent: Agent) -> Mapping[str, Any]:
    response.headers["ETag"] = version_tag(agent.version)
    return agent.to_dict()
