"""``/v1/vector_stores/{id}/file_batches``: several files at once, and how far they are."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request, Response

from refdesk.desk import Desk
from refdesk.desk.bases import Base
from refdesk.errors import NotFound, Refusal, UsageError
from refdesk.web.caller import Caller
from refdesk.web.openai import bodies, objects
from refdesk.web.openai.attach import attach, held_by
from refdesk.web.openai.errors import Route
from refdesk.web.openai.held import Batch
from refdesk.web.openai.stores import store_of

router = APIRouter(route_class=Route, prefix="/vector_stores/{store_id}/file_batches")

MOST = 2_000


@router.post("")
def create(desk: Caller, request: Request, store_id: str, body: bodies.NewBatch) -> dict[str, Any]:
    """A file that the policy refuses is a failed one of the batch, with the reason."""
    base, wanted = store_of(desk, store_id), _wanted(body)
    refused: dict[str, Refusal | None] = {}
    for file, attributes in wanted.items():
        refused[file] = _attached(desk, request, base, file, attributes)
    made = Batch(f"vsfb_{secrets.token_hex(12)}", base.id, int(time.time()), refused)
    held_by(request).batches.put(desk.principal.project, made)
    return objects.batch(made, _files(desk, base, made))


@router.get("/{batch_id}")
def read(desk: Caller, request: Request, store_id: str, batch_id: str, response: Response) -> dict[str, Any]:
    base, made = _found(desk, request, store_id, batch_id)
    response.headers.update(objects.POLL)
    return objects.batch(made, _files(desk, base, made))


@router.post("/{batch_id}/cancel")
def cancel(desk: Caller, request: Request, store_id: str, batch_id: str) -> dict[str, Any]:
    base, made = _found(desk, request, store_id, batch_id)
    for one in _files(desk, base, made):
        if one["status"] == "in_progress":
            desk.documents.cancel(one["id"])
    return objects.batch(made, _files(desk, base, made))


@router.get("/{batch_id}/files")
def list_files(
    desk: Caller,
    request: Request,
    store_id: str,
    batch_id: str,
    order: bodies.Order = "desc",
    limit: bodies.Limit = 20,
    after: bodies.Edge = None,
    before: bodies.Edge = None,
    filter: bodies.Status = None,  # noqa: A002
) -> dict[str, Any]:
    base, made = _found(desk, request, store_id, batch_id)
    wanted = [one for one in _files(desk, base, made) if filter in (None, one["status"])]
    return objects.listed(wanted, order, limit, after, before)


def _wanted(body: bodies.NewBatch) -> Mapping[str, Mapping[str, str] | None]:
    if bool(body.file_ids) == bool(body.files):
        raise UsageError("A batch takes file_ids or files: give one of the two.", code="bad_value")
    shared = bodies.metadata(body.attributes)
    wanted = dict.fromkeys(body.file_ids, shared)
    wanted |= {one.file_id: bodies.metadata(one.attributes) for one in body.files}
    if len(wanted) > MOST:
        raise UsageError(
            f"A batch takes at most {MOST:,} files, and has {len(wanted):,}: send several.",
            code="bad_value",
            limit=MOST,
            actual=len(wanted),
        )
    return wanted


def _attached(
    desk: Desk, request: Request, base: Base, file: str, attributes: Mapping[str, str] | None
) -> Refusal | None:
    try:
        attach(desk, held_by(request), base, file, attributes)
    except Refusal as refusal:
        return refusal
    return None


def _found(desk: Desk, request: Request, store_id: str, batch_id: str) -> tuple[Base, Batch]:
    base = store_of(desk, store_id)
    made = held_by(request).batches.get(desk.principal.project, batch_id)
    if made.store != base.id:
        raise NotFound(f"There is no batch {batch_id[:80]!r} in {base.id}.")
    return base, made


def _files(desk: Desk, base: Base, made: Batch) -> list[dict[str, Any]]:
    found = []
    for file, refusal in made.files.items():
        document = None if refusal else desk.documents.find(file)
        if refusal:
            found.append(objects.refused_file(made, file, refusal))
        elif document is not None:
            found.append(objects.store_file(base, document))
    return found
