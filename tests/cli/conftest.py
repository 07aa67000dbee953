"""The program as people run it, in this process: arguments in; exit code, stdout and stderr out."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from refdesk.cli import main


@dataclass(frozen=True, slots=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document; anything beside it on stdout fails here."""
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, Any]:
        document = self.document
        assert set(document) == {"error"}
        assert set(document["error"]) == {"code", "message", "limit", "actual"}
        return dict(document["error"])


Run = Callable[..., Result]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Calls ``refdesk`` with a home and a cache of this test's own: no weights, so keyword answers."""
    monkeypatch.setenv("REFDESK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("REFDESK_CACHE", str(tmp_path / "cache"))

    def call(*arguments: str | Path) -> Result:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        return Result(code, *capsys.readouterr())

    return call
