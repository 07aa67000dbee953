"""Agents answer over HTTP, against a running server: runs, their stream, who sees them, what people say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from tests.web.conftest import Serve, Served

from refdesk.answer.model import Completion, Prompt
from refdesk.errors import Failed
from refdesk.web.caller import SESSION

QUESTION = "when do you open on Saturday?"
FIELDS = {
    "run", "outcome", "answer", "message", "references", "citations", "warnings", "model", "cost", "agent",
    "agent_version", "knowledge", "knowledge_mode", "question", "grounding", "person", "tokens", "timings",
    "created_at", "receipt", "rating", "delivery", "searches", "rejected",
}  # fmt: skip


@pytest.fixture
def voice(serve: Serve) -> Served:
    served = serve("voice")
    for name, text in (("Hours", "On Saturday we open at nine."), ("Prices", "A battery is 49 EUR.")):
        served.add(served.base(name), f"# {name}\n\n{text}\n")
    served.desk.work()
    return served


def agent(served: Served, name: str = "Reception", base: str = "Hours", **more: Any) -> str:
    return served.desk.agents.create(name, bases=[base], **more).id


def asked(
    served: Served, id_: str, client: httpx2.Client | None = None, door: str = "/v2", **body: Any
) -> dict[str, Any]:
    answer = (client or served.client).post(f"{door}/agents/{id_}/runs", json={"question": QUESTION, **body})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def told(answer: httpx2.Response) -> tuple[int, str]:
    assert answer.headers["content-type"] == "application/problem+json"
    return answer.status_code, answer.json()["code"]


def person(served: Served, role: str) -> tuple[httpx2.Client, str]:
    """A client with a session, and its door."""
    email = served.desk.people.create(f"{role.lower()}@example.org", roles=[role]).email
    session = served.desk.sessions.redeem(served.desk.people.link(email).token)
    client = served.anonymous({"Cookie": f"{SESSION}={session}"})
    return client, f"/console/v2/projects/{served.desk.projects.get('default').id}"


@pytest.mark.req("RUN1", "RUN3", "KB3")
def test_an_agent_answers_and_its_run_is_read_again(voice: Served) -> None:
    id_ = agent(voice, prompt="Be brief.")
    run = asked(voice, id_)
    assert set(run) == FIELDS
    assert (run["outcome"], run["answer"]) == ("answered", "“On Saturday we open at nine.” [1]")
    assert [one["text"] for one in run["references"]] == ["# Hours\n\nOn Saturday we open at nine.\n"]
    assert [one["number"] for one in run["citations"]] == [1]
    assert (run["agent"], run["agent_version"], run["knowledge_mode"]) == (id_, 1, "inline")
    assert [one["name"] for one in run["knowledge"]] == ["Hours"]
    assert (run["question"], run["grounding"], run["model"]) == (QUESTION, "preferred", "quoting")
    assert run["person"].startswith("key_")
    assert run["tokens"]["input"] > run["tokens"]["output"] > 0
    assert set(run["timings"]) == {"search_ms", "model_ms", "total_ms"}
    assert (run["receipt"]["state"], run["rating"]) == ("intact", None)
    assert voice.client.get(f"/v2/runs/{run['run']}").json() == run


@pytest.mark.req("RUN2")
def test_what_is_not_covered_is_a_run_too(voice: Served) -> None:
    run = asked(voice, agent(voice), question="who conducts the orchestra?", grounding="required")
    assert (run["outcome"], run["answer"], run["grounding"]) == ("not_covered", None, "required")
    assert run["message"].startswith("The documents do not cover this question")
    assert voice.client.get(f"/v2/runs/{run['run']}").json() == run


@pytest.mark.req("H4")
@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "usage"),
        ({"question": QUESTION, "bases": ["Hours"]}, 400, "usage"),
        ({"question": QUESTION, "model": "unheard:of"}, 400, "usage"),
        ({"question": "?"}, 422, "empty_question"),
        ({"question": "x" * 501}, 422, "question_too_long"),
        ({"question": QUESTION, "grounding": "loose"}, 422, "bad_value"),
    ],
)
def test_a_question_that_makes_no_sense_leaves_no_run(
    voice: Served, body: dict[str, Any], status: int, code: str
) -> None:
    id_ = agent(voice)
    for accept in ("application/json", "text/event-stream"):
        answer = voice.client.post(f"/v2/agents/{id_}/runs", json=body, headers={"Accept": accept})
        assert told(answer) == (status, code)
    assert voice.client.get("/v2/runs").json() == {"items": [], "next_cursor": None}


def events(served: Served, id_: str, **more: Any) -> Iterator[tuple[str, Any]]:
    headers = {"Accept": "text/event-stream"}
    path, body = f"/v2/agents/{id_}/runs", {"question": QUESTION, **more}
    with served.client.stream("POST", path, json=body, headers=headers) as stream:
        assert stream.status_code == 200
        assert stream.headers["content-type"].startswith("text/event-stream")
        name = ""
        for line in stream.iter_lines():
            key, _, value = line.partition(": ")
            if key == "event":
                name = value
            elif key == "data":
                yield name, json.loads(value)


@pytest.mark.req("RUN2")
def test_a_stream_gives_references_then_the_answer_then_the_run(voice: Served) -> None:
    got = list(events(voice, agent(voice)))
    assert [name for name, _ in got] == ["references", "answer", "done"]
    run = got[2][1]
    assert set(run) == FIELDS
    assert got[0][1] == {"references": run["references"]}
    assert got[1][1] == {key: run[key] for key in ("outcome", "answer", "message", "citations", "warnings")}
    assert voice.client.get(f"/v2/runs/{run['run']}").json() == run


class Failing:
    name = "failing"

    def complete(self, prompt: Prompt, said: object = None) -> Completion:
        raise Failed("The model of the test is not there.", code="model_unavailable")


@pytest.mark.req("RUN2")
def test_a_model_that_fails_ends_the_stream_with_a_problem(
    voice: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("refdesk.desk.asking.model_named", lambda *_: Failing())
    id_ = agent(voice)
    (first, _), (second, problem) = events(voice, id_)
    assert (first, second) == ("references", "error")
    assert (problem["code"], problem["status"]) == ("model_unavailable", 503)
    plain = voice.client.post(f"/v2/agents/{id_}/runs", json={"question": QUESTION})
    assert told(plain) == (503, "model_unavailable")
    kept = voice.client.get("/v2/runs").json()["items"]
    assert [(one["outcome"], one["answer"], len(one["references"])) for one in kept] == [
        ("failed", None, 1)
    ] * 2
    assert kept[0]["message"] == problem["detail"]
    assert kept[0]["receipt"]["state"] == "intact"


@pytest.mark.req("RUN3")
def test_runs_come_in_pages_the_newest_first(voice: Served) -> None:
    id_ = agent(voice)
    made = [asked(voice, id_)["run"] for _ in range(3)]
    first = voice.client.get("/v2/runs?limit=2").json()
    second = voice.client.get("/v2/runs", params={"limit": 2, "cursor": first["next_cursor"]}).json()
    assert [one["run"] for one in [*first["items"], *second["items"]]] == sorted(made, reverse=True)
    assert second["next_cursor"] is None
    assert set(first["items"][0]) == FIELDS


@pytest.mark.req("RUN3", "RUN7")
def test_a_member_asks_and_sees_their_own_runs_alone(voice: Served) -> None:
    id_ = agent(voice)
    keys = asked(voice, id_)["run"]
    member, door = person(voice, "Member")
    own = asked(voice, id_, member, door)
    assert own["person"] == "member@example.org"
    assert [one["run"] for one in member.get(f"{door}/runs").json()["items"]] == [own["run"]]
    assert member.get(f"{door}/runs/{own['run']}").json() == own
    assert told(member.get(f"{door}/runs/{keys}")) == (403, "not_permitted")
    assert told(member.get(f"{door}/feedback")) == (403, "not_permitted")
    for role in ("PlatformAdmin", "Auditor", "AgentBuilder"):
        client, door = person(voice, role)
        assert {one["run"] for one in client.get(f"{door}/runs").json()["items"]} == {keys, own["run"]}
        assert client.get(f"{door}/runs/{own['run']}").json() == own


@pytest.mark.req("RUN3", "KB2")
def test_a_key_of_one_agent_asks_it_and_reads_its_runs(voice: Served) -> None:
    mine, other = agent(voice), agent(voice, "Other", "Prices")
    foreign = asked(voice, other)["run"]
    before = asked(voice, mine)["run"]
    key = voice.as_key("knowledge:read", agent=mine)
    run = asked(voice, mine, key)
    assert [one["run"] for one in key.get("/v2/runs").json()["items"]] == [run["run"], before]
    assert key.get(f"/v2/runs/{before}").status_code == 200
    assert told(key.get(f"/v2/runs/{foreign}")) == (404, "not_found")
    assert told(key.post(f"/v2/agents/{other}/runs", json={"question": QUESTION})) == (404, "not_found")
    assert told(key.post(f"/v2/runs/{foreign}/rating", json={"helpful": True})) == (404, "not_found")
    assert key.post(f"/v2/runs/{before}/rating", json={"helpful": True}).status_code == 200
    assert told(key.get("/v2/feedback")) == (403, "not_permitted")


@pytest.mark.req("RUN6")
def test_an_answer_is_rated_and_the_not_helpful_ones_are_read(voice: Served) -> None:
    id_ = agent(voice)
    member, door = person(voice, "Member")
    runs = [asked(voice, id_, member, door)["run"] for _ in range(3)]
    said = {"helpful": False, "reason": "outdated", "note": "It is ten by now."}
    rated = member.post(f"{door}/runs/{runs[0]}/rating", json=said).json()["rating"]
    assert {key: rated[key] for key in said} == said
    assert rated["person"] == "member@example.org"
    assert member.post(f"{door}/runs/{runs[1]}/rating", json={"helpful": True}).status_code == 200
    assert member.post(f"{door}/runs/{runs[2]}/rating", json={"helpful": False}).status_code == 200
    for role in ("PlatformAdmin", "AgentBuilder", "Auditor"):
        client, theirs = person(voice, role)
        first = client.get(f"{theirs}/feedback?limit=1").json()
        rest = client.get(f"{theirs}/feedback", params={"cursor": first["next_cursor"]}).json()
        items = [*first["items"], *rest["items"]]
        assert [one["run"] for one in items] == [runs[2], runs[0]]
        assert items[1]["rating"] == rated
        refused = client.post(f"{theirs}/runs/{runs[0]}/rating", json={"helpful": True})
        assert told(refused) == (403, "not_permitted")
    member.post(f"{door}/runs/{runs[0]}/rating", json={"helpful": True})
    assert [one["run"] for one in voice.client.get("/v2/feedback").json()["items"]] == [runs[2]]


@pytest.mark.req("RUN6")
@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"helpful": None}, 422),
        ({"helpful": True, "reason": "wrong"}, 422),
        ({"helpful": False, "reason": "boring"}, 422),
        ({"helpful": False, "note": "x" * 2_001}, 422),
        ({"helpful": False, "note": "\x00"}, 422),
        ({"helpful": False, "person": "ada@example.org"}, 400),
    ],
)
def test_a_rating_that_makes_no_sense(voice: Served, body: dict[str, Any], status: int) -> None:
    run = asked(voice, agent(voice))["run"]
    assert told(voice.client.post(f"/v2/runs/{run}/rating", json=body))[0] == status
    assert voice.client.get(f"/v2/runs/{run}").json()["rating"] is None


@pytest.mark.req("RUN3")
def test_a_run_outlives_its_agent_and_its_documents(voice: Served) -> None:
    id_ = agent(voice)
    run = asked(voice, id_)
    voice.desk.documents.delete(run["references"][0]["document"])
    voice.client.delete(f"/v2/agents/{id_}")
    assert voice.client.get(f"/v2/runs/{run['run']}").json() == run
    assert told(voice.client.post(f"/v2/agents/{id_}/runs", json={"question": QUESTION}))[0] == 404


@pytest.mark.req("H2", "DOC7")
def test_what_was_erased_is_not_told_again_by_an_idempotency_key(voice: Served) -> None:
    id_ = agent(voice)

    def post(key: str) -> httpx2.Response:
        headers, body = {"Idempotency-Key": key}, {"question": QUESTION}
        return voice.client.post(f"/v2/agents/{id_}/runs", json=body, headers=headers)

    def made() -> httpx2.Response:
        return voice.client.post("/v2/knowledge-bases", json={"name": "B"}, headers={"Idempotency-Key": "b"})

    base = made().json()
    first = post("one").json()
    assert post("one").json() == first
    voice.desk.runs.erase(first["run"])
    second = post("one").json()
    assert second["run"] != first["run"]
    voice.desk.documents.delete(second["references"][0]["document"], erase=True)
    third = post("one").json()
    assert (third["run"] in {first["run"], second["run"]}, third["references"]) == (False, [])
    assert made().json() == base
