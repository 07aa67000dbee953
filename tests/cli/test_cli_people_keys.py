"""``refdesk projects``, ``keys`` and ``people``."""

from __future__ import annotations

import re

import pytest

from refdesk import Desk

SECRET = re.compile(r"rd_[A-Za-z0-9_-]{43}")


@pytest.mark.req("RUN7")
def test_a_project_is_made_with_its_policy_and_nothing_beside_it(run):
    made = run("projects", "create", "calls", "--policy", "voice", "--json").document
    assert set(made) == {"id", "slug", "policy"}
    assert (made["slug"], made["policy"]) == ("calls", "voice")
    items = run("projects", "list", "--json").document["items"]
    assert items == [{**made, "organization": "calls"}]
    assert run("limits", "--project", "calls", "--json").document["policy"] == "voice"


def test_a_project_has_an_organization_of_its_own_unless_one_is_named(run):
    run("projects", "create", "one")
    run("projects", "create", "two", "--organization", "Acme")
    run("projects", "create", "three", "--organization", "acme")
    run("projects", "create", "acme")
    listed = run("projects", "list", "--json").document["items"]
    assert {item["slug"]: item["organization"] for item in listed} == {
        "one": "one",
        "two": "Acme",
        "three": "Acme",
        "acme": "acme-2",
    }


def test_a_project_that_exists_and_an_organization_that_does_not_are_named(run):
    run("projects", "create", "one")
    again = run("projects", "create", "one", "--json")
    assert (again.code, again.error["code"]) == (2, "name_taken")
    nobody = "org_01JE3Y0ZD5V7K8Q2M4N6P8R0ST"
    missing = run("projects", "create", "two", "--organization", nobody, "--json")
    assert (missing.code, missing.error["code"]) == (4, "not_found")
    assert "project one" in again.error["message"]
    assert nobody in missing.error["message"]


@pytest.mark.req("H5")
def test_a_key_is_shown_once_and_then_by_its_beginning(run):
    run("projects", "create", "calls")
    made = run(
        "keys", "create", "--project", "calls", "--scope", "voice:read", "--name", "ci", "--json"
    ).document
    assert set(made) == {"id", "key", "project", "scopes"}
    assert SECRET.fullmatch(made["key"])
    assert (made["project"], made["scopes"]) == ("calls", ["knowledge:read"])
    listed = run("keys", "list", "--project", "calls", "--json")
    [item] = listed.document["items"]
    assert made["key"] not in listed.out
    assert made["key"].startswith(item["prefix"])
    assert (item["name"], item["created_by"], item["expires_at"], item["revoked_at"]) == (
        "ci",
        "local",
        None,
        None,
    )
    assert run("keys", "list", "--json").document == {"items": []}


def test_a_key_has_both_scopes_unless_told_and_expires_when_told(run):
    made = run("keys", "create", "--expires", "30", "--json").document
    assert made["scopes"] == ["knowledge:read", "knowledge:write"]
    [item] = run("keys", "list", "--json").document["items"]
    assert item["expires_at"] > item["created_at"]
    shown = run("keys", "create").out
    assert len(SECRET.findall(shown)) == 1
    assert "refdesk keys revoke key_" in " ".join(shown.split())


def test_a_key_is_bound_to_an_agent_of_the_project(run, tmp_path):
    with Desk.open(tmp_path / "home") as desk:
        agent = desk.agents.create("Front desk")
    made = run("keys", "create", "--agent", "front DESK", "--json").document
    assert set(made) == {"id", "key", "project", "scopes"}
    [item] = run("keys", "list", "--json").document["items"]
    assert (item["id"], item["agent"]) == (made["id"], agent.id)
    missing = run("keys", "create", "--agent", "nobody", "--json")
    assert (missing.code, missing.error["code"]) == (4, "not_found")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--scope", "knowledge:all"), "unknown_scope"),
        (("--expires", "0"), "bad_expiry"),
        (("--expires", "3651"), "bad_expiry"),
        (("--name", " "), "bad_name"),
    ],
)
def test_a_key_that_makes_no_sense_is_refused(run, arguments, code):
    refused = run("keys", "create", *arguments, "--json")
    assert (refused.code, refused.error["code"]) == (2, code)
    assert run("keys", "list", "--json").document == {"items": []}


