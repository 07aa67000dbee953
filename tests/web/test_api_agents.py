"""Agents over HTTP, against a running server."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest
from tests.web.conftest import Serve, Served

FIELDS = {
    "id", "name", "prompt", "model", "kind", "grounding", "version", "knowledge_base_ids", "knowledge_mode",
}  # fmt: skip
NOBODY = "agt_01JE3Y0ZD5V7K8Q2M4N6P8R0ST"


@pytest.fixture
def voice(serve: Serve) -> Served:
    return serve("voice")


def made(served: Served, name: str = "Reception", **more: Any) -> dict[str, Any]:
    answer = served.client.post("/v2/agents", json={"name": name, **more})
    assert answer.status_code == 201, answer.text
    assert answer.headers["location"] == f"/v2/agents/{answer.json()['id']}"
    return dict(answer.json())


def told(answer: httpx2.Response) -> tuple[int, str]:
    assert answer.headers["content-type"] == "application/problem+json"
    return answer.status_code, answer.json()["code"]


@pytest.mark.req("RUN1", "KB2")
def test_an_agent_is_made_read_changed_and_deleted(voice: Served) -> None:
    base = voice.base()
    agent = made(voice, prompt="Be brief.", grounding="required", knowledge_base_ids=[base, base])
    assert set(agent) == FIELDS
    assert (agent["version"], agent["kind"], agent["model"]) == (1, "text", None)
    assert (agent["knowledge_base_ids"], agent["knowledge_mode"]) == ([base], "none")
    address = f"/v2/agents/{agent['id']}"
    assert voice.client.get(address).json() == agent
    voice.add(base, "# Hours\n\nOn Saturday we open at nine.\n")
    voice.desk.work()
    assert voice.client.get(address).json() == {**agent, "knowledge_mode": "inline"}
    changed = voice.client.patch(address, json={"model": "openai:gpt-5", "kind": "realtime"}).json()
    assert changed == {
        **agent,
        "model": "openai:gpt-5",
        "kind": "realtime",
        "version": 2,
        "knowledge_mode": "inline",
    }
    assert voice.client.patch(address, json={}).json() == changed
    assert voice.client.patch(address, json={"model": None}).json()["model"] is None
    assert voice.client.delete(address).status_code == 204
    for gone in (
        voice.client.delete(address),
        voice.client.get(address),
        voice.client.patch(address, json={}),
    ):
        assert told(gone) == (404, "not_found")


@pytest.mark.req("RUN1")
def test_a_list_measures_nothing_and_comes_in_pages(voice: Served) -> None:
    agents = [made(voice, f"Agent {number}") for number in range(3)]
    first = voice.client.get("/v2/agents?limit=2").json()
    second = voice.client.get("/v2/agents", params={"limit": 2, "cursor": first["next_cursor"]}).json()
    assert [*first["items"], *second["items"]] == [{**one, "knowledge_mode": None} for one in agents]
    assert second["next_cursor"] is None


@pytest.mark.req("KB2")
def test_bases_are_replaced_and_the_fourth_is_refused(voice: Served) -> None:
    bases = [voice.base(f"Base {number}") for number in range(4)]
    address = f"/v2/agents/{made(voice, knowledge_base_ids=bases[:2])['id']}"
    assert voice.client.patch(address, json={"knowledge_base_ids": bases[1:]}).json()["version"] == 2
    refused = voice.client.patch(address, json={"knowledge_base_ids": bases, "name": "Renamed"})
    assert told(refused) == (422, "too_many_grants")
    assert (refused.json()["limit"], refused.json()["actual"]) == (3, 4)
    kept = voice.client.get(address).json()
    assert (kept["name"], kept["knowledge_base_ids"]) == ("Reception", bases[1:])
    emptied = voice.client.patch(address, json={"knowledge_base_ids": []}).json()
    assert (emptied["knowledge_base_ids"], emptied["knowledge_mode"], emptied["version"]) == ([], "none", 3)


@pytest.mark.req("KB2", "KB3")
def test_a_base_that_is_deleted_leaves_its_agents(voice: Served) -> None:
    base, other = voice.base("One"), voice.base("Two")
    agent = made(voice, knowledge_base_ids=[base, other])
    assert voice.client.delete(f"/v2/knowledge-bases/{base}").status_code == 204
    now = voice.client.get(f"/v2/agents/{agent['id']}").json()
    assert (now["knowledge_base_ids"], now["version"]) == ([other], 2)


@pytest.mark.req("KB3")
def test_an_agent_that_somebody_changed_is_not_overwritten(voice: Served) -> None:
    created = voice.client.post("/v2/agents", json={"name": "Reception"})
    address, seen = created.headers["location"], created.headers["etag"]
    assert voice.client.get(address).headers["etag"] == seen
    first = voice.client.patch(address, headers={"If-Match": seen}, json={"prompt": "mine"})
    assert first.status_code == 200
    assert first.headers["etag"] != seen
    for stale in (seen, '"99"', "no tag", f'"{"9" * 5_000}"'):
        refused = voice.client.patch(address, headers={"If-Match": stale}, json={"prompt": "yours"})
        assert told(refused) == (412, "changed_meanwhile")
        assert voice.client.delete(address, headers={"If-Match": stale}).status_code == 412
    for fresh in (f"{seen}, {first.headers['etag']}", "*"):
        again = voice.client.patch(address, headers={"If-Match": fresh}, json={"prompt": f"yours {fresh}"})
        assert again.status_code == 200
    writes = voice.as_key("knowledge:write")
    last = writes.patch(address, headers={"If-Match": again.headers["etag"]}, json={"prompt": "last"})
    assert last.json()["version"] == 5
    assert writes.get(address).status_code == 403


@pytest.mark.req("KB2")
def test_what_belongs_to_somebody_else_is_not_there(voice: Served) -> None:
    desk = voice.desk
    desk.projects.create("other", "voice")
    there = desk.acting(desk.principal, "other")
    theirs, foreign = there.bases.create("Theirs"), there.agents.create("Foreign")
    address = f"/v2/agents/{made(voice)['id']}"
    for base in (theirs.id, "Theirs", "kb_01JE3Y0ZD5V7K8Q2M4N6P8R0ST", ""):
        assert told(voice.client.patch(address, json={"knowledge_base_ids": [base]})) == (404, "not_found")
    for agent in (foreign.id, NOBODY, "Reception", "agt_"):
        assert told(voice.client.get(f"/v2/agents/{agent}")) == (404, "not_found")
        assert told(voice.client.patch(f"/v2/agents/{agent}", json={"prompt": "x"})) == (404, "not_found")
        assert told(voice.client.delete(f"/v2/agents/{agent}")) == (404, "not_found")


@pytest.mark.req("KB2", "RUN7")
def test_a_company_base_needs_a_platform_admin_where_the_policy_says_so(serve: Serve) -> None:
    packs = serve("packs")
    company, generic = packs.base("Ours"), packs.base("Shared", kind="generic")
    agent = made(packs, knowledge_base_ids=[generic])
    refused = packs.client.patch(f"/v2/agents/{agent['id']}", json={"knowledge_base_ids": [company]})
    assert told(refused) == (403, "not_permitted")
    person = packs.anonymous()
    link = packs.desk.people.first_link()
    assert link is not None
    person.post(link.path)
    project = packs.desk.projects.get("default").id
    granted = person.patch(
        f"/console/v2/projects/{project}/agents/{agent['id']}", json={"knowledge_base_ids": [company]}
    )
    assert granted.json()["knowledge_base_ids"] == [company]
    assert granted.json()["knowledge_mode"] == "search"


@pytest.mark.req("KB2", "RUN7")
def test_a_key_bound_to_an_agent_sees_it_and_searches_its_bases_alone(voice: Served) -> None:
    mine, secret = voice.base("Hours"), voice.base("Secret")
    for base in (mine, secret):
        voice.add(base, "# Hours\n\nOn Saturday we open at nine.\n")
    voice.desk.work()
    agent, other = made(voice, knowledge_base_ids=[mine]), made(voice, "Other", knowledge_base_ids=[secret])
    key = voice.as_key(agent=agent["id"])
    assert [one["id"] for one in key.get("/v2/agents").json()["items"]] == [agent["id"]]
    assert key.get(f"/v2/agents/{agent['id']}").json()["knowledge_mode"] == "inline"
    assert told(key.get(f"/v2/agents/{other['id']}")) == (404, "not_found")
    question = {"query": "when do you open on Saturday?"}
    assert len(key.post(f"/v2/knowledge-bases/{mine}/search", json=question).json()["hits"]) == 1
    for base in (secret, "kb_01JE3Y0ZD5V7K8Q2M4N6P8R0ST", "Hours"):
        assert told(key.post(f"/v2/knowledge-bases/{base}/search", json=question)) == (404, "not_found")
    for path in (
        f"/v2/knowledge-bases/{mine}",
        "/v2/knowledge-bases",
        f"/v2/knowledge-bases/{mine}/documents",
    ):
        assert told(key.get(path)) == (403, "not_permitted")
    assert told(key.patch(f"/v2/agents/{agent['id']}", json={"prompt": "mine"})) == (403, "not_permitted")
    assert told(key.post("/v2/agents", json={"name": "Mine"})) == (403, "not_permitted")
    voice.client.delete(f"/v2/agents/{agent['id']}")
    assert key.get("/v2/agents").status_code == 401


@pytest.mark.req("H4")
@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "usage"),
        ({"name": "A", "colour": 1}, 400, "usage"),
        ({"name": "A", "version": 7}, 400, "usage"),
        ({"name": "A", "knowledge_mode": "inline"}, 400, "usage"),
        ({"name": None}, 422, "bad_value"),
        ({"name": ""}, 422, "bad_name"),
        ({"name": "TAKEN"}, 409, "name_taken"),
        ({"name": "A", "prompt": None}, 422, "bad_value"),
        ({"name": "A", "prompt": "x" * 100_001}, 422, "bad_value"),
        ({"name": "A", "prompt": "\x00"}, 422, "bad_value"),
        ({"name": "A", "model": "gpt-5"}, 422, "bad_value"),
        ({"name": "A", "kind": "video"}, 422, "bad_value"),
        ({"name": "A", "grounding": "loose"}, 422, "bad_value"),
        ({"name": "A", "knowledge_base_ids": None}, 422, "bad_value"),
        ({"name": "A", "knowledge_base_ids": "kb_"}, 422, "bad_value"),
        ({"name": "A", "knowledge_base_ids": ["kb_"]}, 404, "not_found"),
    ],
)
def test_an_agent_that_makes_no_sense(voice: Served, body: dict[str, Any], status: int, code: str) -> None:
    first = made(voice, "Taken")
    assert told(voice.client.post("/v2/agents", json=body)) == (status, code)
    if body:
        address = f"/v2/agents/{made(voice, 'Second')['id']}"
        assert told(voice.client.patch(address, json=body)) == (status, code)
        assert voice.client.get(address).json()["version"] == 1
    assert voice.client.get("/v2/agents").json()["items"][0] == {**first, "knowledge_mode": None}
