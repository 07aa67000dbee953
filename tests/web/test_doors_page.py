"""What docs/doors.md shows is what happens, against a running server."""

from __future__ import annotations

import json
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

PAGE = (Path(__file__).parents[2] / "docs" / "doors.md").read_text("utf-8")
REFUNDS = "# Refunds\n\nA refund arrives within five to seven working days.\n"


def block(language: str, of: str) -> str:
    fences = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    [found] = [one for one in fences if of in one]
    return str(found)


@pytest.fixture
def served(serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """With a Handbook that the agent Reception was granted; its queue is worked beside it."""
    served, stop = serve("bases"), threading.Event()
    served.add(served.base(), REFUNDS, "refunds.md")
    served.desk.agents.create("Reception", bases=["Handbook"])
    served.desk.work()

    def work() -> None:
        while not stop.wait(0.05):
            served.desk.work()

    worker = threading.Thread(target=work)
    worker.start()
    monkeypatch.chdir(tmp_path)
    yield served
    stop.set()
    worker.join()


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # the example is short and leaves its file open
def test_the_vector_stores_are_driven(
    served: Served, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "refunds.md").write_text(REFUNDS)
    names = {"url": served.address, "key": served.client.headers["x-api-key"]}
    exec(compile(block("python", "OpenAI("), "doors.md", "exec"), names)
    assert "five to seven working days" in capsys.readouterr().out


def test_the_external_knowledge_is_asked(served: Served) -> None:
    for tool in ("bash", "curl"):
        need(shutil.which(tool) is not None, f"{tool} is not installed")
    environment = {**os.environ, "URL": served.address, "KEY": served.client.headers["x-api-key"]}
    command = ["bash", "-euo", "pipefail", "-c", block("bash", "/retrieval")]
    said = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert said.returncode == 0, said.stderr
    [record] = json.loads(said.stdout)["records"]
    assert record["title"] == "Refunds"


@pytest.mark.req("SRCH6", "SRCH7")
def test_the_functions_are_called(served: Served, capsys: pytest.CaptureFixture[str]) -> None:
    names = {"desk": served.desk}
    exec(compile(block("python", "Toolbox("), "doors.md", "exec"), names)
    assert "From: Handbook › Refunds" in capsys.readouterr().out


def test_the_servers_of_mcp_are_written_as_programs_read_them() -> None:
    servers = json.loads(block("json", "mcpServers"))["mcpServers"]
    assert servers["handbook-here"]["args"][:2] == ["mcp", "--agent"]
