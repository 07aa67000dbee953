"""Every address × every caller × whose resource it is: the answer is the access table's.

What an address asks of the table is recorded while an administrator uses it; what each other caller must get
follows from the table, and is compared with what the server answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from refdesk import Desk, access
from refdesk.access import Principal, Resource
from refdesk.settings import Settings
from refdesk.testing import WordEmbedder
from refdesk.web.app import create_app
from refdesk.web.caller import SESSION

ROLES = ("PlatformAdmin", "AgentBuilder", "Auditor", "Member")
KEYS = {
    "key for both": ("knowledge:read", "knowledge:write"),
    "key for reading": ("knowledge:read",),
    "key for writing": ("knowledge:write",),
}
BODIES: dict[str, Any] = {
    "POST /knowledge-bases": {"name": "{new}"},
    "PATCH /knowledge-bases/{base_id}": {"description": "changed"},
    "POST /knowledge-bases/{base_id}/search": {"query": "when do you open?"},
    "POST /search": {"query": "when do you open?", "bases": ["of no such name"]},
    "POST /knowledge-bases/{base_id}/documents": {"name": "{new}", "content": "# New\n"},
    "PUT /knowledge-bases/{base_id}/documents/{document_id}": {"content": "# Newer\n"},
    "PATCH /knowledge-bases/{base_id}/documents/{document_id}": {"name": "{new}"},
    "POST /provider-accounts": {"name": "{new}", "provider": "openai", "secret": "sk-none"},
    "PATCH /provider-accounts/{account_id}": {"name": "{new}"},
    "POST /agents": {"name": "{new}"},
    "PATCH /agents/{agent_id}": {"prompt": "Answer."},
    "POST /runs": {"question": "when do you open?", "bases": ["of no such name"]},
    "POST /agents/{agent_id}/runs": {"question": "when do you open?"},
    "POST /agents/{agent_id}/calls": {"tool_characters": 0},
    "POST /calls/{call_id}/search": {"query": "when do you open?"},
    "POST /runs/{run_id}/rating": {"helpful": True},
}
STREAMED = "/events"


class World:
    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.app: FastAPI = create_app(desk)
        self._numbers = count(1)
        self.owner = desk.principal  # of what runs are made
        other = desk.projects.create("other", "packs")
        self.foreign = desk.acting(desk.principal, other.id)
        self.operations = sorted(
            (method.upper(), path.removeprefix("/v2"))
            for path, methods in self.app.openapi()["paths"].items()
            for method in methods
            if not path.endswith(STREAMED)
        )

    def new(self) -> str:
        return f"new-{next(self._numbers)}"

    def resources(self, desk: Desk) -> dict[str, str]:
        base = desk.bases.create(self.new(), kind="generic")
        made = {"base_id": base.id, "number": "1", "figure": "1"}
        made["account_id"] = desk.accounts.create(self.new(), "openai", secret="sk-none").id
        if hasattr(desk, "agents"):
            made["agent_id"] = desk.agents.create(self.new(), bases=[base]).id
        made["call_id"] = desk.acting(self.owner).calls.start(made["agent_id"]).call.id
        made["run_id"] = desk.acting(self.owner).ask("when do you open?", agent=made["agent_id"]).id
        path = desk.home / "cache-of-the-test.md"
        path.write_text("# Hours\n\nWe open at nine.\n")
        made["document_id"] = base.upload(path, f"{self.new()}.md").id
        return made

    def ask(self, client: TestClient, door: str, method: str, path: str, made: dict[str, str]) -> int:
        body = BODIES.get(f"{method} {path}")
        filled = {k: self.new() if v == "{new}" else v for k, v in body.items()} if body else None
        return client.request(method, f"{door}{path.format(**made)}", json=filled).status_code


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("access")
    settings = Settings(cache=folder / "cache", requests_per_minute=None)
    with Desk.open(folder / "desk", settings=settings, embedders={"local": WordEmbedder()}) as desk:
        yield World(desk)


@pytest.fixture(scope="module")
def callers(world: World) -> dict[str, tuple[TestClient, str, Principal]]:
    """Each with its door and who it is; *foreign* ones are of another organization."""
    found: dict[str, tuple[TestClient, str, Principal]] = {}
    for prefix, desk in (("", world.desk), ("foreign ", world.foreign)):
        for name, scopes in KEYS.items():
            secret = desk.keys.create(scopes=scopes).secret
            principal = world.desk.keys.resolve(secret)
            assert principal is not None
            client = TestClient(world.app, headers={"X-Api-Key": secret})
            found[prefix + name] = (client, "/v2", principal)
        for role in ROLES:
            person = desk.people.create(f"{world.new()}@example.org", roles=[role])
            session = world.desk.sessions.redeem(desk.people.link(person.email).token)
            assert session is not None
            principal = world.desk.sessions.resolve(session)
            assert principal is not None
            if (prefix, role) == ("", "PlatformAdmin"):
                world.owner = principal
            project = world.desk.projects.get(world.desk.project).id
            client = TestClient(world.app, cookies={SESSION: session})
            found[prefix + role] = (client, f"/console/v2/projects/{project}", principal)
    return found


def recorded(
    world: World, callers: dict[str, tuple[TestClient, str, Principal]], method: str, path: str
) -> tuple[list[tuple[str, Resource]], int]:
    """What the administrator's request asked of the table, and its answer."""
    asked: list[tuple[str, Resource]] = []
    real = access.authorize
    client, door, principal = callers["PlatformAdmin"]
    made = world.resources(world.desk)

    def spied(who: Principal, action: str, resource: Resource) -> None:
        if who == principal:
            asked.append((action, resource))
        real(who, action, resource)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(access, "authorize", spied)
        status = world.ask(client, door, method, path, made)
    return asked, status


