"""A process that only searches loads what a search needs: memory and start are told by what it imports."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from refdesk import Desk
from refdesk.settings import Settings
from refdesk.testing import WordEmbedder

NEEDLESS = (
    "alembic",
    "asyncio",
    "cryptography",
    "html",
    "httpx2",
    "obstore",
    "onnxruntime",
    "pydantic",
    "pydantic_settings",
    "sqlalchemy",
    "typing_extensions",
    "urllib.request",
    "refdesk.answer",
    "refdesk.catalog.documents",
    "refdesk.catalog.schema",
    "refdesk.desk.bases",
    "refdesk.desk.documents",
    "refdesk.index.local.bake",
    "refdesk.ingest.accept",
    "refdesk.outgoing",
    "refdesk.package",
    "refdesk.reading",
)
OF_TYPER = "['pydantic', 'typing_extensions']"
LOADED = f"print([name for name in {NEEDLESS} if name in sys.modules])"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("searched")
    (folder / "hours.md").write_text("# Hours\n\nWe open at nine on Saturday.\n")
    settings = Settings(cache=folder / "cache")
    with Desk.open(folder / "desk", settings=settings, embedders={"local": WordEmbedder()}) as desk:
        desk.bases.create("Handbook").add(folder / "hours.md", wait=True)
    return folder / "desk"


def said(code: str) -> list[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("REFDESK_")}
    command = [sys.executable, "-c", f"import sys\n{code}\n{LOADED}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return done.stdout.splitlines()


def test_a_desk_that_searches_by_keyword(home: Path) -> None:
    code = (
        f"from refdesk import Desk\nwith Desk.open({str(home)!r}) as desk:\n"
        "    print(len(desk.search('opening on Saturday', ['Handbook'], mode='keyword').hits))"
    )
    assert said(code) == ["1", "[]"]


def test_the_command_line_that_searches_by_keyword(home: Path) -> None:
    code = (
        "from refdesk.cli import main\n"
        f"code = main(['--home', {str(home)!r}, 'search', 'opening on Saturday', '--base', 'Handbook',\n"
        "    '--mode', 'keyword', '--json'])\nprint(code)"
    )
    assert said(code)[-2:] == ["0", OF_TYPER]


def test_the_command_line_that_helps() -> None:
    found = said(
        "from refdesk.cli import main\ncode = main(['search', '--help'])\nprint(code, 'numpy' in sys.modules)"
    )
    assert found[-2:] == ["0 False", OF_TYPER]
