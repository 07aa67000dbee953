"""Every end of a call: help, usage errors, refusals and failures, for people and with ``--json``."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from refdesk.cli.app import build
from refdesk.cli.commands import shared
from refdesk.policy import model

PROGRAM = [sys.executable, "-m", "refdesk"]


def every_command() -> Iterator[tuple[str, ...]]:
    group = get_command(build())
    assert isinstance(group, TyperGroup)
    yield from below(group, ())


def below(group: TyperGroup, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    yield path
    for name, command in group.commands.items():
        if isinstance(command, TyperGroup):
            yield from below(command, (*path, name))
        else:
            yield (*path, name)


@pytest.mark.parametrize("path", list(every_command()), ids=" ".join)
def test_every_help_ends_with_an_example_of_itself(run, path):
    result = run(*path, "--help")
    assert result.code == 0
    *_, heading, example = (line.strip() for line in result.out.strip().splitlines())
    assert heading == "Example:"
    assert example.startswith("refdesk ")
    assert all(name in example.split() for name in path)


@pytest.mark.parametrize("path", list(every_command()), ids=" ".join)
def test_every_command_takes_the_global_options(run, path):
    text = run(*path, "--help").out
    assert all(option in text for option in ("--home DIR", "--json", "--project SLUG"))


def test_no_command_shows_the_help(run):
    result = run()
    assert result.code == 0
    assert "Commands:" in result.out


WRONG = [
    ("nosuch",),
    ("search",),
    ("search", "words"),
    ("search", "words", "--base", "B", "--nosuch"),
    ("search", "words", "--base", "B", "--mode", "guess"),
    ("search", "words", "--base", "B", "--top-k", "many"),
    ("search", "words", "more", "--base", "B"),
    ("search", "words", "--base"),
    ("models",),
    ("models", "nosuch"),
    ("delete",),
    ("delete", "doc_1", "--base", "B"),
    ("--nosuch",),
    ("--home",),
    ("read", "x.md", "--policy", "nosuch"),
    ("limits", "--policy", "nosuch"),
    ("read", "/"),
    ("add", "x.md", "--base", "B", "--metadata", "no equals sign"),
]


@pytest.mark.parametrize("arguments", WRONG, ids=" ".join)
def test_wrong_usage_is_one_sentence_and_exit_2(run, arguments):
    result = run(*arguments)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("refdesk: ")
    assert result.err.count("\n") == 1


@pytest.mark.parametrize("arguments", WRONG, ids=" ".join)
@pytest.mark.parametrize("first", [True, False], ids=["before", "after"])
def test_wrong_usage_is_one_json_document(run, arguments, first):
    result = run("--json", *arguments) if first else run(*arguments, "--json")
    if arguments[-1] in ("--base", "--home") and not first:
        assert result.code in (2, 4)  # there the flag is read as the option's value
        return
    assert result.code == 2
    assert result.error["message"].endswith(".")


def test_a_call_of_json_alone_is_wrong_usage(run):
    result = run("--json")
    assert (result.code, result.error["code"]) == (2, "usage")


def test_a_mistyped_command_is_told_the_right_one(run):
    assert "'search'" in run("serch").err


def test_words_that_begin_with_a_dash_are_told_where_they_go(run):
    assert "go last, behind --" in run("search", "-5 degrees", "--base", "B").err


def test_help_with_json_is_one_document_too(run):
    assert "Usage: refdesk search" in run("search", "--help", "--json").document["text"]
    assert run("--version", "--json").document["text"].startswith("refdesk 0.")


def test_json_behind_two_dashes_is_a_word(run):
    result = run("read", "--", "--json")
    assert (result.code, result.out) == (4, "")


@pytest.mark.parametrize("before", [True, False])
def test_home_and_project_stand_on_both_sides(run, tmp_path, before):
    options = ("--home", tmp_path / "elsewhere", "--project", "other", "--json")
    result = run(*options, "bases") if before else run("bases", *options)
    assert (result.code, result.document) == (0, {"items": []})
    assert (tmp_path / "elsewhere").is_dir()
    assert not (tmp_path / "home").exists()


def test_an_option_after_the_command_wins(run, tmp_path):
    run("--home", tmp_path / "before", "bases", "--home", tmp_path / "after")
    assert (tmp_path / "after").is_dir()
    assert not (tmp_path / "before").exists()


def test_another_policy_on_an_existing_project_is_wrong_usage(run):
    assert run("bases", "--policy", "voice").code == 0
    assert run("bases", "--policy", "voice").code == 0
    result = run("bases", "--policy", "packs", "--json")
    assert (result.code, result.error["code"]) == (2, "policy_fixed")


def test_a_home_that_cannot_be_used_is_one_sentence_and_wrong_usage(run, tmp_path):
    (tmp_path / "file").write_text("no folder")
    arguments = ("bases", "--home", tmp_path / "file")
    spoken, written = run(*arguments), run(*arguments, "--json")
    assert (spoken.code, spoken.out, spoken.err.count("\n")) == (2, "", 1)
    assert (written.code, written.err) == (2, "")
    assert written.error["message"] in spoken.err


def test_the_words_for_modes_are_the_policy_s():
    assert get_args(shared.ModeName) == get_args(model.Mode)
    assert get_args(shared.GroundingName) == get_args(model.Grounding)


def test_help_imports_nothing_heavy():
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "refdesk", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    imported = {line.rpartition("|")[2].strip().split(".")[0] for line in done.stderr.splitlines()}
    assert not imported & {"sqlalchemy", "numpy", "pydantic", "rich", "PIL", "onnxruntime", "alembic"}


def test_the_installed_program_is_this_one():
    done = subprocess.run(
        [Path(sys.executable).with_name("refdesk"), "--version"], capture_output=True, check=True
    )
    assert done.stdout.startswith(b"refdesk 0.")


def test_a_reader_that_leaves_early_is_no_failure(tmp_path):
    environment = {**os.environ, "REFDESK_HOME": str(tmp_path)}
    with subprocess.Popen(
        [*PROGRAM, "limits"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert (process.wait(), process.stderr.read()) == (0, b"")