def test_a_key_is_revoked_by_its_id_in_its_own_project(run):
    made = run("keys", "create", "--json").document
    elsewhere = run("keys", "revoke", made["id"], "--project", "other", "--json")
    assert (elsewhere.code, elsewhere.error["code"]) == (4, "not_found")
    revoked = run("keys", "revoke", made["id"], "--json").document
    assert revoked["id"] == made["id"]
    assert revoked["revoked_at"] is not None
    assert run("keys", "revoke", made["id"], "--json").document == revoked


@pytest.mark.req("H5")
def test_a_key_that_is_given_for_its_id_is_not_repeated(run):
    made = run("keys", "create", "--json").document
    refused = run("keys", "revoke", made["key"])
    assert refused.code == 4
    assert made["key"] not in refused.out + refused.err


@pytest.mark.req("RUN7")
def test_people_are_added_changed_and_disabled(run):
    added = run("people", "add", "Ada@Example.org", "--role", "Member", "--name", "Ada", "--json").document
    assert (added["email"], added["name"], added["roles"]) == ("Ada@Example.org", "Ada", ["Member"])
    changed = run(
        "people", "roles", "ada@example.org", "--role", "Auditor", "--role", "AgentBuilder", "--json"
    )
    assert changed.document == {**added, "roles": ["AgentBuilder", "Auditor"]}
    disabled = run("people", "disable", added["id"], "--json").document
    assert disabled["disabled_at"] is not None
    assert run("people", "list", "--json").document == {"items": [disabled]}


@pytest.mark.req("RUN7")
def test_who_is_signed_in_is_shown_and_signed_out(run, tmp_path):
    added = run("people", "add", "ada@example.org", "--role", "Member", "--json").document
    assert "not signed in" in run("people", "sessions", "ada@example.org").out
    with Desk.open(tmp_path / "home") as desk:
        session = desk.sessions.open(desk.people.get(added["id"]))
    [item] = run("people", "sessions", "ada@example.org", "--json").document["items"]
    assert item["created_at"] < item["expires_at"]
    assert run("people", "sign-out", "ada@example.org", "--json").document["id"] == added["id"]
    assert run("people", "sessions", added["id"], "--json").document == {"items": []}
    with Desk.open(tmp_path / "home") as desk:
        assert desk.sessions.resolve(session) is None
    assert run("people", "sign-out", "nobody@example.org").code == 4


@pytest.mark.parametrize(
    ("email", "role", "code"),
    [
        ("ada", "Member", "bad_email"),
        ("a b@example.org", "Member", "bad_email"),
        ("ada@example.org", "Boss", "unknown_role"),
    ],
)
def test_a_person_that_makes_no_sense_is_refused(run, email, role, code):
    refused = run("people", "add", email, "--role", role, "--json")
    assert (refused.code, refused.error["code"]) == (2, code)


def test_an_address_is_one_persons(run):
    run("people", "add", "ada@example.org", "--role", "Member")
    again = run("people", "add", "ADA@example.org", "--role", "Auditor", "--project", "other", "--json")
    assert (again.code, again.error["code"]) == (2, "name_taken")
    nobody = run("people", "link", "grace@example.org", "--json")
    assert (nobody.code, nobody.error["code"]) == (4, "not_found")


def test_a_link_is_made_for_a_person(run):
    person = run("people", "add", "ada@example.org", "--role", "Member", "--everywhere", "--json").document
    assert person["organization"] is None
    made = run("people", "link", "ada@example.org", "--json").document
    assert set(made) == {"person", "email", "link", "expires_at"}
    assert (made["person"], made["email"]) == (person["id"], "ada@example.org")
    assert re.fullmatch(r"/console/sign-in/[A-Za-z0-9_-]{43}", made["link"])
    shown = run("people", "link", "ada@example.org").out
    assert re.search(r"/console/sign-in/[A-Za-z0-9_-]{43}", shown)
    assert made["link"] not in shown


def test_a_link_is_shown_with_the_address_that_people_use(run, monkeypatch):
    monkeypatch.setenv("REFDESK_PUBLIC_URL", "https://desk.example.org/")
    run("people", "add", "ada@example.org", "--role", "Member")
    shown = run("people", "link", "ada@example.org").out.replace("\n", "")
    assert re.search(r"https://desk\.example\.org/console/sign-in/[A-Za-z0-9_-]{43}", shown)
    assert "at your server's address" not in shown


def test_empty_lists_say_what_to_type_next(run):
    assert "refdesk projects create SLUG" in run("projects", "list").out
    assert "refdesk keys create" in run("keys", "list").out
    assert "refdesk people add EMAIL" in run("people", "list").out
