"""A module of this folder in a process and an environment of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from speed.contenders import CONTENDERS
from speed.given import Given

LAUNCH = """
import runpy, sys
sys.path.append(sys.argv.pop(1))
runpy.run_module(sys.argv.pop(1), run_name="__main__")
"""
"""Runs a module of ``benchmarks``, which stands behind all libraries: no file there hides one of theirs."""
QUIET = {
    "LANCEDB_LOG": "error",
    "PYTHONWARNINGS": "ignore",
    "ANONYMIZED_TELEMETRY": "False",
    "HF_HUB_OFFLINE": "1",
}


def run(name: str, task: str, given: Given, store: Path) -> dict[str, Any]:
    """What the worker prints of a task of an engine."""
    contender = CONTENDERS[name]
    print(f"{contender.label}: {task}", file=sys.stderr)
    return printed(contender.environment.python, *worker(name, task, given, store))


def worker(name: str, task: str, given: Given, store: Path) -> list[str]:
    return ["speed.worker", name, task, str(given.folder), str(store)]


def printed(python: Path, *module: str) -> dict[str, Any]:
    """The JSON object in the last line of what it prints."""
    done = subprocess.run(
        command(python, *module),
        env={**os.environ, **QUIET}, check=True, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    return dict(json.loads(done.stdout.splitlines()[-1]))


def command(python: Path, *module: str) -> list[str]:
    return [str(python), "-P", "-c", LAUNCH, str(Path(__file__).parents[1]), *module]


def importable(name: str) -> bool:
    """Whether an engine's environment is there and has what its module imports."""
    python = CONTENDERS[name].environment.python
    engine = command(python, f"speed.engines.{name}")
    return python.exists() and subprocess.run(engine, check=False, capture_output=True).returncode == 0
