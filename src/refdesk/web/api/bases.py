"""``/knowledge-bases``: make, see, change, delete, search, index again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from refdesk.desk import Desk
from refdesk.desk.bases import Base
from refdesk.errors import UsageError
from refdesk.web import shapes
from refdesk.web.addresses import by_id
from refdesk.web.caller import Caller
from refdesk.web.edits import check_match, tagged
from refdesk.web.gate import Gate
from refdesk.web.paging import DEFAULT, Cursor, Limit, page_of

router = APIRouter(route_class=Gate, tags=["knowledge bases"])

EDITED = ("name", "description", "embedding_account_id")

Name = Annotated[
    str | None, Query(description="The one of this name, without regard to case and Unicode form; or id.")
]


def base_of(desk: Desk, base_id: str) -> Base:
    return desk.bases.get(by_id(base_id, "kb"))


@router.post("/knowledge-bases", status_code=201, response_model=shapes.Base)
def create(desk: Caller, body: shapes.NewBase, request: Request, response: Response) -> Mapping[str, Any]:
    given = body.model_dump(exclude_unset=True)
    base = desk.bases.create(given.pop("name"), **given)
    response.headers["Location"] = f"{request.url.path}/{base.id}"
    return tagged(response, base.to_dict(), EDITED)


@router.get("/knowledge-bases", response_model=shapes.Page[shapes.Base])
def list_bases(
    desk: Caller, cursor: Cursor = None, limit: Limit = DEFAULT, name: Name = None
) -> Mapping[str, Any]:
    if name is None:
        return page_of(cursor, limit, desk.bases.list())
    found = desk.bases.find(name)
    return page_of(cursor, limit, [] if found is None else [found])


@router.get("/knowledge-bases/{base_id}", response_model=shapes.Base)
def read(desk: Caller, base_id: str, response: Response) -> Mapping[str, Any]:
    return tagged(response, base_of(desk, base_id).to_dict(), EDITED)


@router.patch("/knowledge-bases/{base_id}", response_model=shapes.Base)
def change(
    desk: Caller, base_id: str, body: shapes.BaseChanges, request: Request, response: Response
) -> Mapping[str, Any]:
    base = base_of(desk, base_id)
    check_match(request, base.to_dict(), EDITED)
    given = body.model_dump(exclude_unset=True)
    if given.get("name", "") is None:
        raise UsageError("A base needs a name: leave it out to keep the one that it has.", code="bad_name")
    return tagged(response, base.update(**given).to_dict(), EDITED)


@router.delete("/knowledge-bases/{base_id}", status_code=204)
def delete(desk: Caller, base_id: str, request: Request, erase: bool = False) -> None:
    base = base_of(desk, base_id)
    check_match(request, base.to_dict(), EDITED)
    base.delete(erase=erase)


@router.post("/knowledge-bases/{base_id}/reindex", status_code=202, response_model=shapes.Queued)
def reindex(desk: Caller, base_id: str) -> Mapping[str, Any]:
    """Queues every document that is not fully indexed; vectors that exist are reused."""
    return {"queued": base_of(desk, base_id).reindex()}


@router.post(
    "/knowledge-bases/{base_id}/search", response_model=shapes.Found, response_model_exclude_unset=True
)
def search(desk: Caller, base_id: str, body: shapes.Question) -> Mapping[str, Any]:
    """The passages that an agent's search gets."""
    given = body.model_dump(exclude={"query"})
    return desk.search(body.query, [by_id(base_id, "kb")], **given).to_dict()
