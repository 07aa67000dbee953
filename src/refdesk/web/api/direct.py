"""What no one base's address stands for: a question to several bases, and a document of which a hit gave
the id alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request, Response

from refdesk.web import shapes
from refdesk.web.addresses import by_id
from refdesk.web.api.documents import EDITED
from refdesk.web.caller import Caller
from refdesk.web.edits import check_match, tagged
from refdesk.web.gate import Gate

router = APIRouter(route_class=Gate)


@router.post(
    "/search",
    response_model=shapes.Found,
    response_model_exclude_unset=True,
    tags=["knowledge bases"],
)
def search(desk: Caller, body: shapes.QuestionToBases) -> Mapping[str, Any]:
    """As the search of one base: what several hold is ranked together."""
    given = body.model_dump(exclude={"query", "bases"})
    return desk.search(body.query, body.bases, **given).to_dict()


@router.delete("/documents/{document_id}", status_code=204, tags=["documents"])
def delete(desk: Caller, document_id: str, request: Request, erase: bool = False) -> None:
    """With `erase` also a document that was deleted before, of which receipts are left."""
    wanted = by_id(document_id, "doc")
    document = desk.documents.find(wanted) if erase else desk.documents.get(wanted)
    if document is not None:
        check_match(request, document.to_dict(), EDITED)
    desk.documents.delete(document_id, erase=erase)


@router.get("/documents/{document_id}", response_model=shapes.Document, tags=["documents"])
def read(desk: Caller, document_id: str, request: Request, response: Response) -> Mapping[str, Any]:
    """`Content-Location` is the document's own address, in its base."""
    document = desk.documents.get(by_id(document_id, "doc"))
    base = desk.bases.get(document.base)
    door = request.url.path.removesuffix(f"/documents/{document_id}")
    response.headers["Content-Location"] = f"{door}/knowledge-bases/{base.id}/documents/{document_id}"
    return tagged(response, document.to_dict(), EDITED)
