"""``/provider-accounts``: whom texts are sent to, to be made into vectors. No secret comes out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request, Response

from refdesk.web import shapes
from refdesk.web.caller import Caller
from refdesk.web.edits import check_match, tagged
from refdesk.web.gate import Gate
from refdesk.web.paging import DEFAULT, Cursor, Limit, page_of

router = APIRouter(prefix="/provider-accounts", route_class=Gate, tags=["provider accounts"])

EDITED = ("name",)


@router.post("", status_code=201, response_model=shapes.Account)
def create(desk: Caller, body: shapes.NewAccount, request: Request, response: Response) -> Mapping[str, Any]:
    """Nobody is asked yet: `verify` does that, and a base takes a verified account alone."""
    given = body.model_dump(exclude_unset=True)
    account = desk.accounts.create(given.pop("name"), given.pop("provider"), **given)
    response.headers["Location"] = f"{request.url.path}/{account.id}"
    return tagged(response, account.to_dict(), EDITED)


@router.get("", response_model=shapes.Page[shapes.Account])
def list_accounts(desk: Caller, cursor: Cursor = None, limit: Limit = DEFAULT) -> Mapping[str, Any]:
    return page_of(cursor, limit, desk.accounts.list())


@router.get("/{account_id}", response_model=shapes.Account)
def read(desk: Caller, account_id: str, response: Response) -> Mapping[str, Any]:
    return tagged(response, desk.accounts.get(account_id).to_dict(), EDITED)


@router.patch("/{account_id}", response_model=shapes.Account)
def change(
    desk: Caller, account_id: str, body: shapes.AccountChanges, request: Request, response: Response
) -> Mapping[str, Any]:
    check_match(request, desk.accounts.get(account_id).to_dict(), EDITED)
    account = desk.accounts.update(account_id, **body.model_dump(exclude_none=True))
    return tagged(response, account.to_dict(), EDITED)


@router.delete("/{account_id}", status_code=204)
def delete(desk: Caller, account_id: str) -> None:
    desk.accounts.delete(account_id)


@router.post("/{account_id}/verify", response_model=shapes.Account)
def verify(desk: Caller, account_id: str) -> Mapping[str, Any]:
    """Sends one short text of ours; `state` and `error` say what came of it."""
    return desk.accounts.verify(account_id).to_dict()
