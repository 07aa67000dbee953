"""HTTP by the standard library: one thread a connection, small bodies, bounded in number and time."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from refdesk.errors import Failed, RefdeskError, Refusal, UsageError

log = logging.getLogger(__name__)

MOST_BYTES = 65_536
MOST_CONNECTIONS = 256
_IDLE_SECONDS = 30
_ENDING_SECONDS = 20


class Request(NamedTuple):
    """``path`` without the query; ``headers`` by their names in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


class Response(NamedTuple):
    """``body`` is written as JSON; ``None``: there is none."""

    status: int
    body: object
    headers: Mapping[str, str] = {}
    route: str = ""
    """What the log calls it: an address may hold more than a log may."""


Routes = Callable[[Request], Response]


def problem(error: RefdeskError) -> Response:
    body = {"title": error.code, "status": error.status, "detail": error.message, **error.to_dict()}
    return Response(error.status, body, {"Content-Type": "application/problem+json"})


class Server(ThreadingHTTPServer):
    """Takes its port at once, and connections with ``serve_forever``."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, host: str, port: int, routes: Routes | None = None) -> None:
        self.routes = routes
        self._places = threading.BoundedSemaphore(MOST_CONNECTIONS)
        self._changed = threading.Condition()
        self._working = 0
        super().__init__((host, port), _Handler, bind_and_activate=False)
        try:
            self.server_bind()
        except OSError as error:
            self.server_close()
            raise Failed(f"{host}:{port} cannot be listened on: {error.strerror}.") from None

    def server_bind(self) -> None:
        """Without asking what the host is called: that may wait for a name server."""
        self.socket.setsockopt(*_REUSE)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = str(self.server_address[0]), int(self.server_address[1])

    @contextmanager
    def working(self) -> Iterator[None]:
        """On a request, until its answer is sent."""
        with self._changed:
            self._working += 1
        try:
            yield
        finally:
            with self._changed:
                self._working -= 1
                self._changed.notify_all()

    def finish(self) -> None:
        """Waits for the requests that are being worked on: a call goes on while its worker is replaced."""
        with self._changed:
            self._changed.wait_for(lambda: not self._working, _ENDING_SECONDS)

    def process_request(self, request: Any, client_address: Any) -> None:
        if not self._places.acquire(blocking=False):
            log.warning("connections=%d refused=1", MOST_CONNECTIONS)
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that left is nobody's error."""


class _Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    server_version = "refdesk"
    sys_version = ""
    timeout = _IDLE_SECONDS

    def do_GET(self) -> None:
        self._handle(self._no_body)

    do_HEAD = do_DELETE = do_PUT = do_GET  # noqa: N815

    def do_POST(self) -> None:
        self._handle(self._body)

    def _handle(self, read: Callable[[], bytes]) -> None:
        with self.server.working():
            try:
                if "Transfer-Encoding" in self.headers:
                    raise UsageError(
                        "A body is sent whole, with its Content-Length and no Transfer-Encoding."
                    )
                body = read()
            except RefdeskError as error:
                self.close_connection = True
                self._send(problem(error))
                return
            self._answer(body)

    def _no_body(self) -> bytes:
        """One that is sent all the same must not be taken for the next request."""
        if self.headers.get_all("Content-Length", ["0"]) != ["0"]:
            self.close_connection = True
        return b""

    def _body(self) -> bytes:
        length, *others = self.headers.get_all("Content-Length", [""])
        if others or not (length.isascii() and length.isdecimal()):
            raise UsageError("A request with a body says its Content-Length.")
        if int(length) > MOST_BYTES:
            raise Refusal(
                f"The body has {length} bytes; at most {MOST_BYTES:,} are read.",
                code="too_large",
                limit=MOST_BYTES,
                actual=int(length),
            )
        return self.rfile.read(int(length))

    def _answer(self, body: bytes) -> None:
        started = time.monotonic()
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.command, self.path.partition("?")[0], headers, body)
        response = self._routed(request)
        self._send(response)
        log.info(
            "%s %s status=%d ms=%.1f",
            *(self.command, response.route or "-", response.status, (time.monotonic() - started) * 1000),
        )

    def _routed(self, request: Request) -> Response:
        routes = self.server.routes
        try:
            if routes is None:
                raise Failed("The worker is starting.")
            return routes(request)
        except RefdeskError as error:
            if isinstance(error, Failed):
                log.error("failed code=%s cause=%s", error.code, error.message)
            return problem(error)
        except Exception as error:  # its words may quote a question
            log.error("failed error=%s", type(error).__name__)
            return problem(Failed("Something failed inside the worker: its log says what."))

    def _send(self, response: Response) -> None:
        body = b"" if response.body is None else _written(response.body)
        self.send_response(response.status)
        headers = {"Content-Type": "application/json", "Cache-Control": "no-store", **response.headers}
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """What the standard library logs holds addresses as they were sent."""


def _written(body: object) -> bytes:
    """Half a surrogate pair, which JSON may hold and UTF-8 may not, is written as ``?``."""
    return json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")


def _reuse() -> tuple[int, int, int]:
    import socket

    return socket.SOL_SOCKET, socket.SO_REUSEADDR, 1


_REUSE = _reuse()
