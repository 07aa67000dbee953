"""The package compiler at the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from refdesk.cli import main


@pytest.mark.req("CMP1")
def test_init_writes_a_package_and_check_finds_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "shop"
    assert main(["init", str(folder), "--json"]) == 0
    written = json.loads(capsys.readouterr().out)
    assert {"agent.yaml", "tools/look_up.yaml"} < set(written["files"])
    assert main(["check", str(folder), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"errors": [], "warnings": []}
    assert main(["init", str(folder)]) == 2
    assert "exists already" in capsys.readouterr().err


@pytest.mark.req("CMP2", "CMP3")
def test_check_points_at_each_place_and_ends_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["init", str(tmp_path)])
    file = tmp_path / "agent.yaml"
    file.write_text(file.read_text().replace("mode: keyword", "mode: keyword\n    top_k: 21"))
    capsys.readouterr()
    assert main(["check", str(tmp_path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{file}:16:12: error: `top_k` is `21`")
    assert lines[1:3] == ["    top_k: 21", "           ^"]
    assert lines[-1] == "1 error, no warnings."
    file.write_text(file.read_text().replace("top_k: 21", "top_k: 20"))
    assert main(["check", str(tmp_path), "--json"]) == 0
    [warning] = json.loads(capsys.readouterr().out)["warnings"]
    assert (warning["file"], warning["line"], warning["code"]) == ("agent.yaml", 16, "reads_much")
    assert main(["check", str(tmp_path / "nothing")]) == 4
