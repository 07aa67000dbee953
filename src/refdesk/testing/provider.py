"""An embedding provider on loopback, for tests: a real HTTP server with every way to fail."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Sequence
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal, Self
from urllib.parse import unquote

from refdesk.testing.embedder import WordEmbedder
from refdesk.testing.protocols import PROTOCOLS, Asked, Reply, Speaks

Mode = Literal[
    "answer", "hang", "drip", "refuse", "400", "401", "402", "404", "429", "500", "garbage", "empty", "close",
    "redirect",
]  # fmt: skip
"""``402`` is a quota used up, in each provider's own words; ``empty`` is JSON of another shape; ``drip``
sends a byte now and then; ``refuse`` takes no connection; ``redirect`` sends the client to ``location``."""

_BREAKS = {"hang", "drip", "garbage", "close"}
_STEP = 0.05  # seconds between the bytes of a drip


class FakeProvider:
    """Speaks OpenAI's, Google's, Hugging Face's and Bedrock's embedding protocols, with vectors by
    ``WordEmbedder`` that are three units long. A context manager.

    ``asked`` holds every request that was understood. ``script`` holds the modes of the next requests, before
    ``mode`` holds. With ``key`` another key is refused. ``echo`` is put into each error's sentence.
    """

    def __init__(self, *, key: str | None = None, dimensions: int = 64, retry_after: str = "0.2") -> None:
        self.key = key
        self.dimensions = dimensions
        self.retry_after = retry_after
        self.echo = ""
        self.location = ""
        self.asked: list[Asked] = []
        self.script: list[Mode] = []
        self._mode: Mode = "answer"
        self.ended = threading.Event()
        self._port = 0
        self._listen()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def mode(self) -> Mode:
        return self._mode

    @mode.setter
    def mode(self, mode: Mode) -> None:
        if "refuse" in {mode, self._mode} and mode != self._mode:
            self._deafen() if mode == "refuse" else self._listen()
        self._mode = mode

    @property
    def texts(self) -> Sequence[str]:
        """Every text that was asked for."""
        return [text for asked in self.asked for text in asked.texts]

    def close(self) -> None:
        self.ended.set()
        if self._mode != "refuse":
            self._deafen()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _listen(self) -> None:
        self._server = _Server(self, self._port)
        self._port = self._server.server_port
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )
        self._thread.start()

    def _deafen(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def take(self, asked: Asked) -> Mode:
        """Counts a request, and says how it is answered."""
        self.asked.append(asked)
        return self.script.pop(0) if self.script else self._mode

    def reply(self, speaks: Speaks, asked: Asked, key: str | None, mode: Mode) -> Reply:
        if mode.isdecimal():
            return self._error(speaks, int(mode))
        if self.key is not None and key != self.key:
            return self._error(speaks, 401)
        if len(asked.texts) > speaks.most or not all(asked.texts):
            return self._error(speaks, 400)
        if mode == "redirect":
            return Reply(HTTPStatus.TEMPORARY_REDIRECT, {}, {"Location": self.location})
        if mode == "empty":
            return Reply(200, {})
        return Reply(200, speaks.answer(asked, self._rows(asked)))

    def _error(self, speaks: Speaks, status: int) -> Reply:
        reply = speaks.error(status, f"It is a test{self.echo}. More about it is elsewhere.")
        waits = {"Retry-After": self.retry_after} if status == HTTPStatus.TOO_MANY_REQUESTS else {}
        return reply._replace(headers={**reply.headers, **waits})

    def _rows(self, asked: Asked) -> Sequence[Sequence[float]]:
        vectors = WordEmbedder(asked.dimensions or self.dimensions).passages(asked.texts)
        return [[3.0 * float(value) for value in vector] for vector in vectors]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, provider: FakeProvider, port: int) -> None:
        self.provider = provider
        super().__init__(("127.0.0.1", port), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that left is no matter of the test's output."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        path = unquote(self.path)
        found = next(((s, m[1]) for s in PROTOCOLS if (m := s.path.fullmatch(path))), None)
        if found is None:
            self._send(Reply(404, {}))
            return
        speaks, model = found
        asked = speaks.asked(model, body)
        mode = self.server.provider.take(asked)
        if mode in _BREAKS:
            self._break_off(mode)
        else:
            key = speaks.key(self.headers)  # type: ignore[arg-type]  # a message is a mapping, of any case
            self._send(self.server.provider.reply(speaks, asked, key, mode))

    def _break_off(self, mode: Mode) -> None:
        ended = self.server.provider.ended
        if mode == "hang":
            ended.wait()
        elif mode == "garbage":
            self.wfile.write(b"HTTP/1.0 200 OK\r\n\r\n<html>It works!</html>")
        elif mode == "drip":
            self.wfile.write(b"HTTP/1.0 200 OK\r\n\r\n")
            while not ended.wait(_STEP):
                self.wfile.write(b" ")
        self.connection.shutdown(socket.SHUT_RDWR)

    def _send(self, reply: Reply) -> None:
        body = json.dumps(reply.body).encode()
        self.send_response(reply.status)
        for name, value in {**reply.headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """A test prints nothing."""
