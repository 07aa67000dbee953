"""A really running server, and a real client for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
import uvicorn

from refdesk import Client, Desk
from refdesk.embedding.model import Embedder
from refdesk.settings import Settings
from refdesk.web.app import create_app
from refdesk.web.server import listening_at

BOTH = ("knowledge:read", "knowledge:write")


class Served:
    """``client`` carries a key of the desk's project with both scopes."""

    def __init__(self, desk: Desk, address: str) -> None:
        self.desk = desk
        self.address = address
        self._clients: list[httpx2.Client] = []
        self.client = self.as_key()

    def as_key(self, *scopes: str, **more: Any) -> httpx2.Client:
        secret = self.desk.keys.create(scopes=scopes or BOTH, **more).secret
        return self.anonymous({"X-Api-Key": secret})

    def anonymous(self, headers: dict[str, str] | None = None) -> httpx2.Client:
        client = httpx2.Client(base_url=self.address, headers=headers, timeout=60)
        self._clients.append(client)
        return client

    def close(self) -> None:
        for client in self._clients:
            client.close()

    def base(self, name: str = "Handbook", **more: Any) -> str:
        made = self.client.post("/v2/knowledge-bases", json={"name": name, **more})
        assert made.status_code == 201, made.text
        return str(made.json()["id"])

    def add(self, base: str, content: bytes | str, name: str = "notes.md", **options: Any) -> httpx2.Response:
        headers = {"Content-Type": options.pop("type", "text/markdown"), **options.pop("headers", {})}
        return self.client.post(
            f"/v2/knowledge-bases/{base}/documents",
            params={"name": name, **options},
            headers=headers,
            content=content,
        )


Serve = Callable[..., Served]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Serves a desk of a policy; ``embedder`` is its ``local`` account, ``None`` for none."""
    ends: list[Callable[[], object]] = []

    def serving(policy: str = "packs", embedder: Embedder | None = None, **settings: Any) -> Served:
        desk = Desk.open(
            tmp_path / f"desk-{len(ends)}",
            policy=policy,
            settings=Settings(cache=tmp_path / "cache", **settings),
            embedders={"local": embedder} if embedder else {},
        )
        running = _running(desk)
        address = running.__enter__()
        served = Served(desk, address)
        ends.extend([desk.close, lambda: running.__exit__(None, None, None), served.close])
        return served

    yield serving
    for end in reversed(ends):
        end()


Connect = Callable[..., Client]


@pytest.fixture
def connect() -> Iterator[Connect]:
    """Clients of a server, each with a key of its own."""
    clients: list[Client] = []

    def connecting(served: Served, *scopes: str, **more: Any) -> Client:
        secret = served.as_key(*scopes).headers["x-api-key"]
        clients.append(Client(served.address, secret, **more))
        return clients[-1]

    yield connecting
    for client in clients:
        client.close()


@contextmanager
def _running(desk: Desk) -> Iterator[str]:
    listening = listening_at("127.0.0.1", 0)
    config = uvicorn.Config(create_app(desk), log_config=None, lifespan="on", access_log=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join(10)
    listening.close()
