"""``/v1/vector_stores/{id}/files``: the documents of a base."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from refdesk.web.caller import Caller
from refdesk.web.openai import bodies, objects
from refdesk.web.openai.attach import attach, held_by, of_base
from refdesk.web.openai.errors import Route
from refdesk.web.openai.stores import store_of

router = APIRouter(route_class=Route, prefix="/vector_stores/{store_id}/files")


@router.post("")
def create(desk: Caller, request: Request, store_id: str, body: bodies.NewFile) -> dict[str, Any]:
    base = store_of(desk, store_id)
    given = bodies.metadata(body.attributes)
    return objects.store_file(base, attach(desk, held_by(request), base, body.file_id, given))


@router.get("")
def list_files(
    desk: Caller,
    store_id: str,
    order: bodies.Order = "desc",
    limit: bodies.Limit = 20,
    after: bodies.Edge = None,
    before: bodies.Edge = None,
    filter: bodies.Status = None,  # noqa: A002
) -> dict[str, Any]:
    base = store_of(desk, store_id)
    shown = [objects.store_file(base, document) for document in base.list_documents()]
    wanted = [one for one in shown if filter in (None, one["status"])]
    return objects.listed(wanted, order, limit, after, before)


@router.get("/{file_id}")
def read(desk: Caller, store_id: str, file_id: str, response: Response) -> dict[str, Any]:
    base = store_of(desk, store_id)
    response.headers.update(objects.POLL)
    return objects.store_file(base, of_base(desk, base, file_id))


@router.post("/{file_id}")
def change(desk: Caller, store_id: str, file_id: str, body: bodies.FileChanges) -> dict[str, Any]:
    base = store_of(desk, store_id)
    document = of_base(desk, base, file_id)
    given = bodies.metadata(body.attributes) or {}
    return objects.store_file(base, desk.documents.update(document.id, metadata=given))


@router.delete("/{file_id}")
def delete(desk: Caller, store_id: str, file_id: str) -> dict[str, Any]:
    """The document is gone: a file is in one store alone."""
    base = store_of(desk, store_id)
    desk.documents.delete(of_base(desk, base, file_id).id)
    return {"id": file_id, "object": "vector_store.file.deleted", "deleted": True}


@router.get("/{file_id}/content")
def content(desk: Caller, store_id: str, file_id: str) -> dict[str, Any]:
    document = of_base(desk, store_of(desk, store_id), file_id)
    text = {"type": "text", "text": desk.documents.text(document.id)}
    page = "vector_store.file_content.page"
    return {"object": page, "data": [text], "has_more": False, "next_page": None}
