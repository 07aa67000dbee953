"""Work on documents over HTTP: how far it is, once and streamed; again, and not at all."""

from __future__ import annotations

import json
import threading

import pytest
from tests.web.conftest import Serve


@pytest.mark.req("ING5", "ING3")
def test_progress_is_streamed_until_all_is_done(serve: Serve) -> None:
    served = serve("packs")
    base = served.base()
    for number in range(3):
        served.add(base, f"# {number}\n\nText.\n", f"{number}.md")
    address = f"/v2/knowledge-bases/{base}"
    assert served.client.get(f"{address}/progress").json()["queued"] == 3
    working = threading.Timer(1.2, served.desk.work)
    working.start()
    events: list[tuple[str, dict[str, int]]] = []
    with served.client.stream("GET", f"{address}/events") as streamed:
        assert streamed.headers["content-type"].startswith("text/event-stream")
        name = ""
        for line in streamed.iter_lines():
            key, _, value = line.partition(": ")
            name = value if key == "event" else name
            if key == "data":
                events.append((name, json.loads(value)))
    working.join()
    assert (events[0][0], events[0][1]["queued"], events[0][1]["ready"]) == ("progress", 3, 0)
    assert (events[-1][0], events[-1][1]["queued"], events[-1][1]["ready"]) == ("done", 0, 3)


@pytest.mark.req("ING4")
def test_cancel_retry_and_reingest(serve: Serve) -> None:
    served = serve("packs")
    base = served.base()
    one = served.add(base, "# One\n\nText.\n").json()
    address = f"/v2/knowledge-bases/{base}/documents/{one['id']}"
    assert served.client.get(f"{address}/progress").json() == {"state": "queued", "progress": None}
    cancelled = served.client.post(f"{address}/cancel").json()
    assert (cancelled["state"], cancelled["code"]) == ("failed", "cancelled")
    assert served.client.post(f"{address}/cancel").status_code == 409
    assert served.client.post(f"{address}/retry").json()["state"] == "queued"
    served.desk.work()
    refused = served.client.post(f"{address}/retry")
    assert (refused.status_code, refused.json()["code"]) == (409, "wrong_state")
    again = served.client.post(f"{address}/reingest")
    assert (again.status_code, again.json()["state"]) == (202, "queued")
    served.desk.work()
    assert served.client.get(address).json()["state"] == "ready"
