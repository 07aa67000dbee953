"""``refdesk.Client`` asks, reads receipts and makes calls as a desk does, against a really running server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from tests.web.conftest import Connect, Serve, Served

from refdesk import Client
from refdesk.answer.receipt import state
from refdesk.errors import NotFound, RefdeskError, Refusal, UsageError
from refdesk.results.runs import Reference, Run

QUESTION = "when do you open on Saturday?"
HOURS = "# Hours\n\nOn Saturday we open at nine.\n"
LONG = "\n\n".join(f"# Part {n}\n\nOn Saturday desk {n} opens. " + f"Of {n}: " * 80 for n in range(40))


@pytest.fixture
def voice(serve: Serve) -> Served:
    served = serve("voice")
    served.add(served.base("Hours"), HOURS, source_url="https://example.com/hours", metadata="year=2026")
    served.add(served.base("Long"), LONG)
    served.desk.agents.create("Reception", bases=["Hours"], prompt="Be brief.")
    served.desk.work()
    return served


@pytest.fixture
def client(voice: Served, connect: Connect) -> Client:
    return connect(voice)


def over_http(run: Run) -> dict[str, Any]:
    """What of a desk's run its receipt over HTTP says."""
    assert run.receipt is not None
    receipt = replace(run.receipt, digests={}, state=state(run))
    references = [one.to_dict() for one in run.references]
    return {"run": replace(run, receipt=receipt, references=()), "references": references}


def same(run: Run) -> dict[str, Any]:
    return {"run": replace(run, references=()), "references": [one.to_dict() for one in run.references]}


@pytest.mark.req("RUN1", "RUN3", "RUN6")
def test_an_agent_is_asked_and_its_run_read_as_a_desk_reads_it(voice: Served, client: Client) -> None:
    issued: list[Sequence[Reference]] = []
    said: list[str | None] = []
    run = client.ask(QUESTION, agent="reception", issued=issued.append, said=said.append)
    assert (run.outcome, run.answer) == ("answered", "“On Saturday we open at nine.” [1]")
    assert [one.text for one in run.references] == [HOURS]
    assert run.references[0].metadata == {"year": "2026"}
    assert run.references[0].source_url == "https://example.com/hours"
    assert list(issued[-1]) == list(run.references)
    assert all(piece is None or piece in str(run.answer) for piece in said)
    assert same(run) == over_http(voice.desk.runs.get(run.id)) == same(client.runs.get(run.id))
    assert run.to_dict() == voice.desk.runs.get(run.id).to_dict()
    assert run.receipt is not None
    assert run.receipt.state == "intact"


@pytest.mark.req("RUN1", "RUN2")
def test_bases_are_asked_without_an_agent(voice: Served, client: Client) -> None:
    for bases in (["Hours"], [client.bases.get("Hours")]):
        run = client.ask(QUESTION, bases, grounding="required")
        assert (run.agent, run.knowledge, run.grounding) == (None, None, "required")
        assert run.answer == voice.desk.ask(QUESTION, ["Hours"], grounding="required").answer
    nothing = client.ask("who conducts the orchestra?", ["Hours"], grounding="required")
    assert (nothing.outcome, nothing.answer) == ("not_covered", None)


@pytest.mark.req("RUN3")
def test_what_is_wrong_with_a_question_is_raised_as_a_desk_raises_it(voice: Served, client: Client) -> None:
    def raised(asking: Any, *given: Any, **more: Any) -> tuple[type[RefdeskError], str]:
        with pytest.raises(RefdeskError) as error:
            asking(*given, **more)
        return type(error.value), error.value.code

    for given, more in (
        (("?", ["Hours"]), {}),
        ((QUESTION, ["Nothing"]), {}),
        ((QUESTION,), {"agent": "Nobody"}),
        ((QUESTION, ["Hours"]), {"agent": "Reception"}),
        ((QUESTION,), {}),
        ((QUESTION,), {"agent": "Reception", "model": "nobody:nothing"}),
    ):
        assert raised(client.ask, *given, **more) == raised(voice.desk.ask, *given, **more)
    with pytest.raises(NotFound):
        client.runs.get("run_none")


