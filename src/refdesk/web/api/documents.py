"""``/knowledge-bases/{id}/documents``: files in, their states, texts, pictures, passages, and out again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple
from urllib.parse import quote

from fastapi import APIRouter, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from refdesk.desk import Desk
from refdesk.desk.bases import Base
from refdesk.desk.documents import Document
from refdesk.errors import NotFound
from refdesk.web import shapes
from refdesk.web.api.bases import base_of
from refdesk.web.caller import Caller
from refdesk.web.edits import check_match, tagged
from refdesk.web.gate import Gate
from refdesk.web.paging import DEFAULT, Cursor, Limit, page
from refdesk.web.uploads import Asked, Received, WrittenDocument, received

if TYPE_CHECKING:
    from refdesk.index.model import Stored

router = APIRouter(prefix="/knowledge-bases/{base_id}/documents", route_class=Gate, tags=["documents"])

_CLEARED = ("source_url", "title")  # by null
EDITED = ("name", "title", "version", "source_url", "metadata")

Name = Annotated[str | None, Query(description="What the document is called, percent-encoded UTF-8.")]
SourceUrl = Annotated[str | None, Query()]
Metadata = Annotated[list[str] | None, Query(description="`KEY=VALUE`, any number of times.")]

SameName = Annotated[
    Literal["add", "replace"],
    Query(
        description="Whether it is another document, or a new version, where the base has one of its name."
    ),
]

State = Literal["queued", "indexing", "ready", "failed", "pending", "processing", "completed"]
_ALIASES = {"pending": "queued", "processing": "indexing", "completed": "ready"}
_MIME = {
    "markdown": "text/markdown; charset=utf-8",
    "text": "text/plain; charset=utf-8",
    "word": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "pdf": "application/pdf",
}
_ANY = "application/octet-stream"
_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": WrittenDocument.model_json_schema()},
            **{
                one.partition(";")[0]: {"schema": {"type": "string", "format": "binary"}}
                for one in (*_MIME.values(), "image/png", "image/jpeg", "image/webp")
            },
        },
    }
}


def _in(desk: Desk, base_id: str, document_id: str) -> Document:
    base = base_of(desk, base_id)
    document = desk.documents.get(document_id)
    if document.base != base.name:
        raise NotFound(f"There is no document {document_id!r} in base {base.name}.")
    return document


def _upload(base: Base, file: Received, replaces: str | None = None) -> Document:
    return base.upload(
        file.path,
        file.name,
        declared_type=file.declared_type,
        source_url=file.source_url,
        metadata=file.metadata,
        replaces=replaces,
    )


def _put(base: Base, file: Received) -> tuple[Document, str]:
    return base.put(
        file.path,
        file.name,
        declared_type=file.declared_type,
        source_url=file.source_url,
        metadata=file.metadata,
    )


@router.post(
    "",
    status_code=201,
    response_model=shapes.Document,
    responses={200: {"model": shapes.Document}},
    openapi_extra=_BODY,
)
async def add(
    desk: Caller,
    base_id: str,
    request: Request,
    response: Response,
    name: Name = None,
    source_url: SourceUrl = None,
    metadata: Metadata = None,
    same_name: SameName = "add",
) -> Mapping[str, Any]:
    """The file itself as the body, its name in `?name=`; or JSON with its text. With `?same_name=replace` the
    answer is 200 where the base has a document of that name. `Document-Change` says `added`, `replaced`, or
    `unchanged` for the bytes that it has."""
    base = await run_in_threadpool(base_of, desk, base_id)
    async with received(request, desk.policy, Asked(name, source_url, metadata)) as file:
        if same_name == "add":
            document, change = await run_in_threadpool(_upload, base, file), "added"
        else:
            document, change = await run_in_threadpool(_put, base, file)
    response.headers["Location"] = f"{request.url.path}/{document.id}"
    response.headers["Document-Change"] = change
    response.status_code = 201 if change == "added" else 200
    return tagged(response, document.to_dict(), EDITED)


@router.put("/{document_id}", response_model=shapes.Document, openapi_extra=_BODY)
async def replace(
    desk: Caller,
    base_id: str,
    document_id: str,
    request: Request,
    response: Response,
    name: Name = None,
    source_url: SourceUrl = None,
    metadata: Metadata = None,
) -> Mapping[str, Any]:
    """A new version. The one before answers until this one is ready."""
    there = await run_in_threadpool(_in, desk, base_id, document_id)
    check_match(request, there.to_dict(), EDITED)
    base = await run_in_threadpool(base_of, desk, base_id)
    asked = Asked(name, source_url, metadata, there.kind, there.name)
    async with received(request, desk.policy, asked) as file:
        document = await run_in_threadpool(_upload, base, file, document_id)
    return tagged(response, document.to_dict(), EDITED)


@router.get("", response_model=shapes.Page[shapes.Document])
def list_documents(
    desk: Caller,
    base_id: str,
    cursor: Cursor = None,
    limit: Limit = DEFAULT,
    state: Annotated[list[State] | None, Query(description="Only documents in these states.")] = None,
    name: Annotated[str | None, Query(description="Only those that a file of this name becomes.")] = None,
    sha256: Annotated[
        str | None, Query(description="Only those whose file has this digest.", pattern="^[0-9a-f]{64}$")
    ] = None,
) -> Mapping[str, Any]:
    base = base_of(desk, base_id)
    states = None if state is None else [_ALIASES.get(one, one) for one in state]
    return page(cursor, limit, lambda after, many: base.page(after, many, states, name=name, sha256=sha256))


@router.get("/{document_id}", response_model=shapes.Document)
def read(desk: Caller, base_id: str, document_id: str, response: Response) -> Mapping[str, Any]:
    return tagged(response, _in(desk, base_id, document_id).to_dict(), EDITED)


@router.patch("/{document_id}", response_model=shapes.Document)
def change(
    desk: Caller,
    base_id: str,
    document_id: str,
    body: shapes.DocumentChanges,
    request: Request,
    response: Response,
) -> Mapping[str, Any]:
    check_match(request, _in(desk, base_id, document_id).to_dict(), EDITED)
    given = body.model_dump(exclude_unset=True)
    kept = {key: value for key, value in given.items() if value is not None or key in _CLEARED}
    return tagged(response, desk.documents.update(document_id, **kept).to_dict(), EDITED)


@router.delete("/{document_id}", status_code=204)
def delete(desk: Caller, base_id: str, document_id: str, request: Request, erase: bool = False) -> None:
    check_match(request, _in(desk, base_id, document_id).to_dict(), EDITED)
    desk.documents.delete(document_id, erase=erase)


@router.post("/{document_id}/retry", status_code=202, response_model=shapes.Document)
def retry(desk: Caller, base_id: str, document_id: str) -> Mapping[str, Any]:
    """Queues a failed document again."""
    return desk.documents.retry(_in(desk, base_id, document_id).id).to_dict()


@router.post("/{document_id}/reingest", status_code=202, response_model=shapes.Document)
def reingest(desk: Caller, base_id: str, document_id: str) -> Mapping[str, Any]:
    """Reads a ready document again: from its original, else its stored text."""
    return desk.documents.reingest(_in(desk, base_id, document_id).id).to_dict()


@router.post("/{document_id}/cancel", response_model=shapes.Document)
def cancel(desk: Caller, base_id: str, document_id: str) -> Mapping[str, Any]:
    """Stops the work on it; the version that searches see stays."""
    return desk.documents.cancel(_in(desk, base_id, document_id).id).to_dict()


@router.get("/{document_id}/progress", response_model=shapes.DocumentProgress)
def progress(desk: Caller, base_id: str, document_id: str) -> Mapping[str, Any]:
    document = _in(desk, base_id, document_id)
    return {"state": document.state, "progress": document.progress and asdict(document.progress)}


@router.get(
    "/{document_id}/text",
    response_class=Response,
    responses={200: {"content": {"text/markdown": {}, "text/plain": {}}}},
)
def text(desk: Caller, base_id: str, document_id: str) -> Response:
    document = _in(desk, base_id, document_id)
    media_type = _MIME["text" if document.kind == "text" else "markdown"]
    return Response(desk.documents.text(document_id), media_type=media_type)


@router.get(
    "/{document_id}/original",
    response_class=Response,
    responses={200: {"content": {kind.partition(";")[0]: {} for kind in (*_MIME.values(), _ANY)}}},
)
def original(desk: Caller, base_id: str, document_id: str) -> Response:
    document = _in(desk, base_id, document_id)
    content = desk.documents.original(document_id)
    return Response(
        content,
        media_type=_MIME.get(document.kind, _ANY),
        headers={"Content-Disposition": f"attachment; filename*=UTF-8''{_file_name(document)}"},
    )


@router.get("/{document_id}/figures", response_model=shapes.Page[shapes.Figure])
def figures(
    desk: Caller, base_id: str, document_id: str, cursor: Cursor = None, limit: Limit = DEFAULT
) -> Mapping[str, Any]:
    """In the order of the text."""
    _in(desk, base_id, document_id)
    return _numbered(
        cursor, limit, [(one.number, asdict(one)) for one in desk.documents.figures(document_id)]
    )


@router.get(
    "/{document_id}/figures/{number}",
    response_class=Response,
    responses={200: {"content": {"image/webp": {}}}},
)
def figure(desk: Caller, base_id: str, document_id: str, number: int) -> Response:
    _in(desk, base_id, document_id)
    return Response(desk.documents.figure(document_id, number), media_type="image/webp")


@router.get("/{document_id}/passages", response_model=shapes.Page[shapes.Passage])
def passages(
    desk: Caller, base_id: str, document_id: str, cursor: Cursor = None, limit: Limit = DEFAULT
) -> Mapping[str, Any]:
    """Those that searches see now, in their order."""
    _in(desk, base_id, document_id)
    passages = desk.documents.passages(document_id)
    return _numbered(cursor, limit, [(one.position, _passage(one)) for one in passages])


def _passage(stored: Stored) -> dict[str, Any]:
    return {
        "position": stored.position,
        "section": stored.section or None,
        "page": stored.page,
        "start": stored.start,
        "end": stored.end,
        "text": stored.text,
    }


class _Numbered(NamedTuple):
    """Part of a document, which has no id of its own: its number, written so that it sorts."""

    id: str
    table: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        return self.table


def _numbered(cursor: str | None, limit: int, parts: Sequence[tuple[int, dict[str, Any]]]) -> dict[str, Any]:
    every = [_Numbered(f"{number:09}", table) for number, table in parts]
    return page(cursor, limit, lambda after, many: [one for one in every if one.id > after][:many])


def _file_name(document: Document) -> str:
    return quote(document.name.rsplit("/", 1)[-1].encode("utf-8", "replace"), safe="")
