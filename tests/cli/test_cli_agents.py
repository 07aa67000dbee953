"""``refdesk agents``, and a key that is bound to one."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from refdesk.answer.delivery import AgentKind
from refdesk.cli.commands import agents


@pytest.fixture
def handbook(run, tmp_path: Path) -> str:
    file = tmp_path / "hours.md"
    file.write_text("# Hours\n\nOn Saturday we open at nine.\n")
    run("projects", "create", "calls", "--policy", "voice")
    run("add", file, "--base", "Handbook", "--project", "calls", "--wait")
    [base] = run("bases", "--project", "calls", "--json").document["items"]
    return str(base["id"])


def test_the_kinds_are_the_facades() -> None:
    assert get_args(agents.KindName) == get_args(AgentKind)


@pytest.mark.req("KB2", "RUN1")
def test_an_agent_is_made_changed_and_deleted(run, handbook):
    here = ("--project", "calls", "--json")
    made = run("agents", "create", "Reception", "--prompt", "Be brief.", "--base", "handbook", *here).document
    assert made == {
        "id": made["id"],
        "name": "Reception",
        "prompt": "Be brief.",
        "model": None,
        "kind": "text",
        "grounding": "preferred",
        "version": 1,
        "knowledge_base_ids": [handbook],
        "knowledge_mode": "inline",
    }
    assert run("agents", "show", "RECEPTION", *here).document == made
    listed = {"items": [{**made, "knowledge_mode": None}]}
    for again in (("agents",), ("agents", "list"), ("--json", "--project", "calls", "agents")):
        assert run(*again, *here).document == listed
    changed = run("agents", "update", made["id"], "--no-base", "--kind", "realtime", *here).document
    assert changed == {
        **made, "version": 2, "kind": "realtime", "knowledge_base_ids": [], "knowledge_mode": "none",
    }  # fmt: skip
    renamed = run("agents", "update", "Reception", "--name", "Desk", "--base", "Handbook", *here).document
    assert (renamed["name"], renamed["version"], renamed["knowledge_base_ids"]) == ("Desk", 3, [handbook])
    assert run("agents", "delete", "Desk", *here).document == {"deleted": made["id"]}
    assert run("agents", *here).document == {"items": []}
    gone = run("agents", "show", made["id"], *here)
    assert (gone.code, gone.error["code"]) == (4, "not_found")


@pytest.mark.req("KB3")
def test_a_person_sees_how_it_reads_and_what_each_version_knew(run, handbook):
    run("agents", "create", "Reception", "--base", "Handbook", "--project", "calls")
    run("delete", "--base", "Handbook", "--project", "calls")
    shown = run("agents", "show", "Reception", "--project", "calls").out
    assert "It knows nothing" in shown
    assert shown.count("Handbook") == 1
    assert [line.split()[0] for line in shown.splitlines()[-2:]] == ["1", "2"]
    assert "Reception" in run("agents", "--project", "calls").out
    assert "agents create NAME" in run("agents", "--project", "other").out


@pytest.mark.parametrize(
    ("arguments", "exit_code", "code"),
    [
        (("create", "RECEPTION"), 2, "name_taken"),
        (("create", "Second", "--base", "Absent"), 4, "not_found"),
        (("create", "Second", "--model", "gpt-5"), 2, "bad_value"),
        (("update", "Reception", "--base", "Handbook", "--no-base"), 2, "usage"),
        (("update", "Absent", "--prompt", "x"), 4, "not_found"),
        (("update", "Reception", "--kind", "video"), 2, "usage"),
        (("delete", "Absent"), 4, "not_found"),
        (("nosuch",), 2, "usage"),
    ],
)
def test_what_makes_no_sense_is_refused(run, handbook, arguments, exit_code, code):
    run("agents", "create", "Reception", "--project", "calls")
    refused = run("agents", *arguments, "--project", "calls", "--json")
    assert (refused.code, refused.error["code"]) == (exit_code, code)
    [item] = run("agents", "--project", "calls", "--json").document["items"]
    assert (item["name"], item["version"]) == ("Reception", 1)


@pytest.mark.req("KB2")
def test_a_fourth_base_is_refused_with_the_limit(run, handbook, tmp_path):
    names = ["Handbook"]
    for number in range(3):
        names.append(f"Base {number}")
        run("add", tmp_path / "hours.md", "--base", names[-1], "--project", "calls")
    bases = [word for name in names for word in ("--base", name)]
    refused = run("agents", "create", "Reception", *bases, "--project", "calls", "--json")
    assert (refused.code, refused.error["code"]) == (3, "too_many_grants")
    assert (refused.error["limit"], refused.error["actual"]) == (3, 4)
