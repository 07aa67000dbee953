"""The stream of a run that is slow to begin, that breaks, or that nobody hears any more."""

from __future__ import annotations

import gc
import json
import logging
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import httpx2
import pytest
from tests.web.conftest import Serve, Served

from refdesk.desk import Desk
from refdesk.web.asks import MOST

QUESTION = "when do you open on Saturday?"
SECRET = "the text of a document"
LIMIT = 60  # seconds


@pytest.fixture
def served(serve: Serve) -> Served:
    served = serve("bases")
    served.base("Hours")
    return served


class Held:
    """In place of ``Desk.ask``: waits until it is let go, then breaks with what a document says."""

    def __init__(self) -> None:
        self.go, self.ended = threading.Event(), threading.Event()

    def __call__(self, *_: Any, **__: Any) -> None:
        try:
            assert self.go.wait(LIMIT)
            raise RuntimeError(SECRET)
        finally:
            self.ended.set()


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    held = Held()
    monkeypatch.setattr(Desk, "ask", held)
    monkeypatch.setattr("refdesk.web.streaming.FIRST", 0.05)
    monkeypatch.setattr("refdesk.web.streaming.KEEP_ALIVE", 0.05)
    yield held
    held.go.set()


@contextmanager
def streaming(served: Served) -> Iterator[httpx2.Response]:
    body = {"question": QUESTION, "bases": ["Hours"]}
    headers = {"Accept": "text/event-stream"}
    with served.client.stream("POST", "/v2/runs", json=body, headers=headers) as stream:
        yield stream


@pytest.mark.req("H5", "RUN2")
def test_a_stream_begins_before_its_first_event_and_what_breaks_is_its_last(
    served: Served, held: Held, caplog: pytest.LogCaptureFixture
) -> None:
    with streaming(served) as stream:
        assert stream.status_code == 200
        lines = stream.iter_lines()
        assert next(lines) == ": still here"
        held.go.set()
        [data] = [line for line in lines if line.startswith("data: ")]
    problem = json.loads(data.removeprefix("data: "))
    assert (problem["code"], problem["status"]) == ("failed", 500)
    assert problem["request_id"] == stream.headers["x-request-id"]
    assert "error=RuntimeError" in caplog.text
    assert SECRET not in caplog.text + data


@pytest.mark.req("H5")
def test_what_breaks_when_nobody_listens_is_not_written_out(
    served: Served, held: Held, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with streaming(served) as stream:
        assert next(stream.iter_lines()) == ": still here"
    held.go.set()
    assert held.ended.wait(LIMIT)
    until = time.monotonic() + LIMIT
    while "error=RuntimeError" not in caplog.text and time.monotonic() < until:
        time.sleep(0.01)
    assert caplog.text.count("error=RuntimeError") == 1
    gc.collect()
    assert SECRET not in caplog.text


@pytest.mark.req("H5")
def test_what_breaks_at_once_is_the_answer(
    served: Served, held: Held, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("refdesk.web.streaming.FIRST", float(LIMIT))
    held.go.set()
    with streaming(served) as stream:
        assert (stream.status_code, json.loads(stream.read())["code"]) == (500, "failed")
    assert SECRET not in caplog.text


@pytest.mark.req("H4")
def test_slow_questions_hold_up_each_other_alone(
    served: Served, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("refdesk.web.asks.PATIENCE", 0.05)
    body = {"question": QUESTION, "bases": ["Hours"]}
    with ExitStack() as stack:
        for _ in range(MOST):
            assert stack.enter_context(streaming(served)).status_code == 200
        for accept in ("application/json", "text/event-stream"):
            refused = served.client.post("/v2/runs", json=body, headers={"Accept": accept})
            assert (refused.status_code, refused.json()["code"]) == (503, "questions_busy")
            assert (refused.json()["limit"], "retry-after" in refused.headers) == (MOST, True)
        for path in ("/livez", "/readyz", "/v2/knowledge-bases"):
            assert served.client.get(path).status_code == 200
    held.go.set()
    monkeypatch.setattr("refdesk.web.asks.PATIENCE", float(LIMIT))
    again = served.client.post("/v2/runs", json=body)
    assert (again.status_code, again.json()["code"]) == (500, "failed")
