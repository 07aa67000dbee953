"""The server: the application on a socket, with ingestion workers beside it, until it is stopped."""

from __future__ import annotations

import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn

from refdesk.desk import Desk
from refdesk.errors import UsageError
from refdesk.web.app import create_app

_ENDS = (signal.SIGINT, signal.SIGTERM)

TURN = 0.0005  # seconds
GRACE = 10  # seconds that requests in work have when the server is stopped


def serve(desk: Desk, host: str, port: int, started: Callable[[str], None]) -> None:
    """``port`` 0 takes a free one. ``started`` is told the address as soon as requests are taken. SIGTERM and
    SIGINT end it. Raises ``UsageError`` where the address cannot be had."""
    listening = listening_at(host, port)
    config = uvicorn.Config(
        create_app(desk),
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
    )
    address = _address(host, listening.getsockname()[1])
    with listening, desk.intake(), desk.workers(), _quick_turns():
        _Server(config, lambda: started(address)).run(sockets=[listening])


@contextmanager
def _quick_turns() -> Iterator[None]:
    """Threads of requests hand over to each other many times: each time one waits for a turn this long."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(TURN)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Without sending the signal again afterwards: the workers are still to be stopped."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in _ENDS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()


def listening_at(host: str, port: int) -> socket.socket:
    """What it accepts sends at once: asyncio sees to that for sockets of its own alone, and an answer's body
    would wait 40 ms for the client to acknowledge its head."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family)
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listening
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise UsageError(
            f"The server cannot listen at {host}, port {port}: {why}. Choose another with --host and --port."
        ) from error


def _address(host: str, port: int) -> str:
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
    return f"http://{shown}:{port}"
