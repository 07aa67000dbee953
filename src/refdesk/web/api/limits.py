"""``/limits``: every limit in force."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter

from refdesk.web import shapes
from refdesk.web.caller import Caller
from refdesk.web.gate import Gate

router = APIRouter(route_class=Gate, tags=["limits"])


@router.get("/limits", response_model=shapes.Limits)
def limits(desk: Caller) -> Mapping[str, Any]:
    return {"policy": desk.policy.name, "items": [line._asdict() for line in desk.limits()]}
