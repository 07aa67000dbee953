"""Outcomes of a run (RUN2), the quoting model, and support of citations (A2)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from refdesk.answer.model import Completion, Prompt, Run
from refdesk.answer.models import QuotingModel, open_model
from refdesk.answer.models.units import units
from refdesk.answer.run import answer
from refdesk.errors import UsageError
from refdesk.policy import load_policy
from refdesk.policy.model import Grounding
from refdesk.search import Found, Hit, QuestionWord

REFUND = "# Refunds\n\nA refund arrives within five to seven working days. It goes to the same card."
PRICES = "| Service | Price |\n| --- | --- |\n| Screen repair | 89 EUR |\n| Battery | 49 EUR |"


def hit(number: int, text: str, title: str = "Returns", similarity: float | None = 0.8) -> Hit:
    return Hit(
        number=number,
        base="Handbook",
        document=f"doc_{number}",
        name=f"{title.lower()}.md",
        title=title,
        source_url=None,
        metadata={},
        section=None,
        page=None,
        position=1,
        text=text,
        similarity=similarity,
        cosine=similarity,
        found_by=("keyword", "meaning"),
        also_in=(),
        truncated=False,
        score=1.0,
        version=1,
    )


def found(
    *hits: Hit, words: dict[str, int] | None = None, passages: int = 500, mode: str = "hybrid"
) -> Found:
    return Found(
        mode=mode,  # type: ignore[arg-type]
        answered_by=mode,  # type: ignore[arg-type]
        took_ms=1.0,
        hits=hits,
        passages=passages,
        words=tuple(QuestionWord(word, count) for word, count in (words or {}).items()),
        languages=("english",),
        telling="words" if mode == "keyword" else "both",
    )


class Saying:
    """A model that says the next of its texts, and keeps the prompts that it was given."""

    name = "saying"

    def __init__(self, *texts: str) -> None:
        self.texts = list(texts)
        self.prompts: list[Prompt] = []

    def complete(self, prompt: Prompt) -> Completion:
        self.prompts.append(prompt)
        return Completion(self.texts.pop(0), 10, 5, 0.5)


ANSWERABLE = found(hit(1, REFUND), hit(2, PRICES, "Prices", 0.2), words={"refund": 4, "arrive": 9})
OFF_TOPIC = found(hit(1, PRICES, "Prices", 0.1), words={"capital": 0, "france": 0})
QUESTION = "When will a refund arrive?"
OTHER = "What is the capital of France?"


def ask(question: str, given: Found, grounding: Grounding, model: object, policy: str = "packs") -> Run:
    return answer(
        question,
        given,
        grounding=grounding,
        model=model,  # type: ignore[arg-type]
        policy=load_policy(policy),
        person="local",
    )


@pytest.mark.req("RUN2")
@pytest.mark.parametrize("grounding", ["open", "preferred", "required"])
def test_an_answerable_question_is_answered_and_cited(grounding: Grounding) -> None:
    run = ask(QUESTION, ANSWERABLE, grounding, QuotingModel())
    assert run.outcome == "answered"
    assert run.answer == "“A refund arrives within five to seven working days.” [1]"
    assert [(one.number, one.document, one.support) for one in run.citations] == [(1, "doc_1", "supported")]
    assert [one.text for one in run.references] == [REFUND, PRICES]


@pytest.mark.req("RUN2")
def test_required_stops_before_the_model_where_nothing_acceptable_was_found() -> None:
    model = Saying()
    run = ask(OTHER, OFF_TOPIC, "required", model)
    assert (run.outcome, run.answer, run.citations) == ("not_covered", None, ())
    assert run.message == "The documents do not cover this question: nothing that was found answers it."
    assert model.prompts == []
    assert len(run.references) == 1  # the whole run is still told


@pytest.mark.req("RUN2")
def test_required_retries_once_and_then_accepts_no_answer_without_a_citation() -> None:
    model = Saying("In a week.", "In about a week.")
    run = ask(QUESTION, ANSWERABLE, "required", model)
    assert (run.outcome, run.answer) == ("not_accepted", None)
    assert run.message
    assert len(model.prompts) == 2
    assert (run.input_tokens, run.cost) == (20, 1.0)
    better = ask(QUESTION, ANSWERABLE, "required", Saying("In a week.", "Within seven working days [1]."))
    assert (better.outcome, better.answer) == ("answered", "Within seven working days [1].")


@pytest.mark.req("RUN2")
def test_preferred_completes_with_a_warning() -> None:
    uncited = ask(QUESTION, ANSWERABLE, "preferred", Saying("In a week."))
    assert (uncited.outcome, uncited.answer) == ("answered_with_warning", "In a week.")
    assert uncited.warnings == ("The answer cites none of its references.",)
    doubtful = ask(OTHER, OFF_TOPIC, "preferred", QuotingModel())
    assert doubtful.outcome == "answered_with_warning"
    assert doubtful.answer == "The documents do not cover this question."
    opened = ask(QUESTION, ANSWERABLE, "open", Saying("In a week."))
    assert (opened.outcome, opened.warnings) == ("answered", ())


@pytest.mark.req("A4", "RUN2")
def test_an_empty_base_is_said_in_words() -> None:
    empty = found(passages=0)
    for grounding in ("open", "preferred"):
        run = ask(QUESTION, empty, grounding, QuotingModel())  # type: ignore[arg-type]
        assert run.answer == "There are no documents to answer from yet."
    assert ask(QUESTION, empty, "required", QuotingModel()).outcome == "not_covered"


@pytest.mark.req("A1", "RUN2")
def test_a_number_that_was_not_issued_is_struck_and_told() -> None:
    run = ask(QUESTION, ANSWERABLE, "preferred", Saying("Within seven working days [1][7]."))
    assert run.answer == "Within seven working days [1]."
    assert [one.number for one in run.citations] == [1]
    assert any("[7]" in warning for warning in run.warnings)


@pytest.mark.req("A2")
@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("A refund arrives within 9 working days [1].", "9"),
        ("A refund arrives on 2026-03-01 [1].", "2026-03-01"),
        ("A refund has the code RF-77 [1].", "rf-77"),
        ("A refund goes through Lisbon to the same card [1].", "lisbon"),
        ("The battery costs 89 EUR [1].", "89"),
    ],
)
def test_what_stands_in_no_cited_passage_is_flagged(text: str, missing: str) -> None:
    run = ask(QUESTION, ANSWERABLE, "preferred", Saying(text))
    assert run.outcome == "answered_with_warning"
    [warning] = [warning for warning in run.warnings if warning.startswith("In no cited passage")]
    assert missing in warning.casefold()
    assert run.citations[0].support == "unsupported"


@pytest.mark.req("A2")
@pytest.mark.parametrize(
    "text",
    [
        "Screen repair costs 89 EUR [2].",
        "Screen repair costs 89EUR. [2]",
        "A refund goes to the same card [1], and a Battery is 49 EUR [2].",
    ],
)
def test_what_stands_in_the_cited_passage_is_not_flagged(text: str) -> None:
    run = ask(QUESTION, ANSWERABLE, "preferred", Saying(text))
    assert run.warnings == ()
    assert {one.support for one in run.citations} == {"supported"}


@pytest.mark.req("A3")
def test_everyday_words_make_no_passage_acceptable_and_a_paraphrase_is_answered() -> None:
    everyday = found(
        hit(1, "What is this? It is what you can do with it.", similarity=0.1), words={"capital": 0}
    )
    assert (
        ask("What can you do with the capital?", everyday, "required", QuotingModel()).outcome
        == "not_covered"
    )
    paraphrase = found(hit(1, REFUND, similarity=0.9), words={"money": 0, "back": 0})
    assert (
        ask("How soon do I see my money back?", paraphrase, "required", QuotingModel()).outcome == "answered"
    )


def test_by_keyword_alone_the_words_decide() -> None:
    bare = replace(hit(1, REFUND), similarity=None, cosine=None, found_by=("keyword",))
    words = found(bare, words={"refund": 4, "arrive": 9}, mode="keyword")
    assert ask(QUESTION, words, "required", QuotingModel()).outcome == "answered"
    few = found(bare, words={"refund": 4, "bank": 0, "holiday": 0, "germany": 0}, mode="keyword")
    asked = "Does a bank holiday in Germany delay my refund?"
    assert ask(asked, few, "required", QuotingModel()).outcome == "not_covered"


@pytest.mark.req("A3", "W4")
def test_a_relative_of_an_identifier_is_not_the_one_that_was_asked_for() -> None:
    log = found(hit(1, "INC0047102 was closed in April.", similarity=0.4), words={"inc0046001": 40})
    for asked, outcome in (("What happened in INC0046001?", "not_covered"), ("INC0047102?", "answered")):
        assert ask(asked, log, "required", QuotingModel()).outcome == outcome


@pytest.mark.req("A3")
def test_what_a_model_cannot_compare_is_left_to_words_and_what_words_cannot_to_it() -> None:
    given = found(hit(1, REFUND, similarity=0.3), words={"refund": 4, "arrive": 9})
    asked = "How soon is the money back on my account?"
    outcomes = {}
    for telling in ("both", "words", "meaning"):
        told = replace(given, telling=telling, words=())  # type: ignore[arg-type]
        outcomes[telling] = ask(asked, told, "required", QuotingModel()).outcome
    assert outcomes == {"both": "not_covered", "words": "not_covered", "meaning": "answered"}
    only = replace(given, telling="words", hits=(hit(1, REFUND, similarity=0.0),))
    assert ask(QUESTION, only, "required", QuotingModel()).outcome == "answered"


@pytest.mark.req("A5", "SRCH6")
def test_what_an_uncovered_question_is_answered_with_is_the_policys() -> None:
    told = {}
    for policy in ("packs", "bases"):
        model = Saying("x")
        ask(OTHER, OFF_TOPIC, "preferred", model, policy)
        told[policy] = model.prompts[0].system
    assert "answer from what you know" in " ".join(told["bases"].split())
    assert "answer from what you know" not in " ".join(told["packs"].split())


def test_a_fallback_of_the_search_is_told_on_the_run() -> None:
    late = replace(ANSWERABLE, answered_by="keyword", notes=("Meaning search was late.",))
    assert "Meaning search was late." in ask(QUESTION, late, "preferred", QuotingModel()).warnings


def test_the_quoting_model_reads_a_table_row_with_its_header() -> None:
    prices = found(hit(1, PRICES, "Prices"), words={"battery": 2, "cost": 3})
    run = ask("How much does a battery cost?", prices, "preferred", QuotingModel())
    assert run.answer == "Service: Battery; Price: 49 EUR [1]"


def test_units_are_sentences_items_rows_and_code() -> None:
    text = (
        "Page 3\n# Title\nFirst sentence. Second one,\nwrapped.\n\n- an **item**\n- another\n\n"
        "| A | B |\n|---|---|\n| 1 | x |\n\n```\nrun --now\n```\nKeywords: a, b"
    )
    assert [unit.text for unit in units(text)] == [
        "First sentence.",
        "Second one, wrapped.",
        "an item",
        "another",
        "A: 1; B: x",
        "run --now",
    ]


def test_lines_of_a_pdf_that_end_early_are_on_their_own() -> None:
    text = (
        "Page 1\nOld entries\nAn entry is called old when it is more than two hours older than the last\n"
        "action of its user.\nNotebook 48 months\nTelephone 36 months\n"
    )
    assert [unit.text for unit in units(text)] == [
        "Old entries",
        "An entry is called old when it is more than two hours older than the last action of its user.",
        "Notebook 48 months",
        "Telephone 36 months",
    ]


def test_an_unknown_model_is_named_with_those_that_exist() -> None:
    assert open_model(None).name == open_model("quoting").name == "quoting"
    with pytest.raises(UsageError, match="quoting"):
        open_model("nobody:nothing")
