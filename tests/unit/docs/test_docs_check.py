"""The documentation check itself: each thing that it is for makes it speak."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path
from types import ModuleType

import pytest

from refdesk.errors import CODES, Code
from refdesk.settings import Settings

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def docs() -> ModuleType:
    spec = importlib.util.spec_from_file_location("refdesk_docs", ROOT / "scripts" / "docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The documentation and what it is held against, free to be broken."""
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    for name in ("README.md", "CHANGELOG.md", "pyproject.toml", "requirements/dev.lock", "LICENSE"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_the_documentation_is_complete(docs):
    assert docs.drifted() == []
    assert docs.undocumented_dependencies() == []
    assert docs.undeclared_imports() == []


def test_no_link_is_dead(docs):
    assert docs.dead_links() == []


def test_a_new_error_code_is_missed(docs, monkeypatch):
    monkeypatch.setitem(CODES, "brand_new", Code(500, "Nobody has written about it."))
    assert docs.drifted() == ["docs/errors.md: a table is out of date; run scripts/docs.py"]


def test_a_new_setting_is_missed(docs, monkeypatch):
    table = Settings.__dataclass_fields__
    monkeypatch.setattr(Settings, "__dataclass_fields__", {**table, "brand_new": table["home"]})
    assert docs.drifted() == ["docs/settings.md: a table is out of date; run scripts/docs.py"]


def test_a_table_that_stands_nowhere_is_missed(docs, copy):
    (copy / "docs" / "cli.md").write_text("# The command line\n")
    assert "no page has the table 'commands'" in docs.drifted(copy)


@pytest.mark.parametrize(
    ("link", "dead"),
    [
        ("[a](docs/errors.md)", False),
        ("[a](docs/errors.md#codes)", False),
        ("[a](#refdesk-here)", False),
        ("[a](https://example.org/gone)", False),
        ("[a](docs/gone.md)", True),
        ("[a](docs/errors.md#gone)", True),
        ("[a](#gone)", True),
    ],
)
def test_a_link_that_leads_nowhere_is_named(docs, copy, link, dead):
    (copy / "README.md").write_text(f"# Refdesk, here\n\n{link}\n")
    assert bool([line for line in docs.dead_links(copy) if "README" in line]) is dead


def test_a_dependency_without_a_row_is_named(docs, copy):
    page = copy / "docs" / "dependencies.md"
    page.write_text(page.read_text().replace("| obstore | 0.12.1 |", "| obstore | 0.11 |"))
    assert docs.undocumented_dependencies(copy) == ["docs/dependencies.md has no row for obstore 0.12.1"]


def test_an_import_that_nothing_declares_is_named(docs, copy):
    (copy / "src").mkdir()
    (copy / "src" / "new.py").write_text(
        "import json\n\nimport numpy.linalg\nfrom openai import OpenAI\n\nfrom refdesk import Desk\n\n\n"
        "def late():\n    import pytest, httpx\n    from PIL import Image\n"
    )
    assert docs.undeclared_imports(copy) == ["src imports httpx, which pyproject.toml does not name"]
