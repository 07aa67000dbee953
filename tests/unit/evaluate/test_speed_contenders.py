"""benchmarks/search.py: what is compared by choice changes no ratio, and what is not installed is said."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"


@pytest.fixture
def speed(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The modules of the benchmark by name, behind all others as the benchmark has them."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(BENCHMARKS)])

    def module(name: str) -> ModuleType:
        return import_module(f"speed.{name}")

    return module


def _found(milliseconds: float) -> dict[str, Any]:
    times = [milliseconds] * 3
    return {"search": {"keyword": {"cpu": times, "wall": times, "mean": milliseconds}}}


def _table(speed: Any, capsys: pytest.CaptureFixture[str], results: dict[str, Any]) -> tuple[list[Any], str]:
    table = speed("table")
    bars = list(table.show(results, list(table.rows(20_000, 1))))
    return bars, capsys.readouterr().out


def _cells(table: str, label: str) -> list[str]:
    line = next(line for line in table.splitlines() if line.startswith(f"| {label} "))
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_an_optional_engine_has_a_column_and_changes_no_bar(
    speed: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    usual = {"refdesk": _found(1.0), "lance": _found(4.0), "sqlite": _found(8.0)}
    bars, plain = _table(speed, capsys, usual)
    also, wider = _table(speed, capsys, usual | {"txtai": _found(0.5), "llamaindex": _found(0.25)})
    assert bars == also == [True, True]
    assert _cells(plain, "keyword, CPU mean")[1:5] == ["1.00", "4.00", "8.00", "0.25"]
    assert _cells(wider, "keyword, CPU mean")[1:7] == ["1.00", "4.00", "8.00", "0.50", "0.25", "0.25"]
    assert _cells(wider, "ms, unless said")[4:6] == ["txtai", "LlamaIndex"]


class _Unchanging:
    def open(self) -> None:
        pass

    def add(self, base: int, document: object) -> None:
        raise NotImplementedError


class _Documents:
    def more(self) -> list[object]:
        return [object(), object()]


def test_an_engine_that_documents_no_changes_has_no_figure_of_them(
    speed: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    changes = speed("worker").change(_Unchanging(), _Documents())
    changed = {"add": {"cpu": [9.0], "wall": [9.0]}, "delete": {"cpu": [3.0], "wall": [3.0]}}
    _, table = _table(speed, capsys, {"refdesk": {"change": changed}, "llamaindex": {"change": changes}})
    assert _cells(table, "delete it, CPU")[1:3] == ["3.00", "–"]


def test_engines_that_are_not_installed_are_named_with_what_installs_them(tmp_path: Path) -> None:
    copy = shutil.copytree(BENCHMARKS, tmp_path / "benchmarks", ignore=shutil.ignore_patterns("uncovered"))
    command = [sys.executable, str(copy / "search.py"), "--skip", "lance", "lance_tuned", "chroma"]
    done = subprocess.run([*command, "--also", "txtai"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "FTS5 + sqlite-vec, the same, rare words: not installed in .venv-bench. Run `make bench`, which "
        "installs them, or run this with --skip sqlite sqlite_rare.",
        "txtai: not installed in .venv-bench-also. Run `make bench-also`, which installs them, or run this "
        "without --also txtai.",
    ]
