"""``/v1/vector_stores``: a base under this protocol's name, and its search."""

from __future__ import annotations

import secrets
from typing import Any

from fastapi import APIRouter, Request

from refdesk.desk import Desk
from refdesk.desk.bases import Base
from refdesk.web.addresses import by_id
from refdesk.web.caller import Caller
from refdesk.web.foreign import equal
from refdesk.web.openai import bodies, objects
from refdesk.web.openai.attach import attach, held_by
from refdesk.web.openai.errors import Route

router = APIRouter(route_class=Route, prefix="/vector_stores")


def store_of(desk: Desk, store_id: str) -> Base:
    return desk.bases.get(by_id(store_id, "kb"))


@router.post("")
def create(desk: Caller, request: Request, body: bodies.NewStore) -> dict[str, Any]:
    """A store that cannot take one of its files is not made."""
    bodies.checked(body)
    name = body.name or f"Vector store {secrets.token_hex(4)}"
    base = desk.bases.create(name, description=body.description)
    try:
        for file in body.file_ids:
            attach(desk, held_by(request), base, file)
    except BaseException:
        base.delete()
        raise
    return _shown(base)


@router.get("")
def list_stores(
    desk: Caller,
    order: bodies.Order = "desc",
    limit: bodies.Limit = 20,
    after: bodies.Edge = None,
    before: bodies.Edge = None,
) -> dict[str, Any]:
    bases = {base.id: base for base in desk.bases.list()}
    page = objects.listed([{"id": id_} for id_ in bases], order, limit, after, before)
    return {**page, "data": [_shown(bases[one["id"]]) for one in page["data"]]}


@router.get("/{store_id}")
def read(desk: Caller, store_id: str) -> dict[str, Any]:
    return _shown(store_of(desk, store_id))


@router.post("/{store_id}")
def change(desk: Caller, store_id: str, body: bodies.StoreChanges) -> dict[str, Any]:
    bodies.checked(body)
    base = store_of(desk, store_id)
    return _shown(base.update(name=body.name) if body.name is not None else base)


@router.delete("/{store_id}")
def delete(desk: Caller, store_id: str) -> dict[str, Any]:
    store_of(desk, store_id).delete()
    return {"id": store_id, "object": "vector_store.deleted", "deleted": True}


@router.post("/{store_id}/search")
def search(desk: Caller, store_id: str, body: bodies.Question) -> dict[str, Any]:
    """As many results as the policy says unless told; more than it allows are refused."""
    query = body.query if isinstance(body.query, str) else body.query[0]
    ranking = body.ranking_options or bodies.Ranking()
    found = desk.search(
        query,
        [by_id(store_id, "kb")],
        top_k=body.max_num_results,
        min_score=ranking.score_threshold or None,
        filter=_filter(body.filters),
    )
    return {
        "object": "vector_store.search_results.page",
        "search_query": [query],
        "data": [objects.result(hit) for hit in found],
        "has_more": False,
        "next_page": None,
    }


def _filter(asked: bodies.Filter | None) -> dict[str, str] | None:
    if asked is None:
        return None
    several = asked.type in ("and", "or")
    compared = asked.filters if several else [asked]
    joined = asked.type if several else "and"
    return equal(((one.key or "", one.type, one.value) for one in compared), ("eq",), joined)


def _shown(base: Base) -> dict[str, Any]:
    return objects.store(base, base.progress())
