"""What the README shows is what happens."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from refdesk.demo.catalog import PACKS, sources
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
    pdf = next(one for pack in PACKS for one in sources(pack) if one.format == "pdf")
    (place / "price-list.pdf").write_bytes(content(pdf))
    exec(compile(block("python"), "README.md", "exec"), {})
    assert "A refund arrives within 14 days." in capsys.readouterr().out


def test_the_commands_run(place):
    commands = "\n".join(line for line in block("bash").splitlines() if not line.startswith("alias "))
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "A refund arrives within 14 days of the return." in done.stdout


def test_the_transcript_is_of_this_demo(run):
    """Without the weights another source may come second; what the README shows must all be said."""
    shown = block("console")
    assert shown.startswith("$ make demo ARGS=--no-serve\n")
    said = run("demo", "--no-serve").out
    quoted = re.findall(r"^“.*?$|^\S.*\?$", shown, re.MULTILINE)
    assert len(quoted) >= 5
    assert [line for line in quoted if line not in said] == []


def test_it_is_short():
    assert len(README.splitlines()) < 150
