"""Looking up as a model's tool: what it may ask, and what it reads back."""

from __future__ import annotations

import logging
import re
from pathlib import Path

import pytest
from tests.unit.desk.conftest import Opener

from refdesk import Desk
from refdesk.desk.toolbox import Toolbox
from refdesk.errors import NotFound
from refdesk.search import Found

QUESTION = "When does a refund arrive?"


@pytest.fixture
def filled(desk: Desk, folder: Path) -> Desk:
    desk.bases.create("Handbook", kind="generic").add(folder / "returns.md", wait=True)
    desk.bases.create("Prices", kind="generic").add(folder / "billing" / "prices.md", wait=True)
    return desk


def ids(desk: Desk) -> dict[str, str]:
    return {base.name: base.id for base in desk.bases.list()}


@pytest.mark.req("SRCH7", "SRCH3")
def test_the_schemas_name_the_bases_and_the_policys_limits(filled: Desk, open_desk: Opener) -> None:
    search, look_up = Toolbox(filled).tools()
    assert (search.name, look_up.name) == ("knowledge_search", "search_knowledge")
    properties = search.parameters["properties"]
    assert properties["kb_id"]["enum"] == list(ids(filled).values())
    assert "Handbook" in properties["kb_id"]["description"]
    assert (properties["top_k"]["maximum"], properties["query"]["maxLength"]) == (8, 2_000)
    assert list(look_up.parameters["properties"]) == ["query"]
    for tool in (search, look_up):
        assert tool.parameters["required"] == ["query"]
        assert tool.to_dict()["function"]["parameters"] == tool.parameters
    [wide, _] = Toolbox(open_desk("bases", home="wide")).tools()
    assert wide.parameters["properties"]["top_k"]["maximum"] == 20
    assert "enum" not in wide.parameters["properties"]["kb_id"]


@pytest.mark.req("SRCH6", "SRCH7", "RUN5")
def test_a_reply_is_numbered_labelled_fenced_and_promises_nothing(filled: Desk) -> None:
    read = Toolbox(filled).call("knowledge_search", {"query": QUESTION, "top_k": 2})
    assert not read.failed
    [mark] = re.findall(r"^Mark: ([0-9a-f]{32})$", read.text, re.MULTILINE)
    assert f"---- {mark} reference [1] begins ----\nFrom: Handbook › Returns › " in read.text
    assert "A refund arrives within five to seven working days." in read.text
    assert f"---- {mark} reference [1] ends ----" in read.text
    assert "may still not answer" in read.text
    assert "say plainly that the documents do not cover it" in read.text
    one = Toolbox(filled).call("knowledge_search", {"query": QUESTION, "kb_id": ids(filled)["Prices"]})
    assert "five to seven" not in one.text
    assert "From: Prices" in one.text
    assert (
        "reference [2]" not in Toolbox(filled).call("knowledge_search", {"query": QUESTION, "top_k": 1}).text
    )


@pytest.mark.req("SRCH6", "A4", "A5")
@pytest.mark.parametrize("bases", [0, 1])
@pytest.mark.parametrize(
    ("policy", "otherwise"),
    [("bases", "then\nanswer from what you know"), ("voice", "State nothing\nthat the references do not")],
)
def test_nothing_found_is_said_with_what_to_do(
    open_desk: Opener, policy: str, otherwise: str, bases: int
) -> None:
    desk = open_desk(policy)
    for number in range(bases):
        desk.bases.create(f"Empty {number}")
    read = Toolbox(desk).call("search_knowledge", {"query": QUESTION})
    assert not read.failed
    assert "there are no references" in read.text
    assert "say plainly that the documents do not cover it" in read.text
    assert otherwise in read.text


@pytest.mark.req("SRCH8")
def test_a_lookup_that_fails_tells_the_model_nothing_and_the_log_why(
    filled: Desk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> Found:
        raise OSError("disk 7 is full of refunds")

    monkeypatch.setattr(Desk, "search", broken)
    with caplog.at_level(logging.ERROR):
        read = Toolbox(filled).call("knowledge_search", {"query": QUESTION})
    assert (read.text, read.failed) == ("The lookup is unavailable.", True)
    assert "error=OSError" in caplog.text
    assert QUESTION not in caplog.text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"query": QUESTION, "top_k": 21}, "21"),
        ({"query": QUESTION, "kb_id": "kb_nothing"}, "There is no base 'kb_nothing' here"),
        ({"query": QUESTION, "colour": "red"}, "not colour"),
        ({"query": 5}, "query is text, and a int was given"),
        ({"query": QUESTION, "top_k": True}, "top_k is a whole number"),
        ({"top_k": 3}, "The tool needs query"),
        ({"query": "?!"}, "no letter or digit"),
    ],
)
def test_what_the_model_can_mend_it_is_told(filled: Desk, arguments: dict[str, object], said: str) -> None:
    read = Toolbox(filled).call("knowledge_search", arguments)
    assert read.failed
    assert said in read.text
    assert Toolbox(filled).call("search_knowledge", {"query": QUESTION, "top_k": None}).failed is False
    assert Toolbox(filled).call("search_knowledge", {"query": QUESTION, "top_k": 2}).failed


@pytest.mark.req("KB2")
def test_an_agents_tools_reach_its_bases_until_the_grant_is_withdrawn(filled: Desk) -> None:
    agent = filled.agents.create("Reception", bases=["Handbook"])
    [handbook, prices] = [ids(filled)[name] for name in ("Handbook", "Prices")]
    bound = filled.keys.resolve(filled.keys.create(agent=agent.id).secret)
    assert bound is not None
    for tools in (Toolbox(filled, agent="Reception"), Toolbox(filled.acting(bound))):
        assert tools.tools()[0].parameters["properties"]["kb_id"]["enum"] == [handbook]
        assert tools.call("knowledge_search", {"query": QUESTION, "kb_id": prices}).failed
        assert "five to seven" in tools.call("search_knowledge", {"query": QUESTION}).text
    [priced] = filled.bases.get("Prices").list_documents()
    [returns] = filled.bases.get("Handbook").list_documents()
    acting = filled.acting(bound)
    assert "five to seven" in acting.lookups.document(returns.id).text
    with pytest.raises(NotFound):
        acting.lookups.document(priced.id)
    filled.agents.update(agent.id, bases=[])
    for tools in (Toolbox(filled, agent="Reception"), Toolbox(acting)):
        read = tools.call("search_knowledge", {"query": QUESTION})
        assert "five to seven" not in read.text
    with pytest.raises(NotFound):
        acting.lookups.document(returns.id)


def test_named_bases_are_the_only_ones(filled: Desk) -> None:
    tools = Toolbox(filled, bases=["handbook"])
    assert tools.reach() == {ids(filled)["Handbook"]: "Handbook"}
    assert "From: Prices" not in tools.call("search_knowledge", {"query": "what is the price?"}).text
    assert Toolbox(filled, bases=["Nothing"]).call("search_knowledge", {"query": QUESTION}).failed
