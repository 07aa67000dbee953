"""``/livez``: the process answers. ``/readyz``: so does what it needs."""

from __future__ import annotations

from fastapi import FastAPI, Request, Response

from refdesk.desk import Desk
from refdesk.errors import Failed
from refdesk.web.problems import problem


def install(app: FastAPI, desk: Desk) -> None:
    @app.get("/livez", include_in_schema=False)
    async def live() -> dict[str, str]:
        return {"status": "ok"}

    @app.get("/readyz", include_in_schema=False, response_model=None)
    def ready(request: Request) -> dict[str, str] | Response:
        try:
            desk.check()
        except Failed as error:
            return problem(request, error)
        return {"status": "ok"}
