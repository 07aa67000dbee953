"""The worker's HTTP: a connection stays in step, and every request gets an answer (CMP6, SRCH8)."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator

import pytest

from refdesk.package.worker.server import Request, Response, Server

Ask = Callable[[bytes], bytes]
SMUGGLED = b"POST /smuggled HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"


def _echo(request: Request) -> Response:
    return Response(200, {"path": request.path, "body": request.body.decode(), "half": "\ud800"})


@pytest.fixture
def ask() -> Iterator[Ask]:
    """Sends bytes, and gives everything that comes back until the connection is closed."""
    server = Server("127.0.0.1", 0, _echo)
    server.server_activate()
    serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    serving.start()

    def asked(sent: bytes) -> bytes:
        with socket.create_connection(("127.0.0.1", server.server_port), timeout=60) as client:
            client.sendall(sent)
            return b"".join(iter(lambda: client.recv(65_536), b""))

    yield asked
    server.shutdown()
    serving.join(60)
    server.server_close()


@pytest.mark.req("CMP6")
@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE"])
@pytest.mark.parametrize("how", ["Content-Length: {}", "Content-Length: 0\r\nContent-Length: {}"])
def test_a_body_where_none_belongs_is_not_taken_for_a_request(ask: Ask, method: str, how: str) -> None:
    length = how.format(len(SMUGGLED))
    back = ask(f"{method} /first HTTP/1.1\r\nHost: x\r\n{length}\r\n\r\n".encode() + SMUGGLED)
    assert back.count(b"HTTP/1.1 200") == 1
    assert b"Connection: close" in back
    assert b"smuggled" not in back


@pytest.mark.req("CMP6")
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
def test_a_transfer_encoding_is_refused(ask: Ask, method: str) -> None:
    head = f"{method} /first HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    back = ask(head.encode() + b"0\r\n\r\n" + SMUGGLED)
    assert back.startswith(b"HTTP/1.1 400")
    assert b"no Transfer-Encoding" in back
    assert back.count(b"HTTP/1.1 ") == 1


@pytest.mark.req("CMP6")
def test_two_lengths_are_refused(ask: Ask) -> None:
    back = ask(b"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: 2\r\n\r\n{}")
    assert back.startswith(b"HTTP/1.1 400")


@pytest.mark.req("CMP6", "SRCH8")
def test_a_connection_that_stays_in_step_is_kept_and_half_a_pair_is_answered(ask: Ask) -> None:
    back = ask(
        b"GET /one HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"
        b"POST /two HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}"
        b"GET /three HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    )
    assert back.count(b"HTTP/1.1 200") == 3
    assert b'{"path": "/two", "body": "{}", "half": "?"}' in back
