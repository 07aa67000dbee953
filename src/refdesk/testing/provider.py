"""A provider of embeddings and chat models on loopback, for tests: a real HTTP server that can fail."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Sequence
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal, Self
from urllib.parse import unquote

from refdesk.testing.chat_protocols import CHATS
from refdesk.testing.chats import Chats, Chatted, Says
from refdesk.testing.embedder import WordEmbedder
from refdesk.testing.protocols import PROTOCOLS, Asked, Reply, Speaks

Mode = Literal[
    "answer", "hang", "drip", "refuse", "400", "401", "402", "404", "429", "500", "garbage", "empty", "close",
    "redirect", "cut",
]  # fmt: skip
"""``402`` is a quota used up, in each provider's own words; ``empty`` is JSON of another shape; ``drip``
sends a byte now and then; ``refuse`` takes no connection; ``redirect`` sends the client to ``location``;
``cut`` breaks a stream off in its middle."""

Saying = Says | Callable[[Chatted], Says]

_BREAKS = {"hang", "drip", "garbage", "close"}
_STEP = 0.05  # seconds between the bytes of a drip


class FakeProvider:
    """Speaks OpenAI's, Google's, Hugging Face's and Bedrock's embedding protocols, with vectors by
    ``WordEmbedder`` that are three units long, and the chat protocols of OpenAI, Anthropic, Google and
    Bedrock (``Converse``). A context manager.

    ``asked`` and ``chats`` hold every request that was understood. ``says`` holds what is said to the next
    chats, or makes it of each, before ``otherwise`` holds. ``script`` holds the modes of the next requests,
    before ``mode`` holds. With ``key`` another key is refused. ``echo`` is put into each error's sentence.
    """

    def __init__(self, *, key: str | None = None, dimensions: int = 64, retry_after: str = "0.2") -> None:
        self.key = key
        self.dimensions = dimensions
        self.retry_after = retry_after
        self.echo = ""
        self.location = ""
        self.asked: list[Asked] = []
        self.chats: list[Chatted] = []
        self.says: list[Saying] = []
        self.otherwise: Saying = "It is a test [1]."
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
        return self._next_mode()

    def take_chat(self, chatted: Chatted) -> Mode:
        """As ``take``."""
        self.chats.append(chatted)
        return self._next_mode()

    def said(self, chatted: Chatted) -> Says:
        saying = self.says.pop(0) if self.says else self.otherwise
        return saying(chatted) if callable(saying) else saying

    def _next_mode(self) -> Mode:
        return self.script.pop(0) if self.script else self._mode

    def reply(self, speaks: Speaks, asked: Asked, key: str | None, mode: Mode) -> Reply:
        if refused := self.refusal(speaks, key, mode):
            return refused
        if len(asked.texts) > speaks.most or not all(asked.texts):
            return self._error(speaks, 400)
        return Reply(200, speaks.answer(asked, self._rows(asked)))

    def refusal(self, speaks: Speaks | Chats, key: str | None, mode: Mode) -> Reply | None:
        if mode.isdecimal():
            return self._error(speaks, int(mode))
        if self.key is not None and key != self.key:
            return self._error(speaks, 401)
        if mode == "redirect":
            return Reply(HTTPStatus.TEMPORARY_REDIRECT, {}, {"Location": self.location})
        return Reply(200, {}) if mode == "empty" else None

    def _error(self, speaks: Speaks | Chats, status: int) -> Reply:
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
        for speaks in PROTOCOLS:
            if match := speaks.path.fullmatch(path):
                self._embed(speaks, match[1], body)
                return
        for chats in CHATS:
            if match := chats.path.fullmatch(path):
                self._chat(chats, chats.chatted(match, body))
                return
        self._send(Reply(404, {}))

    def _embed(self, speaks: Speaks, model: str, body: Any) -> None:
        provider, asked = self.server.provider, speaks.asked(model, body)
        mode = provider.take(asked)
        if mode in _BREAKS:
            self._break_off(mode)
        else:
            self._send(provider.reply(speaks, asked, self._key(speaks), mode))

    def _chat(self, chats: Chats, chatted: Chatted) -> None:
        provider = self.server.provider
        mode = provider.take_chat(chatted)
        if mode in _BREAKS:
            self._break_off(mode)
        elif refused := provider.refusal(chats, self._key(chats), mode):
            self._send(refused)
        elif chatted.streamed:
            self._stream([*chats.pieces(chatted, provider.said(chatted))], cut=mode == "cut")
        else:
            self._send(Reply(200, chats.whole(chatted, provider.said(chatted))))

    def _key(self, speaks: Speaks | Chats) -> str | None:
        return speaks.key(self.headers)  # type: ignore[arg-type]  # a message is a mapping, of any case

    def _stream(self, pieces: Sequence[bytes], *, cut: bool) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for piece in pieces[: len(pieces) // 2 if cut else None]:
            self.wfile.write(piece)
            self.wfile.flush()
        if cut:
            self.connection.shutdown(socket.SHUT_RDWR)

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
