"""The API under ``/v2``, and the same for a session under ``/console/v2/projects/{project_id}``."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi
from fastapi.responses import RedirectResponse

from refdesk.desk import Desk
from refdesk.web import health, observed, openai, problems, retrieval, sign_in
from refdesk.web.api import ROUTERS
from refdesk.web.asks import Asks
from refdesk.web.doors import API, CONSOLE
from refdesk.web.head import HeadAsGet
from refdesk.web.mcp import route as mcp
from refdesk.web.rates import Rates
from refdesk.web.reference import reference

_KEYS = {
    "key": {"type": "apiKey", "in": "header", "name": "X-Api-Key"},
    "bearer": {"type": "http", "scheme": "bearer"},
}


def create_app(desk: Desk) -> FastAPI:
    """``desk`` acts as the installation itself: each request gets one that acts for its caller. It is not
    closed with the application."""
    app = FastAPI(
        title="Refdesk",
        version=version("refdesk"),
        summary="Documents in, cited passages out, every answer with a receipt.",
        docs_url=None,  # its page loads scripts from elsewhere
        redoc_url=None,
        responses=problems.RESPONSES,
        strict_content_type=False,
        telemetry={"tracing": False},
    )
    app.state.desk = desk
    app.state.rates = Rates(desk.settings.requests_per_minute)
    app.state.asks = Asks()
    problems.install(app)
    observed.install(app)
    health.install(app, desk)
    app.add_middleware(HeadAsGet)
    sign_in.install(app, desk.settings)
    for router in ROUTERS:
        app.include_router(router, prefix=API)
        app.include_router(router, prefix=CONSOLE, include_in_schema=False)
    app.include_router(mcp.router)
    app.include_router(retrieval.router)
    openai.install(app)

    @app.get("/", include_in_schema=False)
    def root() -> RedirectResponse:
        return RedirectResponse("/docs")

    @app.get("/docs", include_in_schema=False)
    def docs(request: Request) -> Response:
        return reference(app, f"{request.url.scheme}://{request.url.netloc}")

    app.openapi = lambda: _described(app)  # type: ignore[method-assign]
    return app


def _described(app: FastAPI) -> dict[str, Any]:
    if app.openapi_schema is None:
        schema = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
        parts = schema["components"]
        parts["securitySchemes"] = _KEYS
        parts["schemas"]["Problem"] = problems.Problem.model_json_schema()
        schema["security"] = [{name: []} for name in _KEYS]
        _without_default_validation(schema)
        app.openapi_schema = schema
    return app.openapi_schema


def _without_default_validation(schema: dict[str, Any]) -> None:
    """FastAPI describes its own 422, which this application never sends."""
    for operations in schema["paths"].values():
        for operation in operations.values():
            operation["responses"].pop("422", None)
    for name in ("HTTPValidationError", "ValidationError"):
        schema["components"]["schemas"].pop(name, None)
