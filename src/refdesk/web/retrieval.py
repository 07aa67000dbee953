"""``/retrieval``: external knowledge in the shape that Dify and what follows it ask for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from refdesk.results.found import Hit
from refdesk.web.caller import Caller
from refdesk.web.foreign import equal, score, shaped

_CODES = {"not_found": (404, 2001)}
_NO_HEADER, _NO_ACCESS = 1001, 1002
_EQUALS = ("is", "=")


def _error(request: Request, problem: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
    if problem["code"] == "unauthenticated":
        given = "authorization" in request.headers or "x-api-key" in request.headers
        status, code = 403, _NO_ACCESS if given else _NO_HEADER
    else:
        status, code = _CODES.get(problem["code"], (problem["status"], problem["status"]))
    return status, {"error_code": code, "error_msg": problem["detail"], "code": problem["code"]}


router = APIRouter(route_class=shaped(_error))


class Setting(BaseModel):
    """``score_threshold`` 0 is none."""

    top_k: int | None = None
    score_threshold: float | None = None


class Condition(BaseModel):
    name: str | list[str]
    comparison_operator: str
    value: str | int | float | bool | None = None


class Conditions(BaseModel):
    logical_operator: str = "and"
    conditions: list[Condition] = []


class Retrieval(BaseModel):
    """``knowledge_id``: a base, by id or name. What else is sent is ignored."""

    knowledge_id: Annotated[str, Field(min_length=1)]
    query: str
    retrieval_setting: Setting = Setting()
    metadata_condition: Conditions | None = None


@router.post("/retrieval", include_in_schema=False)
def retrieve(desk: Caller, body: Retrieval) -> dict[str, Any]:
    setting, asked = body.retrieval_setting, body.metadata_condition or Conditions()
    found = desk.search(
        body.query,
        [body.knowledge_id],
        top_k=setting.top_k,
        min_score=setting.score_threshold or None,
        filter=equal(
            (
                (name, one.comparison_operator, one.value)
                for one in asked.conditions
                for name in ([one.name] if isinstance(one.name, str) else one.name)
            ),
            _EQUALS,
            asked.logical_operator,
        ),
    )
    return {"records": [_record(hit) for hit in found]}


def _record(hit: Hit) -> dict[str, Any]:
    known = {
        "base": hit.base,
        "document": hit.document,
        "name": hit.name,
        "path": hit.source_url or hit.name,
        "section": hit.section,
        "page": hit.page,
    }
    metadata = {**hit.metadata, **{key: value for key, value in known.items() if value is not None}}
    return {"content": hit.text, "score": score(hit), "title": hit.title, "metadata": metadata}