@pytest.mark.req("RUN7", "KB2", "DOC6")
def test_every_address_answers_each_caller_as_the_table_says(
    world: World, callers: dict[str, tuple[TestClient, str, Principal]]
) -> None:
    wrong = []
    for method, path in world.operations:
        asked, admins = recorded(world, callers, method, path)
        assert asked, f"{method} {path} asks the table nothing"
        assert admins not in (401, 403), f"{method} {path}: {admins}"
        for name, (client, door, principal) in callers.items():
            made = world.resources(world.desk)
            status = world.ask(client, door, method, path, made)
            if status != (expected := answer(principal, asked, admins, path)):
                wrong.append(f"{name}: {method} {path} answered {status}, not {expected}")
    assert wrong == []


def answer(principal: Principal, asked: list[tuple[str, Resource]], admins: int, path: str) -> int:
    """A key's door leads into its own project, where a foreign one finds nothing of that id."""
    foreign = principal.project is not None and principal.project != asked[0][1].project
    if foreign and "{" not in path:
        asked = [(action, Resource(principal.organization, principal.project)) for action, _ in asked]
        foreign = False
    for action, resource in asked:
        if not foreign and not access.within(principal, resource):
            return 404
        own = Resource(principal.organization, principal.project) if foreign else resource
        if not access.permits(principal, action, own):
            return 403
        if foreign:
            return 404
    return admins


EXPECTED = {
    ("GET", "/knowledge-bases"): {"AgentBuilder": 200, "Auditor": 200, "Member": 403, "key for writing": 403},
    ("POST", "/knowledge-bases"): {
        "AgentBuilder": 403, "Auditor": 403, "Member": 403, "key for reading": 403,
    },
    ("DELETE", "/knowledge-bases/{base_id}/documents/{document_id}"): {
        "PlatformAdmin": 204, "AgentBuilder": 403, "Auditor": 403, "foreign PlatformAdmin": 404,
        "key for writing": 403, "foreign key for both": 404,
    },
    ("GET", "/knowledge-bases/{base_id}/documents/{document_id}/original"): {
        "AgentBuilder": 200, "Auditor": 200, "Member": 403, "foreign key for both": 404,
    },
    ("POST", "/provider-accounts"): {"AgentBuilder": 403, "Auditor": 403, "key for reading": 403},
}  # fmt: skip


@pytest.mark.req("RUN7")
def test_the_table_itself_says_what_the_roles_are_for(
    world: World, callers: dict[str, tuple[TestClient, str, Principal]]
) -> None:
    for (method, path), expected in EXPECTED.items():
        for name, status in expected.items():
            client, door, _ = callers[name]
            made = world.resources(world.desk)
            assert world.ask(client, door, method, path, made) == status, (name, method, path)


def test_nobody_gets_in_without_a_key_or_a_session(world: World) -> None:
    project = world.desk.projects.get(world.desk.project).id
    for method, path in world.operations:
        made = world.resources(world.desk)
        for door in ("/v2", f"/console/v2/projects/{project}"):
            assert world.ask(TestClient(world.app), door, method, path, made) == 401
