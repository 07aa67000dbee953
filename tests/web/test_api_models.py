"""Agents with a provider's model over HTTP: the text as it comes, sources and their documents, failures."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from as_openai import KEY, as_openai
from tests.web.conftest import Serve, Served
from tests.web.test_api_runs import QUESTION, events, person, told

from refdesk.testing import FakeProvider, ToolUse


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeProvider]:
    yield from as_openai(monkeypatch)


def agent_of(served: Served) -> str:
    """An agent with OpenAI's model, which reads one base with one document."""
    base = served.base("Hours")
    served.add(base, "# Hours\n\nOn Saturday we open at nine.\n")
    served.desk.work()
    return served.desk.agents.create("Reception", model="openai:gpt-4o", bases=[base]).id


@pytest.mark.req("RUN2", "A1")
def test_the_text_comes_as_the_model_says_it_and_is_checked_at_the_end(
    serve: Serve, provider: FakeProvider
) -> None:
    served = serve("packs")
    provider.says = ["At nine [1], or ten [8]."]
    got = list(events(served, agent_of(served)))
    names = [name for name, _ in got]
    assert (names[0], names[-2:]) == ("references", ["answer", "done"])
    assert set(names[1:-2]) == {"text"}
    assert "".join(data["text"] for name, data in got if name == "text") == "At nine [1], or ten [8]."
    answer, run = got[-2][1], got[-1][1]
    assert answer["answer"] == run["answer"] == "At nine [1], or ten."
    assert [one["number"] for one in answer["citations"]] == [1]
    assert "[8], which was not issued" in str(answer["warnings"])
    assert (run["tokens"]["output"], run["cost"], run["delivery"]) == (6, None, "references")


@pytest.mark.req("RUN1", "RUN2")
def test_what_is_not_the_answer_is_taken_back_and_what_is_looked_up_is_told(
    serve: Serve, provider: FakeProvider
) -> None:
    served = serve("bases")
    agent = agent_of(served)
    provider.says = [[ToolUse("knowledge_search", {"query": "Saturday"})], "At nine [1]."]
    got = list(events(served, agent))
    assert [name for name, _ in got if name != "text"] == ["references", "answer", "done"]
    assert [one["query"] for one in got[-1][1]["searches"]] == ["Saturday"]
    provider.says = ["I think at nine.", "At nine [1]."]
    got = list(events(served, agent, grounding="required"))
    names = [name for name, _ in got]
    said = names.index("again")
    assert "".join(data["text"] for name, data in got[said:] if name == "text") == "At nine [1]."
    assert got[-1][1]["rejected"] == ["I think at nine."]


@pytest.mark.req("RUN3", "H5")
def test_a_model_that_fails_is_a_problem_with_the_wait_that_it_asks_for(
    serve: Serve, provider: FakeProvider
) -> None:
    served = serve("packs")
    agent = agent_of(served)
    provider.mode, provider.retry_after, provider.echo = "429", "3600", KEY
    answer = served.client.post(f"/v2/agents/{agent}/runs", json={"question": QUESTION})
    assert told(answer) == (503, "model_unavailable")
    assert answer.headers["retry-after"] == "3600"
    assert KEY not in answer.text
    [kept] = served.client.get("/v2/runs").json()["items"]
    assert (kept["outcome"], kept["message"]) == ("failed", answer.json()["detail"])
    [(first, _), (last, problem)] = events(served, agent)
    assert (first, last, problem["code"]) == ("references", "error", "model_unavailable")


def test_an_address_in_a_models_name_is_refused_to_callers(serve: Serve, provider: FakeProvider) -> None:
    served = serve("packs")
    agent = agent_of(served)
    body = {"question": QUESTION, "model": f"openai:llama@{provider.url}/v1"}
    answer = served.client.post(f"/v2/agents/{agent}/runs", json=body)
    assert told(answer) == (422, "host_not_allowed")
    assert not provider.chats


@pytest.mark.req("RUN4", "RUN7")
def test_a_source_is_opened_over_http(serve: Serve, provider: FakeProvider) -> None:
    served = serve("packs")
    agent = agent_of(served)
    provider.otherwise = "At nine [1]."
    member, door = person(served, "Member")
    run = member.post(f"{door}/agents/{agent}/runs", json={"question": QUESTION}).json()
    path = f"/runs/{run['run']}/sources/1/document"
    opened = member.get(f"{door}{path}").json()
    assert (opened["state"], opened["cited"]) == ("issued", run["references"][0]["text"])
    assert opened["text"][opened["start"] : opened["end"]].strip().endswith("we open at nine.")
    served.desk.documents.delete(run["references"][0]["document"])
    for role in ("Auditor", "AgentBuilder"):
        client, theirs = person(served, role)
        gone = client.get(f"{theirs}{path}").json()
        assert (gone["state"], gone["document"], gone["cited"]) == ("gone", None, opened["cited"])
    assert told(member.get(f"{door}/runs/{run['run']}/sources/7/document")) == (404, "not_found")
    assert told(member.get(f"{door}/runs/{run['run']}/figures/1/1")) == (404, "not_found")
    provider.says = ["It is not known."]
    plain = member.post(f"{door}/agents/{agent}/runs", json={"question": QUESTION}).json()
    assert plain["citations"] == []
