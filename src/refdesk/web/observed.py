"""Around every request: its id, its metrics, one line in the log. Neither path nor query is written, which
may hold a key or what people asked."""

from __future__ import annotations

import logging
import re
import secrets
import time

from fastapi import FastAPI, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from refdesk.web.problems import route_of, unexpected

_OURS = re.compile(r"[A-Za-z0-9._-]{1,64}")

log = logging.getLogger(__name__)


class Metrics:
    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "refdesk_requests_total",
            "Requests answered, by method, route and status.",
            ["method", "route", "status"],
            registry=self._registry,
        )
        self._seconds = Histogram(
            "refdesk_request_seconds",
            "How long requests took, by method and route.",
            ["method", "route"],
            registry=self._registry,
            buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 0.9, 2.5, 10),
        )

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        self._requests.labels(method, route, status).inc()
        self._seconds.labels(method, route).observe(seconds)

    def text(self) -> bytes:
        return generate_latest(self._registry)


def install(app: FastAPI) -> None:
    metrics = Metrics()
    logging.getLogger("uvicorn.access").disabled = True  # it writes addresses out, and what stands in them
    app.add_middleware(_Observed, metrics=metrics)

    @app.get("/metrics", include_in_schema=False)
    def read_metrics() -> Response:
        return Response(metrics.text(), media_type=CONTENT_TYPE_LATEST)


class _Observed:
    """What is told of a request is told when its answer begins."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        given = request.headers.get("x-request-id", "")
        request.state.request_id = given if _OURS.fullmatch(given) else f"req_{secrets.token_hex(12)}"
        started, begun = time.perf_counter(), False

        async def telling(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = MutableHeaders(scope=message)
                headers["X-Request-Id"] = request.state.request_id
                headers["X-Content-Type-Options"] = "nosniff"
                self._tell(request, message["status"], time.perf_counter() - started)
            await send(message)

        try:
            await self._app(scope, receive, telling)
        except Exception as error:
            if begun:
                raise
            await unexpected(request, error)(scope, receive, telling)

    def _tell(self, request: Request, status: int, seconds: float) -> None:
        route = route_of(request)
        method = request.method if request.method in _METHODS else "other"
        self._metrics.observe(method, route, status, seconds)
        log.info(
            "request id=%s method=%s route=%s status=%d ms=%.1f",
            request.state.request_id, method, route, status, seconds * 1000,
        )  # fmt: skip


_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
