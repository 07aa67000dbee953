"""``sync``: a base made equal a folder, from the command line."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

COUNTS = ("added", "replaced", "renamed", "deleted", "unchanged")
KILLED = """
import os, signal, sys
from refdesk.catalog.documents import Documents
from refdesk.cli import main

owner, step, number = Documents, sys.argv[1], int(sys.argv[2])
real, seen = getattr(owner, step), []

def deadly(*args, **kwargs):
    seen.append(1)
    if len(seen) == number:
        os.kill(os.getpid(), signal.SIGKILL)
    return real(*args, **kwargs)

setattr(owner, step, deadly)
main(sys.argv[3:])
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "policies"
    (root / "eu").mkdir(parents=True)
    for name in ("returns.md", "warranty.md", "eu/returns.md", "eu/hours.md"):
        (root / name).write_text(f"# About {name}\n\nThe rules of {name}.\n")
    (root / ".hidden.md").write_text("# Hidden\n")
    return root


def names(run, base="Handbook") -> list[str]:
    return sorted(item["name"] for item in run("documents", "--base", base, "--json").document["items"])


def counts(run, *arguments) -> tuple[int, ...]:
    result = run("sync", *arguments, "--base", "Handbook", "--json")
    assert result.code == 0, result.out
    assert tuple(result.document) == COUNTS
    return tuple(result.document.values())


@pytest.mark.req("D3")
def test_a_base_is_made_and_then_follows_its_folder(run, folder):
    assert counts(run, folder) == (4, 0, 0, 0, 0)
    assert names(run) == ["eu/hours.md", "eu/returns.md", "returns.md", "warranty.md"]
    assert counts(run, folder) == (0, 0, 0, 0, 4)
    (folder / "returns.md").rename(folder / "refunds.md")
    (folder / "warranty.md").write_text("# Warranty\n\nFive years now.\n")
    (folder / "eu" / "hours.md").unlink()
    (folder / "new.md").write_text("# New\n\nOf today.\n")
    before = {
        item["name"]: item["id"]
        for item in run("documents", "--base", "Handbook", "--json").document["items"]
    }
    assert counts(run, folder, "--dry-run") == (1, 1, 1, 1, 1)
    assert names(run) == sorted(before)
    assert counts(run, folder) == (1, 1, 1, 1, 1)
    items = run("documents", "--base", "Handbook", "--json").document["items"]
    after = {item["name"]: (item["id"], item["version"]) for item in items}
    assert sorted(after) == ["eu/returns.md", "new.md", "refunds.md", "warranty.md"]
    assert after["refunds.md"] == (before["returns.md"], 1)
    assert after["warranty.md"] == (before["warranty.md"], 2)


@pytest.mark.req("D3")
def test_a_dry_run_makes_no_base(run, folder):
    assert counts(run, folder, "--dry-run") == (4, 0, 0, 0, 0)
    assert run("bases", "--json").document == {"items": []}


@pytest.mark.req("D3", "D5")
def test_a_refused_file_leaves_what_the_base_has(run, folder):
    counts(run, folder, "--wait")
    (folder / "returns.md").write_text("  \n")
    (folder / "prices.xlsx").write_bytes(b"PK")
    result = run("sync", folder, "--base", "Handbook", "--json")
    assert result.code == 3
    assert [result.document[word] for word in COUNTS] == [0, 0, 0, 0, 3]
    refused = {document["name"]: document for document in result.document["refused"]}
    assert {name: one["code"] for name, one in refused.items()} == {
        "prices.xlsx": "unsupported_type", "returns.md": "no_text",
    }  # fmt: skip
    assert refused["returns.md"]["error"].endswith(" The base keeps version 1 of returns.md.")
    hits = run("search", "rules of returns.md", "--base", "Handbook", "--json").document["hits"]
    assert "returns.md" in [hit["name"] for hit in hits]
    said = run("sync", folder, "--base", "Handbook")
    assert said.code == 3
    assert "2 refused" in said.out


@pytest.mark.req("D3")
@pytest.mark.parametrize("left", ["missing", "empty", "file", "of another kind"])
def test_what_leaves_nothing_deletes_nothing(run, folder, left):
    counts(run, folder)
    before = names(run)
    shutil.rmtree(folder)
    if left == "file":
        folder.write_text("a file")
    elif left != "missing":
        folder.mkdir()
    if left == "of another kind":
        (folder / "prices.xlsx").write_bytes(b"PK")
    refused = run("sync", folder, "--base", "Handbook", "--json")
    assert (refused.code, refused.error["code"]) == (2, "usage")
    assert str(folder) in refused.error["message"]
    assert names(run) == before
    if left == "empty":
        assert counts(run, folder, "--delete-all") == (0, 0, 0, 4, 0)
        assert names(run) == []
        assert counts(run, folder) == (0, 0, 0, 0, 0)


def test_a_folder_that_is_not_there_makes_no_base(run, tmp_path):
    assert run("sync", tmp_path / "gone", "--base", "B").code == 2
    assert run("bases", "--json").document == {"items": []}
    assert run("sync", tmp_path, "--base", "kb_01JE3Y0ZD5V7K8Q2M4N6P8R0ST").code == 4


def test_what_changes_is_said(run, folder):
    counts(run, folder, "--wait")
    (folder / "returns.md").rename(folder / "refunds.md")
    (folder / "warranty.md").unlink()
    (folder / "new.md").write_text("# New\n\nOf today.\n")
    lines = run("sync", folder, "--base", "Handbook", "--dry-run").out.splitlines()
    assert lines == [
        "renamed   returns.md → refunds.md",
        "deleted   warranty.md",
        "added     new.md",
        "Left out: 1 hidden entry.",
        "Handbook: 1 added, 1 renamed, 1 deleted, 2 unchanged if it were run.",
    ]
    assert "work --once" in run("sync", folder, "--base", "Handbook").out


@pytest.mark.req("D3", "D7")
@pytest.mark.parametrize(
    ("step", "number"),
    [("edit", 1), ("edit", 2), ("delete", 1), ("insert", 1), ("insert", 2), ("replace", 1)],
)
def test_what_a_kill_cut_the_next_call_does(run, folder, step, number):
    counts(run, folder)
    for name in ("returns.md", "eu/returns.md"):
        (folder / name).rename(folder / f"{name}.new.md")
    (folder / "eu" / "hours.md").unlink()
    (folder / "warranty.md").write_text("# Warranty\n\nFive years now.\n")
    for name in ("one.md", "two.md"):
        (folder / name).write_text(f"# {name}\n\nNew.\n")
    arguments = ["sync", str(folder), "--base", "Handbook"]
    command = [sys.executable, "-c", KILLED, step, str(number), *arguments]
    killed = subprocess.run(command, env=os.environ, capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL
    run(*arguments, "--wait")
    items = run("documents", "--base", "Handbook", "--json").document["items"]
    assert sorted(item["name"] for item in items) == [
        "eu/returns.md.new.md", "one.md", "returns.md.new.md", "two.md", "warranty.md",
    ]  # fmt: skip
    assert {item["name"]: item["version"] for item in items}["warranty.md"] == 2
    assert {item["state"] for item in items} == {"ready"}
    assert counts(run, folder) == (0, 0, 0, 0, 5)
