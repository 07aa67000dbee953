"""The socket that the server listens at."""

from __future__ import annotations

import socket

from refdesk.web.server import listening_at


def test_what_it_accepts_sends_at_once() -> None:
    with (
        listening_at("127.0.0.1", 0) as listening,
        socket.create_connection(listening.getsockname()),
    ):
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0
