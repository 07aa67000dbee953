"""``refdesk serve`` as a process: says where it is, answers, works the queue, and ends when it is told to."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest

from refdesk import Desk
from refdesk.cli.call import Call
from refdesk.cli.commands.serve import run
from refdesk.settings import Settings


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    environment = {
        **os.environ,
        "REFDESK_HOME": str(tmp_path / "desk"),
        "REFDESK_CACHE": str(tmp_path / "cache"),
    }
    server = subprocess.Popen(
        [sys.executable, "-m", "refdesk", "serve", "--port", "0"],
        env=environment, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert server.stderr is not None
    lines = [server.stderr.readline() for _ in range(3)]
    _, link = re.findall(r"http://127\.0\.0\.1:\d+(?:/console/sign-in/\S+)?", "".join(lines))[::2]
    made = subprocess.run(
        [sys.executable, "-m", "refdesk", "keys", "create", "--json"],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    yield server, link, re.findall(r"rd_[\w-]+", made.stdout)[0]
    if server.poll() is None:
        server.kill()
    server.wait()
    server.stderr.close()


@pytest.mark.req("D7", "ING1", "RUN7")
def test_it_answers_works_and_ends(served: tuple[subprocess.Popen[str], str, str]) -> None:
    server, link, key = served
    address = link.partition("/console")[0]
    with httpx2.Client(base_url=address, headers={"X-Api-Key": key}, timeout=30) as client:
        base = client.post("/v2/knowledge-bases", json={"name": "Handbook"}).json()["id"]
        added = client.post(
            f"/v2/knowledge-bases/{base}/documents",
            json={"name": "hours", "content": "# Hours\n\nWe open at nine on Saturday.\n"},
        ).json()
        document = f"/v2/knowledge-bases/{base}/documents/{added['id']}"
        give_up = time.monotonic() + 60
        while client.get(document).json()["state"] != "ready" and time.monotonic() < give_up:
            time.sleep(0.1)
        found = client.post(
            f"/v2/knowledge-bases/{base}/search", json={"query": "Saturday", "mode": "keyword"}
        )
        assert [hit["name"] for hit in found.json()["hits"]] == ["hours"]
        assert client.post(link).status_code == 303
    server.send_signal(signal.SIGTERM)
    assert server.wait(30) == 0


def test_an_address_that_is_taken_is_wrong_usage(
    served: tuple[subprocess.Popen[str], str, str], tmp_path: Path
) -> None:
    port = served[1].split(":")[2].split("/")[0]
    second = subprocess.run(
        [sys.executable, "-m", "refdesk", "--home", str(tmp_path / "other"), "serve", "--port", port],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert second.returncode == 2
    assert f"port {port}" in second.stderr


@pytest.mark.req("RUN7")
def test_it_shows_the_address_that_people_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def serving(desk: Desk, host: str, port: int, started: Callable[[str], None]) -> None:
        started("http://127.0.0.1:8400")

    monkeypatch.setattr("refdesk.web.server.serve", serving)
    settings = Settings(public_url="https://desk.example.org", cache=tmp_path / "cache")
    with Desk.open(tmp_path / "desk", settings=settings) as desk:
        assert run(Call(home=Path("a home")), desk) == "http://127.0.0.1:8400"
    shown = capsys.readouterr().err
    assert "serves https://desk.example.org, listening at http://127.0.0.1:8400" in shown
    assert "once: https://desk.example.org/console/sign-in/" in shown
    assert "--home 'a home' keys create" in shown
