"""``refdesk ask --model``: a provider's model answers without a server."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Run

from refdesk.testing import FakeProvider, ToolUse

KEY = "sk-a-key-of-the-test-0123456789"
QUESTION = "when will a refund arrive?"


@pytest.fixture
def asked(run: Run, tmp_path: Path) -> Run:
    """``ask QUESTION --base Returns`` with what is given besides."""
    notes = tmp_path / "returns.md"
    notes.write_text("# Returns\n\nA refund arrives within five to seven working days.\n")
    assert run("add", notes, "--base", "Returns", "--wait").code == 0
    return lambda *more: run("ask", QUESTION, "--base", "Returns", *more)


@pytest.mark.req("RUN1")
def test_a_model_answers_from_the_command_line(asked: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeProvider(key=KEY) as provider:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", provider.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        provider.otherwise = "Within five to seven working days [1]."
        told = asked("--model", "anthropic:claude-haiku-4-5", "--json")
        run = told.document
        assert (told.code, run["outcome"], run["model"]) == (0, "answered", "anthropic:claude-haiku-4-5")
        assert [one["number"] for one in run["citations"]] == [1]
        shown = asked("--model", "anthropic:claude-haiku-4-5")
        assert shown.out.startswith("Within five to seven working days [1].")
        provider.mode, provider.echo = "500", KEY
        failed = asked("--model", "anthropic:claude-haiku-4-5", "--json")
        assert (failed.code, failed.error["code"]) == (1, "model_unavailable")
        assert "failed (500)" in failed.error["message"]
        assert KEY not in failed.out + failed.err


@pytest.mark.req("RUN3")
def test_a_receipt_shows_what_a_model_did(
    asked: Run, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with FakeProvider() as own:
        model = ("--model", f"openai:llama3@{own.url}/v1")
        own.says = ["In some days.", "In five to seven working days [1]."]
        again = asked(*model, "--grounding", "required", "--json").document
        shown = run("show", again["run"]).out
        assert "Not accepted: In some days." in shown
        assert "cost unknown" in shown
        assert " tokens" in shown
        own.mode = "401"
        assert asked(*model).code == 1
        notes = tmp_path / "returns.md"
        bases = ("--project", "wiki", "--policy", "bases")
        assert run("add", notes, "--base", "Returns", "--wait", *bases).code == 0
        own.mode = "answer"
        own.says = [[ToolUse("knowledge_search", {"query": "a refund"})], "In five to seven days [1]."]
        found = run("ask", QUESTION, "--base", "Returns", *model, *bases, "--json").document
        assert "Looked up “a refund”: [1]" in run("show", found["run"], *bases).out


@pytest.mark.req("RUN1")
def test_a_server_of_ones_own_answers_by_its_address(asked: Run) -> None:
    with FakeProvider() as own:
        name = f"ollama:llama3.2@{own.url}/v1"
        run = asked("--model", name, "--json").document
    assert (run["model"], run["cost"], run["answer"]) == (name, None, "It is a test [1].")
    assert [chat.model for chat in own.chats] == ["llama3.2"]


def test_a_model_that_cannot_be_asked_says_what_to_do(asked: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    without = asked("--model", "openai:gpt-4o", "--json")
    assert (without.code, without.error["code"]) == (1, "model_unavailable")
    assert "OPENAI_API_KEY" in without.error["message"]
    assert asked("--model", "nobody:nothing").code == 2
