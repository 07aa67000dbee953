"""``refdesk accounts`` against a real server, and bases that are given an account."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from typing import get_args

import pytest

from refdesk.cli.commands import accounts
from refdesk.embedding import services
from refdesk.testing import FakeProvider

KEY = "sk-test-7f3a9c1e55d04b"


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeProvider]:
    monkeypatch.setenv("REFDESK_ALLOW_PRIVATE_HOSTS", "true")
    monkeypatch.setenv("THE_KEY", KEY)
    with FakeProvider(key=KEY) as made:
        yield made


@pytest.fixture
def add(run, provider):
    def adding(name="Embeddings", *more):
        secret = () if "--secret-stdin" in more else ("--secret-env", "THE_KEY")
        server = ("--provider", "openai-compatible", "--model", "words", "--base-url", provider.url + "/v1")
        return run("accounts", "add", name, *server, *secret, *more, "--json")

    return adding


def test_the_providers_are_those_that_there_are():
    assert get_args(accounts.ProviderName) == get_args(services.Provider)


def test_an_account_is_added_verified_listed_and_removed(run, add):
    added = add()
    assert added.code == 0
    assert (added.document["state"], added.document["dimensions"]) == ("verified", 64)
    assert KEY not in added.out + added.err
    listed = run("accounts", "list", "--json").document["items"]
    assert added.document in listed
    assert "secret" not in listed[-1]
    assert "Embeddings" in run("accounts", "list").out
    assert "verified" in run("accounts", "verify", "embeddings").out
    assert run("accounts", "remove", "Embeddings", "--json").document == {"deleted": added.document["id"]}
    assert run("accounts", "verify", "Embeddings", "--json").code == 4


def test_a_key_that_is_refused_is_told_in_the_providers_sentence(run, add, monkeypatch):
    monkeypatch.setenv("THE_KEY", "sk-wrong-00000000000")
    refused = add()
    assert refused.code == 1
    assert refused.document["state"] == "failed"
    assert "refuses the key (401)" in refused.document["error"]
    shown = run("accounts", "verify", "Embeddings")
    assert shown.code == 1
    assert "refuses the key (401)" in shown.out


def test_a_secret_comes_from_stdin_or_a_variable_and_never_as_an_argument(run, add, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO(KEY + "\n"))
    assert add("By stdin", "--secret-stdin").document["state"] == "verified"
    both = run(
        "accounts", "add", "Both", "--provider", "openai", "--secret-env", "X", "--secret-stdin", "--json"
    )
    assert (both.code, both.error["code"]) == (2, "usage")
    unset = run(
        "accounts", "add", "None", "--provider", "openai", "--secret-env", "NO_SUCH_VARIABLE", "--json"
    )
    assert "NO_SUCH_VARIABLE is not set" in unset.error["message"]
    assert run("accounts", "add", "Argument", "--provider", "openai", "--secret", KEY, "--json").code == 2


def test_a_private_address_names_the_setting_that_allows_it(run, add, monkeypatch):
    monkeypatch.setenv("REFDESK_ALLOW_PRIVATE_HOSTS", "false")
    refused = add()
    assert (refused.code, refused.error["code"]) == (3, "host_not_allowed")
    assert "REFDESK_ALLOW_PRIVATE_HOSTS=true" in refused.error["message"]


@pytest.mark.req("ING6")
def test_a_base_is_made_with_an_account_and_given_another(run, add, tmp_path):
    account = add().document["id"]
    (tmp_path / "hours.md").write_text("# Hours\n\nWe open at nine on Saturday.\n")
    made = run(
        "add", tmp_path / "hours.md", "--base", "Handbook", "--account", "Embeddings", "--wait", "--json"
    )
    assert [document["state"] for document in made.document["documents"]] == ["ready"]
    [base] = run("bases", "--json").document["items"]
    assert base["embedding_account_id"] == account
    search = ("search", "opens on Saturday", "--base", "Handbook", "--json")
    assert run(*search).document["answered_by"] == "hybrid"
    assert run("accounts", "remove", account, "--json").error["code"] == "account_in_use"
    again = run("add", tmp_path / "hours.md", "--base", "Handbook", "--account", "none", "--json")
    assert (again.code, again.error["code"]) == (2, "usage")
    assert run("reindex", "--base", "Handbook", "--account", "none", "--json").document == {"queued": 1}
    assert run("work", "--once", "--json").document == {"documents": 1}
    assert run(*search).document["answered_by"] == "keyword"
    assert run("accounts", "remove", account, "--json").code == 0
    unknown = run("reindex", "--base", "Handbook", "--account", account, "--json")
    assert (unknown.code, unknown.error["code"]) == (4, "not_found")
