"""What the README shows is what happens."""

from __future__ import annotations

import re
import shlex
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from refdesk.cli import main
from refdesk.demo.catalog import packs, sources
from refdesk.demo.make import content

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")


def block(language: str) -> str:
    found = re.findall(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
    assert len(found) == 1
    return str(found[0])


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFDESK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("REFDESK_HOME", str(tmp_path / "home"))
    return tmp_path


def test_the_python_example_runs(place, capsys):
    (place / "policies").mkdir()
    (place / "policies" / "returns.md").write_text("# Refunds\n\nA refund arrives within 14 days.\n")
    pdf = next(one for pack in packs() for one in sources(pack) if one.format == "pdf")
    (place / "price-list.pdf").write_bytes(content(pdf))
    names: dict[str, Any] = {}
    exec(compile(block("python"), "README.md", "exec"), names)
    names["desk"].close()
    assert "A refund arrives within 14 days." in capsys.readouterr().out


def test_the_commands_run(place, capsys):
    """What a shell does is left to one, each ``refdesk`` runs here."""
    codes = {}
    for line in block("bash").splitlines():
        words = shlex.split(line, comments=True)
        if words[:1] == ["refdesk"]:
            command = words[1 : words.index("||")] if "||" in words else words[1:]
            codes[line] = (main(command), "||" in words)
        elif words and words[0] != "alias":
            subprocess.run(["bash", "-euc", line], check=True)
    assert [line for line, (code, may_fail) in codes.items() if code and not may_fail] == []
    assert len(codes) >= 8
    assert "A refund arrives within 14 days of the return." in capsys.readouterr().out


def test_the_server_serves(place):
    """With the program of these tests in place of the alias, on a port of its own."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    script = block("sh").replace("refdesk ", f"{sys.executable} -m refdesk ").replace("8400", str(port))
    ready = f"until curl -s http://127.0.0.1:{port}/livez; do sleep 0.2; done;"
    script = script.replace("serve &", f"serve --port {port} & trap 'kill %1; wait' EXIT; {ready}")
    said = subprocess.run(["bash", "-euc", script], capture_output=True, text=True, check=True)
    assert '"name":"Prices"' in said.stdout


def test_the_transcript_is_of_this_demo(run):
    """Without the weights another source may come second; what the README shows must all be said."""
    shown = block("console")
    assert shown.startswith("$ make demo ARGS=--no-serve\n")
    said = run("demo", "--no-serve").out
    quoted = re.findall(r"^“.*?$|^\S.*\?$", shown, re.MULTILINE)
    assert len(quoted) >= 5
    numbers = re.compile(r" \[\d+\]$")  # they are those of the search, which has no vectors here
    assert [line for line in quoted if numbers.sub("", line) not in said] == []


def test_it_is_short():
    assert len(README.splitlines()) < 150