@pytest.mark.req("RUN6")
def test_runs_are_listed_and_rated(client: Client) -> None:
    runs = [client.ask(QUESTION, agent="Reception").id for _ in range(3)]
    assert [one.id for one in client.runs.list()] == runs[::-1]
    assert [one.id for one in client.runs.list(1, before=runs[2])] == [runs[1]]
    rated = client.runs.rate(runs[0], helpful=False, reason="outdated", note="Since May at ten.")
    assert rated.rating is not None
    assert (rated.rating.reason, rated.rating.note) == ("outdated", "Since May at ten.")
    assert [one.id for one in client.runs.feedback()] == [runs[0]]
    with pytest.raises(UsageError) as wrong:
        client.runs.rate(runs[1], helpful=True, reason="wrong")
    assert wrong.value.code == "bad_value"


@pytest.mark.req("RUN5", "RUN7")
def test_calls_begin_search_and_are_read_as_a_desk_reads_them(voice: Served, client: Client) -> None:
    short = client.calls.start("Reception")
    assert (short.prompt, short.tools, short.call.knowledge_mode) == ("Be brief.", (), "inline")
    assert HOURS in str(short.text)
    client.agents.create("Switchboard", bases=["Long"])
    begun = client.calls.start("switchboard", tool_characters=10)
    tool = voice.desk.calls.start("Switchboard").tools
    assert (begun.text, begun.tools) == (None, tool)
    found = client.calls.search(begun.call.id, QUESTION)
    assert (found.number, found.left) == (1, None if begun.call.searches_limit is None else found.left)
    assert [hit.name for hit in found.found] == ["notes.md"] * len(found.found)
    assert found.found.hits[0].text in found.text
    assert client.calls.get(begun.call.id) == voice.desk.calls.get(begun.call.id)
    with pytest.raises(Refusal):
        client.calls.search(begun.call.id, "?")
    with pytest.raises(UsageError) as inline:
        client.calls.search(short.call.id, QUESTION)
    assert inline.value.code == "wrong_state"


@pytest.mark.req("DOC7", "RUN3")
def test_a_document_that_is_gone_is_erased_from_receipts(voice: Served, client: Client) -> None:
    run = client.ask(QUESTION, agent="Reception")
    document = run.references[0].document
    assert client.documents.delete(document) == 1
    assert client.runs.get(run.id).references[0].text == HOURS
    other = client.bases.get("Long").list_documents()[0].id
    with pytest.raises(NotFound):
        client.documents.delete(other, "doc_01JE3Y0ZD5V7K8Q2M4N6P8R0ST", erase=True)
    assert client.documents.find(other) is not None
    assert client.documents.delete(document, other, erase=True) == 2
    erased = client.runs.get(run.id)
    assert erased.references[0].text.startswith("text erased on")
    assert erased.receipt is not None
    assert erased.receipt.state == "erased"
    assert client.documents.find(other) is None


@pytest.mark.req("DOC7", "RUN3")
def test_single_runs_and_calls_are_erased(voice: Served, client: Client) -> None:
    run, other = (client.ask(QUESTION, agent="Reception") for _ in range(2))
    voice.desk.agents.create("Switchboard", bases=["Long"])
    call = client.calls.start("Switchboard").call
    client.calls.search(call.id, QUESTION)
    kept = client.calls.get(call.id).searches
    assert client.runs.erase(run.id, call.id, run.id) == 2
    erased = client.runs.get(run.id)
    assert erased.receipt is not None
    assert erased.receipt.state == "erased"
    said = (erased.question, str(erased.answer), erased.references[0].text)
    assert all(text.startswith("text erased on") for text in said)
    [search] = client.calls.get(call.id).searches
    assert search.query.startswith("text erased on")
    assert search.passages == kept[0].passages
    assert client.runs.get(other.id) == other
    assert client.runs.erase(run.id) == 1  # again
    with pytest.raises(NotFound):
        client.runs.erase("run_01JE3Y0ZD5V7K8Q2M4N6P8R0ST")
    for address in (f"/v2/runs/{call.id}/erase", f"/v2/calls/{run.id}/erase"):
        assert voice.client.post(address).status_code == 404
