"""``/v1/files``: a file is received here and given to a store afterwards."""

from __future__ import annotations

import time
from operator import itemgetter
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.requests import ClientDisconnect
from starlette.types import Message

from refdesk.desk import Desk
from refdesk.errors import Refusal, UsageError
from refdesk.ids import new_id
from refdesk.web.caller import Caller
from refdesk.web.openai import bodies, objects
from refdesk.web.openai.attach import held_by
from refdesk.web.openai.errors import Route
from refdesk.web.openai.held import HeldFile

router = APIRouter(route_class=Route, prefix="/files")

_AROUND = 65_536  # bytes of a form beside its file


@router.post("")
async def create(desk: Caller, request: Request) -> dict[str, Any]:
    async with _counted(request, desk).form(max_files=1, max_fields=8) as form:
        file, purpose = _fields(form)
        content = await file.read()
    name, declared = file.filename or "", file.content_type
    await run_in_threadpool(desk.documents.check_upload, name, declared, len(content))
    held = HeldFile(new_id("doc"), name, declared, content, purpose, int(time.time()))
    held_by(request).files.put(desk.principal.project, held)
    return objects.held_file(held)


@router.get("")
def list_files(
    desk: Caller,
    request: Request,
    order: bodies.Order = "desc",
    limit: Annotated[int, Query(ge=1, le=10_000)] = 10_000,
    after: bodies.Edge = None,
    purpose: str | None = None,
) -> dict[str, Any]:
    """Those of every store, and those that wait for one."""
    stored = [objects.file_of(one) for base in desk.bases.list() for one in base.list_documents()]
    held = [objects.held_file(one) for one in held_by(request).files.all(desk.principal.project)]
    wanted = [one for one in (*stored, *held) if purpose in (None, one["purpose"])]
    return objects.listed(sorted(wanted, key=itemgetter("id")), order, limit, after, None)


@router.get("/{file_id}")
def read(desk: Caller, request: Request, file_id: str) -> dict[str, Any]:
    document = desk.documents.find(file_id)
    if document is not None:
        return objects.file_of(document)
    return objects.held_file(held_by(request).files.get(desk.principal.project, file_id))


@router.get("/{file_id}/content")
def content(desk: Caller, request: Request, file_id: str) -> Response:
    if desk.documents.find(file_id) is not None:
        raw = desk.documents.original(file_id)
    else:
        raw = held_by(request).files.get(desk.principal.project, file_id).content
    return Response(raw, media_type="application/octet-stream")


@router.delete("/{file_id}")
def delete(desk: Caller, request: Request, file_id: str) -> dict[str, Any]:
    held, project = held_by(request).files, desk.principal.project
    is_held = held.find(project, file_id) is not None
    desk.documents.delete(*(() if is_held else (file_id,)))  # asks whether the caller may, in either case
    held.take(project, file_id)
    return {"id": file_id, "object": "file", "deleted": True}


def _fields(form: FormData) -> tuple[UploadFile, str]:
    unknown = sorted(form.keys() - {"file", "purpose"})
    if unknown:
        raise UsageError("The form takes file and purpose: a file that no store takes is kept for an hour.")
    file, purpose = form.get("file"), form.get("purpose")
    if not isinstance(file, UploadFile) or not isinstance(purpose, str) or not file.filename:
        raise UsageError("The form needs file, with its name, and purpose.")
    return file, purpose


def _counted(request: Request, desk: Desk) -> Request:
    """Its size is checked as it arrives (H4)."""
    limit = max(desk.policy.documents.max_bytes.values()) + _AROUND
    arrived = 0

    async def receive() -> Message:
        nonlocal arrived
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        arrived += len(message.get("body", b""))
        if arrived > limit:
            raise Refusal(
                f"The upload has more than {limit:,} bytes, which no file may have: split it.",
                code="too_large",
                limit=limit,
                actual=arrived,
            )
        return message

    return Request(request.scope, receive)
