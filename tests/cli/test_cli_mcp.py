"""``refdesk mcp`` before it serves; tests/web/test_mcp.py talks to it."""

from __future__ import annotations

import pytest
from tests.cli.conftest import Run


@pytest.mark.parametrize("arguments", [[], ["--agent", "Reception", "--base", "Handbook"]])
def test_it_is_told_what_to_search(run: Run, arguments: list[str]) -> None:
    ended = run("mcp", *arguments)
    assert ended.code == 2
    assert "--agent NAME, or --base NAME" in ended.err


@pytest.mark.parametrize(("option", "name"), [("--agent", "Nobody"), ("--base", "Nothing")])
def test_a_wrong_name_is_told_before_anything_is_served(run: Run, option: str, name: str) -> None:
    ended = run("mcp", option, name, "--json")
    assert (ended.code, ended.error["code"]) == (4, "not_found")
    assert name in ended.error["message"]
