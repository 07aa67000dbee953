"""Whom a worker answers without a key: this machine's own names, and no page of another site (CMP6)."""

from __future__ import annotations

import pytest

from refdesk.errors import NotPermitted
from refdesk.package.compiled import Compiled
from refdesk.package.worker.routes import App
from refdesk.package.worker.server import Request

OWN = [
    "localhost",
    "localhost:8080",
    "LOCALHOST.:8080",
    "app.localhost",
    "127.0.0.1:8080",
    "10.0.0.7",
    "[::1]:8080",
]
OTHERS = [
    "rebound.example:8080",
    "worker",
    "127.0.0.1.rebound.example",
    "localhost.example",
    "[::1",
    "",
    "a@b:c",
]


def _app(key: str | None) -> App:
    return App(Compiled("shop", {}, {}, {}, (), {}), {}, key)


def _get(path: str, **headers: str) -> Request:
    return Request("GET", path, headers, b"")


@pytest.mark.req("CMP6")
@pytest.mark.parametrize("host", OWN)
def test_without_a_key_this_machines_names_are_answered(host: str) -> None:
    assert _app(None)(_get("/agents", host=host)).status == 200


@pytest.mark.req("CMP6")
@pytest.mark.parametrize("host", OTHERS)
def test_without_a_key_another_name_is_refused_and_told_how_it_is_allowed(host: str) -> None:
    with pytest.raises(NotPermitted, match="set REFDESK_WORKER_KEY") as caught:
        _app(None)(_get("/agents", host=host, origin=f"http://{host}"))
    assert caught.value.status == 403
    assert _app(None)(_get("/livez", host=host)).status == 200
    assert _app("a-key")(_get("/agents", host=host, authorization="Bearer a-key")).status == 200
