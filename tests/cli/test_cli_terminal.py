"""On a terminal: bars on stderr, colour, lines that fit. Elsewhere none of it."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

COLOUR = re.compile(r"\x1b\[[0-9;]*3[0-9]")


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Runs ``refdesk`` with one of its outputs on a terminal 60 wide; gives (that output, the other one)."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "CI", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    environment = {
        **os.environ,
        "REFDESK_HOME": str(tmp_path / "home"),
        "REFDESK_CACHE": str(tmp_path / "cache"),
        "TERM": "xterm-256color",
    }

    def run(*arguments: str | Path, terminal: str, **more: str) -> tuple[str, str]:
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
        other = "stdout" if terminal == "stderr" else "stderr"
        streams = {terminal: theirs, other: subprocess.PIPE}
        with subprocess.Popen(
            [sys.executable, "-m", "refdesk", *map(str, arguments)],
            stdin=subprocess.DEVNULL,
            env={**environment, **more},
            **streams,
        ) as process:
            os.close(theirs)
            seen = _all(ours)
            piped = process.stdout if other == "stdout" else process.stderr
            assert piped is not None
            return seen, piped.read().decode()

    return run


def _all(descriptor: int) -> str:
    """A terminal's end reads as an error once the program has closed its side."""
    parts = []
    while True:
        try:
            part = os.read(descriptor, 65_536)
        except OSError:
            break
        if not part:
            break
        parts.append(part)
    os.close(descriptor)
    return b"".join(parts).decode()


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "documents").mkdir()
    for name in ("one", "two"):
        text = (
            f"# {name.title()}\n\nThe {name} gate opens at nine every day, in summer and in winter alike.\n"
        )
        (tmp_path / "documents" / f"{name}.md").write_text(text)
    return tmp_path / "documents"


def test_long_work_has_bars_on_stderr_and_stdout_stays_one_document(program, folder):
    seen, out = program("add", folder, "--base", "B", "--wait", "--json", terminal="stderr")
    assert "Reading" in seen
    assert "2/2" in seen
    assert len(json.loads(out)["documents"]) == 2


def test_without_a_terminal_there_are_no_bars(program, folder):
    _, err = program("add", folder, "--base", "B", "--wait", terminal="stdout")
    assert err == ""


def test_a_terminal_gets_colour_and_lines_that_fit(program, folder):
    program("add", folder, "--base", "B", "--wait", terminal="stdout")
    seen, _ = program("search", "gate", "--base", "B", terminal="stdout")
    assert COLOUR.search(seen)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", seen)
    assert max(len(line) for line in plain.splitlines()) <= 60


def test_ids_stay_whole_and_headings_hang_in_a_narrow_terminal(program, folder):
    _, out = program(
        "add", folder, "--base", "A base with a long name", "--wait", "--json", terminal="stderr"
    )
    ids = [document["id"] for document in json.loads(out)["documents"]]
    seen, _ = program("documents", "--base", "A base with a long name", terminal="stdout")
    assert all(one in seen for one in ids)
    assert "documents.max_bytes.markdown" in program("limits", terminal="stdout")[0]
    seen, _ = program("search", "gate", "--base", "A base with a long name", terminal="stdout")
    plain = re.sub(r"\x1b\[[0-9;]*m", "", seen).splitlines()
    first, last = (
        next(number for number, line in enumerate(plain) if mark in line) for mark in (" 1  ", "passages by")
    )
    hits = plain[first:last]
    assert all(line.startswith(("    ", " 1  ", " 2  ")) for line in hits if line.strip())


def test_no_color_is_respected(program, folder):
    program("add", folder, "--base", "B", "--wait", terminal="stdout")
    seen, _ = program("search", "gate", "--base", "B", terminal="stdout", NO_COLOR="1")
    assert "gate" in seen
    assert not COLOUR.search(seen)
