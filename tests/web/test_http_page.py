"""What docs/http.md shows is what happens, against a running server."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.conftest import need
from tests.web.conftest import Serve, Served

PAGE = (Path(__file__).parents[2] / "docs" / "http.md").read_text("utf-8")


def blocks(language: str, of: str) -> str:
    fences = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    return "\n".join(one for one in fences if of in one)


@pytest.fixture
def served(serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """In the bases policy, where a new base is generic; its queue is worked beside it."""
    served, stop = serve("bases"), threading.Event()

    def work() -> None:
        while not stop.wait(0.05):
            served.desk.work()

    worker = threading.Thread(target=work)
    worker.start()
    monkeypatch.chdir(tmp_path)
    yield served
    stop.set()
    worker.join()


@pytest.mark.req("H1", "H2", "ING1")
def test_the_commands_run(served: Served) -> None:
    for tool in ("bash", "curl", "jq"):
        need(shutil.which(tool) is not None, f"{tool} is not installed")
    command = ["bash", "-euo", "pipefail", "-c", blocks("bash", "X-Api-Key")]
    environment = {**os.environ, "URL": served.address, "KEY": served.client.headers["x-api-key"]}
    said = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert said.returncode == 0, said.stderr
    assert "We open at nine on Saturday." in said.stdout
    assert "event: done" in said.stdout
    [agent] = served.client.get("/v2/agents").json()["items"]
    assert [base.id for base in served.desk.bases.list()] == agent["knowledge_base_ids"]


def test_the_python_example_runs(served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies" / "returns.md").write_text("# Refunds\n\nA refund arrives within 14 days.\n")
    names = {"url": served.address, "key": served.client.headers["x-api-key"]}
    exec(compile(blocks("python", "Client(url, key)"), "http.md", "exec"), names)
    said = capsys.readouterr().out
    assert said.count("A refund arrives within 14 days.") == 2
    assert "empty_question" in said
