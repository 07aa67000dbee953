"""Desks whose questions a provider's model answers: what it is given, what it looks up, what is kept."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from as_openai import KEY, as_openai
from tests.unit.desk.test_figures import drawn

from refdesk import Desk
from refdesk.access import Principal
from refdesk.answer.model import Run
from refdesk.errors import Failed, Refusal, UsageError
from refdesk.policy import load_policy
from refdesk.testing import Chatted, FakeProvider, Says, ToolUse

Opener = Callable[..., Desk]
QUESTION = "when will a refund arrive?"
MODEL = "openai:gpt-4o"


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeProvider]:
    yield from as_openai(monkeypatch)


@pytest.fixture
def packs(open_desk: Opener, folder: Path) -> Desk:
    desk = open_desk("packs")
    desk.bases.create("Returns").add(folder / "returns.md", wait=True)
    return desk


@pytest.fixture
def bases(open_desk: Opener, folder: Path) -> Desk:
    desk = open_desk("bases", home="bases")
    desk.bases.create("Returns").add(folder / "returns.md", wait=True)
    desk.bases.create("Prices").add(folder / "billing" / "prices.md", wait=True)
    return desk


def search(query: str, **more: object) -> Says:
    return [ToolUse("knowledge_search", {"query": query, **more})]


@pytest.mark.req("RUN1", "RUN3")
def test_a_model_is_given_references_and_its_answer_is_kept(packs: Desk, provider: FakeProvider) -> None:
    provider.says = ["Within five to seven working days [1], or sooner [7]."]
    agent = packs.agents.create("Reception", prompt="Be brief.", model=MODEL, bases=["Returns"])
    run = packs.ask(QUESTION, agent=agent.id)
    assert run.answer == "Within five to seven working days [1], or sooner."
    assert (run.outcome, run.model, run.delivery) == ("answered_with_warning", MODEL, "references")
    assert [(one.number, one.support) for one in run.citations] == [(1, "supported")]
    assert any("[7], which was not issued" in warning for warning in run.warnings)
    [asked] = provider.chats
    assert asked.system.startswith("Be brief.")
    assert "five to seven working days" in asked.texts[0]
    assert (run.input_tokens, run.output_tokens, run.cost) == (asked.tokens, 10, None)
    assert packs.runs.get(run.id) == run


@pytest.mark.req("RUN1", "SRCH7", "RUN3")
def test_a_model_looks_things_up_and_each_search_is_kept(bases: Desk, provider: FakeProvider) -> None:
    [returns, prices] = [base.id for base in bases.bases.list()]
    provider.says = [
        search("refund arrive", top_k=1),
        search("screen repair price", kb_id=prices),
        search("refund arrive", kb_id=returns),
        "In five to seven working days [1]; a screen repair is 89 EUR [2].",
    ]
    issued: list[list[int]] = []
    run = bases.ask(
        QUESTION,
        ["Returns", "Prices"],
        model=MODEL,
        issued=lambda references: issued.append([one.number for one in references]),
    )
    assert (run.outcome, run.delivery) == ("answered", "tool")
    assert [one.base for one in run.references] == ["Returns", "Prices"]
    assert issued == [[1], [1, 2]]
    assert [(one.number, one.query, one.base, one.references, one.error) for one in run.searches] == [
        (1, "refund arrive", None, (1,), None),
        (2, "screen repair price", prices, (2,), None),
        (3, "refund arrive", returns, (1,), None),
    ]
    assert [one.number for one in run.citations] == [1, 2]
    assert [chat.tools for chat in provider.chats] == [("knowledge_search",)] * 4
    assert "five to seven" not in provider.chats[0].texts[0]
    assert "five to seven" in provider.chats[1].texts[-1]
    assert run.input_tokens == sum(chat.tokens for chat in provider.chats)
    assert bases.runs.get(run.id) == run


@pytest.mark.req("SRCH7", "SRCH8")
def test_what_a_lookup_cannot_do_is_said_and_kept(
    bases: Desk, provider: FakeProvider, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise Failed("The index of the base is on another disk.", code="index_damaged")

    provider.says = [
        search("refund", kb_id="kb_nowhere"),
        [ToolUse("read_file", {"query": "/etc/passwd"})],
        search("refund", top_k=999),
        search("refund"),
        "I do not know.",
    ]
    monkeypatch.setattr("refdesk.desk.asking.find_in", broken)
    with caplog.at_level(logging.DEBUG):
        run = bases.ask(QUESTION, ["Returns"], model=MODEL)
    said = [one.error or "" for one in run.searches]
    assert "There is no base 'kb_nowhere'" in said[0]
    assert "There is no tool 'read_file'" in said[1]
    assert said[2:] == ["The lookup is unavailable."] * 2
    assert "another disk" in caplog.text
    assert not any("another disk" in text for chat in provider.chats for text in chat.texts)
    assert QUESTION not in caplog.text
    assert "five to seven" not in caplog.text
    assert KEY not in caplog.text


@pytest.mark.req("SRCH3")
def test_the_searches_of_a_run_are_counted(bases: Desk, provider: FakeProvider) -> None:
    most = load_policy("bases").answers.searches

    def until_told(chatted: Chatted) -> Says:
        return "In five to seven days [1]." if "used up" in chatted.texts[-1] else search("refund")

    provider.otherwise = until_told
    run = bases.ask(QUESTION, ["Returns"], model=MODEL)
    assert len(run.searches) == most
    assert len(provider.chats) == most + 2
    assert run.citations

    provider.otherwise = search("refund")
    with pytest.raises(Failed, match="never stopped searching"):
        bases.ask(QUESTION, ["Returns"], model=MODEL)
    failed = bases.runs.list()[0]
    assert (failed.outcome, len(failed.searches)) == ("failed", most)


@pytest.mark.req("RUN2", "SRCH6")
def test_an_answer_without_a_look_into_the_documents_carries_a_warning(
    bases: Desk, provider: FakeProvider
) -> None:
    provider.says = ["Within a week."]
    run = bases.ask(QUESTION, ["Returns"], model=MODEL)
    assert run.outcome == "answered_with_warning"
    assert "without looking anything up" in run.warnings[0]
    provider.says = [search("orchestra conductor"), "The documents do not cover it; a conductor."]
    nothing = bases.ask("who conducts the orchestra?", ["Returns"], model=MODEL)
    assert nothing.outcome == "answered_with_warning"
    assert "there are no references" in provider.chats[-1].texts[-1] or "doubt" in str(nothing.warnings)


@pytest.mark.req("RUN2")
def test_required_tries_once_more_and_keeps_what_was_not_accepted(
    bases: Desk, provider: FakeProvider
) -> None:
    heard: list[str | None] = []
    provider.says = ["In some days.", "In five to seven working days [1]."]
    run = bases.ask(QUESTION, ["Returns"], grounding="required", model=MODEL, said=heard.append)
    assert (run.outcome, run.rejected, run.delivery) == ("answered", ("In some days.",), "references")
    assert "".join(filter(None, heard[heard.index(None) :])) == run.answer
    provider.says = ["In some days.", "In a few days."]
    heard.clear()
    refused = bases.ask(QUESTION, ["Returns"], grounding="required", model=MODEL, said=heard.append)
    assert (refused.outcome, refused.answer) == ("not_accepted", None)
    assert (heard.count(None), heard[-1]) == (2, None)
    assert refused.rejected == ("In some days.", "In a few days.")
    assert bases.runs.get(refused.id) == refused
    asked = len(provider.chats)
    stopped = bases.ask("who conducts the orchestra?", ["Returns"], grounding="required", model=MODEL)
    assert (stopped.outcome, len(provider.chats)) == ("not_covered", asked)


@pytest.mark.req("RUN1")
def test_whole_texts_need_no_lookup(open_desk: Opener, folder: Path, provider: FakeProvider) -> None:
    voice = open_desk("voice", home="voice")
    voice.bases.create("Returns").add(folder / "returns.md", wait=True)
    voice.agents.create("Reception", model=MODEL, bases=["Returns"])
    run = voice.ask(QUESTION, agent="Reception")
    assert (run.knowledge_mode, run.delivery, run.searches) == ("inline", "inline", ())
    assert "An exchange needs the receipt." in provider.chats[0].texts[0]
    assert provider.chats[0].tools == ()


@pytest.mark.req("RUN3")
def test_a_model_that_fails_leaves_the_record_of_what_it_was_given(
    packs: Desk, provider: FakeProvider
) -> None:
    provider.mode, provider.retry_after = "429", "3600"
    with pytest.raises(Failed, match="asked too often") as caught:
        packs.ask(QUESTION, ["Returns"], model=MODEL)
    assert (caught.value.code, caught.value.retry_after) == ("model_unavailable", 3600)
    [kept] = packs.runs.list()
    assert (kept.outcome, kept.answer, kept.message) == ("failed", None, caught.value.message)
    assert "five to seven" in kept.references[0].text


@pytest.mark.req("RUN3", "DOC7")
def test_an_erased_document_leaves_nothing_that_a_model_said_of_it(
    bases: Desk, provider: FakeProvider
) -> None:
    provider.says = [search("the five to seven days"), "In five to seven days [1]."]
    run = bases.ask(QUESTION, ["Returns"], model=MODEL)
    provider.says = ["In five to seven days."] * 2
    refused = bases.ask(QUESTION, ["Returns"], grounding="required", model=MODEL)
    bases.documents.delete(run.references[0].document, erase=True)
    for id_ in (run.id, refused.id):
        left = bases.runs.get(id_)
        assert "five to seven" not in f"{left.answer}{left.searches}{left.rejected}{left.references}"
        assert state_of(left) == "erased"


def state_of(run: Run) -> str | None:
    from refdesk.answer.receipt import state

    return state(run)


@pytest.mark.req("FIG5")
def test_a_model_is_shown_as_many_pictures_as_the_policy_says(
    packs: Desk, provider: FakeProvider, tmp_path: Path
) -> None:
    packs.bases.create("Flows").add(drawn(tmp_path), wait=True)
    plain = packs.ask("what is the credit flow?", ["Flows"], model=MODEL)
    assert (provider.chats[0].images, [one.shown for one in plain.references[0].figures]) == (0, [False] * 3)
    assert "[Figure 1: Credit flow]" in provider.chats[0].texts[0]
    packs._parts.policy = load_policy("packs", {"figures.shown": 2})
    run = packs.ask("what is the credit flow?", ["Flows"], model=MODEL)
    assert provider.chats[1].images == 2
    assert [one.shown for one in run.references[0].figures] == [True, True, False]
    assert "Figure 2 of reference [1]:" in provider.chats[1].texts
    assert packs.runs.get(run.id) == run


def test_an_account_for_answers_is_verified_and_asked_by_its_name(
    open_desk: Opener, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFDESK_ALLOW_PRIVATE_HOSTS", "true")
    desk = open_desk("packs", home="accounts")
    desk.bases.create("Returns").add(folder / "returns.md", wait=True)
    with FakeProvider(key=KEY) as own:
        made = desk.accounts.create(
            "House",
            "openai-compatible",
            purpose="answers",
            model="llama3",
            base_url=f"{own.url}/v1",
            secret=KEY,
        )
        assert (made.purpose, made.state) == ("answers", "unverified")
        verified = desk.accounts.verify("House")
        assert (verified.state, verified.error, verified.dimensions) == ("verified", None, None)
        own.says = ["In five to seven working days [1]."]
        run = desk.ask(QUESTION, ["Returns"], model="House:mistral-7b")
        assert (run.model, run.outcome) == ("House:mistral-7b", "answered")
        assert [chat.model for chat in own.chats] == ["llama3", "mistral-7b"]
        own.mode, own.echo = "401", KEY
        failed = desk.accounts.verify("House")
        assert failed.state == "failed"
        assert "refuses the key" in (failed.error or "")
        assert KEY not in str(failed)
    with pytest.raises(UsageError, match="is for answers"):
        desk.bases.get("Returns").update(embedding_account_id="House")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"provider": "anthropic", "model": "claude-haiku-4-5"}, "needs its secret"),
        ({"provider": "openai-compatible", "model": "x"}, "needs its base_url"),
        ({"provider": "huggingface", "model": "x", "secret": KEY}, "answers no questions"),
        ({"provider": "openai", "secret": KEY}, "Name the model"),
        ({"provider": "openai", "model": "x", "secret": KEY, "dimensions": 3}, "are of embeddings"),
        (
            {"provider": "anthropic", "purpose": "embeddings", "model": "x", "secret": KEY},
            "makes no embeddings",
        ),
    ],
)
def test_what_cannot_be_an_account_for_answers(
    open_desk: Opener, values: dict[str, object], words: str
) -> None:
    desk = open_desk("packs")
    with pytest.raises(UsageError, match=words):
        desk.accounts.create(**{"name": "House", "purpose": "answers", **values})  # type: ignore[arg-type]


@pytest.mark.req("A2")
def test_a_judge_weighs_the_wording_of_what_is_cited(
    open_desk: Opener, folder: Path, provider: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFDESK_JUDGE_MODEL", "openai:judge")
    desk = open_desk("packs", home="judged")
    desk.bases.create("Returns").add(folder / "returns.md", wait=True)

    def verdict(text: str, said: str = "It takes some working days until a refund arrives [1].") -> Run:
        provider.says = [said, text]
        return desk.ask(QUESTION, ["Returns"], model=MODEL)

    for word in ("supported", "weak", "unsupported"):
        run = verdict(f"S1 [1]: {word}\nS1 [2]: supported\nS9 [1]: supported")
        assert [(one.number, one.support) for one in run.citations] == [(1, word)]
        assert (run.input_tokens, run.timings["judge_ms"] > 0) == (
            sum(chat.tokens for chat in provider.chats[-2:]),
            True,
        )
    judge = provider.chats[-1]
    assert (judge.model, judge.tools) == ("judge", ())
    assert "S1 [1]: It takes some working days until a refund arrives." in judge.texts[0]
    assert "five to seven working days" in judge.texts[0]
    # what stands in no passage is no matter of wording, and a judge without a verdict changes nothing
    false = verdict("S1 [1]: supported", "A refund arrives within 9 working days [1].")
    assert [one.support for one in false.citations] == ["unsupported"]
    plain = verdict(
        "I follow the orders in the passage.", "A refund arrives within five to seven working days [1]."
    )
    assert [one.support for one in plain.citations] == ["supported"]
    provider.says, provider.script = (
        ["A refund arrives within five to seven working days [1]."],
        ["answer", "401"],
    )
    unjudged = desk.ask(QUESTION, ["Returns"], model=MODEL)
    assert unjudged.citations[0].support == "supported"
    assert "checked by rules alone" in unjudged.warnings[-1]
    asked = len(provider.chats)
    assert desk.ask(QUESTION, ["Returns"]).outcome == "answered"
    assert len(provider.chats) == asked  # what is quoted needs no judge


def test_an_address_in_a_name_is_for_whoever_runs_the_desk_alone(packs: Desk) -> None:
    with FakeProvider() as own:
        name = f"openai:llama3@{own.url}/v1"
        assert packs.ask(QUESTION, ["Returns"], model=name).model == name
        other = packs.acting(Principal("person", "ada@example.org", None, frozenset({"PlatformAdmin"})))
        with pytest.raises(Refusal, match="Make an account") as caught:
            other.ask(QUESTION, ["Returns"], model=name)
        assert caught.value.code == "host_not_allowed"
        assert len(own.chats) == 1


@pytest.mark.req("RUN3")
def test_what_is_no_text_does_not_come_in_from_a_model(bases: Desk, provider: FakeProvider) -> None:
    heard: list[str | None] = []
    provider.says = [search("re\x00fund"), "Within five\x00 to seven working days [1]."]
    run = bases.ask(QUESTION, ["Returns"], model=MODEL, said=heard.append)
    assert run.answer == "Within five to seven working days [1]." == "".join(one or "" for one in heard)
    assert [one.query for one in run.searches] == ["refund"]
    with pytest.raises(UsageError, match="no control characters"):
        bases.ask(QUESTION, ["Returns"], model="openai:gpt\x00-5")
