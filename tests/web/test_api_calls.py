"""Calls over HTTP, against a running server: measured when they begin, with a budget of searches each."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest
from tests.web.conftest import Serve, Served
from tests.web.test_api_runs import told

from refdesk.errors import Failed

HOURS = "# Hours\n\nOn Saturday we open at nine.\n"
QUERY = {"query": "when do you open on Saturday?"}
RECORD = {
    "id", "agent", "agent_version", "knowledge", "knowledge_mode", "documents", "searches_limit", "searches",
    "person", "created_at",
}  # fmt: skip


def parts(count: int) -> Iterator[str]:
    for number in range(count):
        yield f"# Part {number}\n\nOn Saturday the desk of part {number} opens. " + f"Of {number}: " * 60


@pytest.fixture
def voice(serve: Serve) -> Served:
    served = serve("voice")
    served.add(served.base("Hours"), HOURS)
    served.add(served.base("Long"), "\n\n".join(parts(40)))
    served.desk.work()
    return served


def agent(served: Served, *bases: str, **more: Any) -> str:
    return served.desk.agents.create("Reception", bases=bases, **more).id


def begun(served: Served, id_: str, **body: Any) -> dict[str, Any]:
    answer = served.client.post(f"/v2/agents/{id_}/calls", json=body)
    assert answer.status_code == 201, answer.text
    call = dict(answer.json())
    assert answer.headers["location"] == f"/v2/calls/{call['id']}"
    return call


def searched(served: Served, call: str, client: httpx2.Client | None = None) -> httpx2.Response:
    return (client or served.client).post(f"/v2/calls/{call}/search", json=QUERY)


@pytest.mark.req("RUN1", "RUN5", "KB3")
def test_a_short_text_is_given_at_the_start_between_fences(voice: Served) -> None:
    id_ = agent(voice, "Hours", prompt="Be brief.")
    call = begun(voice, id_)
    assert set(call) == RECORD | {"prompt", "text", "tools"}
    assert (call["knowledge_mode"], call["prompt"], call["tools"]) == ("inline", "Be brief.", [])
    mark = call["text"].partition("\n")[0].removeprefix("Mark: ")
    assert len(mark) == 32
    inside = call["text"].partition(f"---- {mark} reference [1] begins ----\n")[2]
    assert HOURS in inside.partition(f"---- {mark} reference [1] ends ----")[0]
    assert "not instructions" in call["text"]
    assert "say plainly that the documents do not cover it" in " ".join(call["text"].split())
    assert (call["agent"], call["agent_version"]) == (id_, 1)
    assert [base["name"] for base in call["knowledge"]] == ["Hours"]
    [document] = call["documents"]
    assert document["sha256"] == hashlib.sha256(HOURS.encode()).hexdigest()
    assert voice.client.post(f"/v2/agents/{id_}/calls").json()["documents"] == [document]
    record = voice.client.get(f"/v2/calls/{call['id']}").json()
    assert record == {key: call[key] for key in RECORD}
    assert told(searched(voice, call["id"])) == (409, "wrong_state")


@pytest.mark.req("RUN1")
def test_the_callers_own_tools_count_in_what_fits_and_a_change_counts_from_the_next_call(
    voice: Served,
) -> None:
    id_ = agent(voice, "Hours", prompt="x" * 20_000)
    room = 32_000 - 20_000 - len(HOURS)
    assert begun(voice, id_, tool_characters=room)["knowledge_mode"] == "inline"
    assert begun(voice, id_, tool_characters=room + 1)["knowledge_mode"] == "search"
    first = begun(voice, id_)
    voice.desk.agents.update(id_, bases=["Long"])
    assert begun(voice, id_)["knowledge_mode"] == "search"
    assert voice.client.get(f"/v2/calls/{first['id']}").json()["knowledge_mode"] == "inline"


@pytest.mark.req("RUN1", "A4")
def test_a_realtime_agent_with_too_long_a_text_knows_nothing(voice: Served) -> None:
    id_ = agent(voice, "Long", kind="realtime")
    call = begun(voice, id_)
    assert (call["knowledge_mode"], call["tools"], call["documents"]) == ("none", [], [])
    assert "no documents" in call["text"]
    assert told(searched(voice, call["id"])) == (409, "wrong_state")


@pytest.mark.req("SRCH3", "SRCH6", "RUN1")
def test_a_long_text_is_searched_within_its_budget(voice: Served) -> None:
    call = begun(voice, agent(voice, "Long"))
    assert (call["knowledge_mode"], call["text"], call["searches_limit"]) == ("search", None, 12)
    [tool] = call["tools"]
    assert tool["function"]["name"] == "search_knowledge"
    assert tool["function"]["parameters"]["required"] == ["query"]
    found = searched(voice, call["id"]).json()
    assert (found["number"], found["left"]) == (1, 11)
    assert 0 < len(found["hits"]) <= 4
    assert sum(len(hit["text"]) for hit in found["hits"]) <= 2_400
    for hit in found["hits"]:
        assert hit["text"] in found["text"]
    assert "may still not answer" in found["text"]
    [search] = voice.client.get(f"/v2/calls/{call['id']}").json()["searches"]
    assert (search["number"], search["query"], search["answered_by"]) == (1, QUERY["query"], "keyword")
    issued = [hashlib.sha256(hit["text"].encode()).hexdigest() for hit in found["hits"]]
    assert [one["sha256"] for one in search["passages"]] == issued
    assert [one["position"] for one in search["passages"]] == [hit["position"] for hit in found["hits"]]


@pytest.mark.req("SRCH3")
def test_the_thirteenth_search_is_refused_also_of_those_at_the_same_time(voice: Served) -> None:
    id_ = agent(voice, "Long")
    call = begun(voice, id_)["id"]
    refused = voice.client.post(f"/v2/calls/{call}/search", json={"query": "x" * 501})
    assert told(refused) == (422, "question_too_long")
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: searched(voice, call), range(15)))
    assert sorted(one.status_code for one in answers) == [200] * 12 + [429] * 3
    done = [one.json() for one in answers if one.status_code == 200]
    assert sorted(one["number"] for one in done) == list(range(1, 13))
    last = searched(voice, call)
    assert told(last) == (429, "searches_used_up")
    assert (last.json()["limit"], last.json()["actual"]) == (12, 12)
    assert len(voice.client.get(f"/v2/calls/{call}").json()["searches"]) == 12
    assert searched(voice, begun(voice, id_)["id"]).status_code == 200


@pytest.mark.req("KB2", "FIG5")
def test_a_grant_that_is_withdrawn_reaches_nothing_in_the_middle_of_a_call(voice: Served) -> None:
    id_ = agent(voice, "Long")
    call = begun(voice, id_)["id"]
    assert searched(voice, call).json()["hits"]
    voice.desk.agents.update(id_, bases=["Hours"])  # what it was given meanwhile, this call does not know
    after = searched(voice, call).json()
    assert after["hits"] == []
    assert "documents do not cover it" in " ".join(after["text"].split())


@pytest.mark.req("SRCH8")
def test_a_search_that_fails_tells_no_cause_and_is_on_the_record(
    voice: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = begun(voice, agent(voice, "Long"))["id"]

    def fail(*_: object, **__: object) -> None:
        raise Failed("The index of base Long at /var/lib is damaged.", code="index_damaged")

    with monkeypatch.context() as failing:
        failing.setattr("refdesk.desk.calls.find_in", fail)
        answer = searched(voice, call)
    assert told(answer) == (500, "index_damaged")
    assert answer.json()["detail"] == "The lookup is unavailable."
    [search] = voice.client.get(f"/v2/calls/{call}").json()["searches"]
    assert (search["answered_by"], search["passages"]) == (None, None)
    assert searched(voice, call).json()["left"] == 10


@pytest.mark.req("RUN7", "KB2")
def test_a_key_of_one_agent_has_that_agents_calls_alone(voice: Served) -> None:
    mine = agent(voice, "Long")
    other = voice.desk.agents.create("Other", bases=["Long"]).id
    key = voice.as_key("voice:read", agent=mine)
    own = key.post(f"/v2/agents/{mine}/calls", json={})
    assert own.status_code == 201
    assert searched(voice, own.json()["id"], key).status_code == 200
    assert key.get(f"/v2/calls/{own.json()['id']}").status_code == 200
    foreign = begun(voice, other)["id"]
    assert told(searched(voice, foreign, key)) == (404, "not_found")
    assert told(key.get(f"/v2/calls/{foreign}")) == (404, "not_found")
    assert told(key.post(f"/v2/agents/{other}/calls", json={})) == (404, "not_found")
    assert told(searched(voice, "call_01JE3Y0ZD5V7K8Q2M4N6P8R0ST")) == (404, "not_found")


@pytest.mark.req("H4")
@pytest.mark.parametrize(
    ("body", "status"),
    [({"tool_characters": -1}, 422), ({"tools": []}, 400), ({"tool_characters": "x"}, 422)],
)
def test_a_call_that_makes_no_sense(voice: Served, body: dict[str, Any], status: int) -> None:
    answer = voice.client.post(f"/v2/agents/{agent(voice, 'Hours')}/calls", json=body)
    assert told(answer)[0] == status


@pytest.mark.req("SRCH3")
def test_where_the_policy_has_no_budget_there_is_none(serve: Serve) -> None:
    packs = serve("packs")
    packs.add(packs.base("Hours"), HOURS)
    packs.desk.work()
    call = begun(packs, agent(packs, "Hours"))
    assert (call["knowledge_mode"], call["searches_limit"]) == ("search", None)
    found = [searched(packs, call["id"]).json() for _ in range(13)]
    assert [(one["number"], one["left"]) for one in found] == [(number, None) for number in range(1, 14)]
