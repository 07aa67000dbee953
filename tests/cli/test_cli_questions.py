"""``search`` and ``ask``: shapes, exit codes, and what a person sees."""

from __future__ import annotations

import pytest

from refdesk.cli import main

RETURNS = """# Returns

Goods may be sent back for any reason. Keep the receipt and the box.

## Refunds

The desk looks at every return by hand. A refund arrives within 14 days of the return.
Vouchers are paid out as vouchers.
"""
WARRANTY = "# Warranty\n\nEvery lamp has a warranty of five years. Bulbs have none.\n"


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A desk that these tests only ask."""
    folder = tmp_path_factory.mktemp("shop")
    (folder / "returns.md").write_text(RETURNS)
    (folder / "warranty.md").write_text(WARRANTY)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REFDESK_CACHE", str(folder / "cache"))
        documents = [str(folder / name) for name in ("returns.md", "warranty.md")]
        assert main(["--home", str(folder / "home"), "add", *documents, "--base", "Shop", "--wait"]) == 0
    return folder / "home"


@pytest.fixture
def shop(run, filled, monkeypatch):
    monkeypatch.setenv("REFDESK_HOME", str(filled))
    return "Shop"


HIT = {
    "number", "base", "document", "name", "title", "source_url", "section", "page", "position", "text",
    "similarity", "cosine", "found_by", "also_in", "truncated",
}  # fmt: skip


@pytest.mark.req("SRCH2")
def test_search_prints_the_contract_s_shape(run, shop):
    result = run("search", "when does a refund arrive?", "--base", shop, "--mode", "keyword", "--json")
    assert result.code == 0
    assert set(result.document) == {"mode", "answered_by", "took_ms", "notes", "hits"}
    hits = result.document["hits"]
    assert [hit["number"] for hit in hits] == list(range(1, len(hits) + 1))
    assert set(hits[0]) >= HIT
    assert (hits[0]["base"], hits[0]["name"], hits[0]["found_by"]) == ("Shop", "returns.md", ["keyword"])
    assert (hits[0]["similarity"], hits[0]["cosine"]) == (None, None)


def test_a_person_sees_number_title_place_and_the_best_sentence(run, shop):
    said = run("search", "when does a refund arrive?", "--base", shop, "--mode", "keyword")
    assert said.code == 0
    heading, text = said.out.splitlines()[:2]
    assert heading.startswith(" 1  Returns › Refunds  Shop · returns.md")
    assert "A refund arrives within 14 days of the return." in said.out
    assert text.startswith("    ")
    assert max(map(len, said.out.splitlines())) <= 100


def test_no_hits_is_done(run, shop):
    result = run("search", "zeppelin", "--base", shop, "--mode", "keyword", "--json")
    assert (result.code, result.document["hits"]) == (0, [])
    said = run("search", "zeppelin", "--base", shop, "--mode", "keyword")
    assert (said.code, said.out.strip().splitlines()[-1]) == (0, "Nothing was found.")


@pytest.mark.req("A4")
def test_an_empty_base_is_said_in_words(run, tmp_path):
    (tmp_path / "empty.md").write_text("")
    run("add", tmp_path / "empty.md", "--base", "Bare")
    result = run("search", "words", "--base", "Bare", "--json")
    assert (result.code, result.document["hits"]) == (0, [])
    assert result.document["notes"]
    assert run("search", "words", "--base", "Bare").code == 0


@pytest.mark.req("H6")
def test_min_score_with_keyword_is_wrong_usage(run, shop):
    result = run("search", "refund", "--base", shop, "--mode", "keyword", "--min-score", "0.2", "--json")
    assert (result.code, result.error["code"]) == (2, "min_score_with_keyword")


def test_a_number_that_json_cannot_hold_is_told_in_words(run, shop):
    for option, code in (("--deadline", "deadline_out_of_range"), ("--min-score", "min_score_out_of_range")):
        error = run("search", "refund", "--base", shop, option, "nan", "--json").error
        assert (error["code"], error["actual"]) == (code, "nan")


@pytest.mark.parametrize("top_k", ["0", "9", "-1"])
def test_top_k_outside_the_policy_is_refused_never_clamped(run, shop, top_k):
    result = run("search", "refund", "--base", shop, "--top-k", top_k, "--json")
    assert (result.error["code"], result.error["limit"], result.error["actual"]) == (
        "top_k_out_of_range",
        8,
        int(top_k),
    )
    assert result.code in (2, 3)


@pytest.mark.req("W8")
@pytest.mark.parametrize(
    ("question", "code"),
    [(" ", "empty_question"), ("?!", "empty_question"), ("x" * 2001, "question_too_long")],
)
@pytest.mark.parametrize("command", ["search", "ask"])
def test_a_question_that_is_none_is_refused(run, shop, command, question, code):
    result = run(command, question, "--base", shop, "--json")
    assert (result.code, result.error["code"]) == (3, code)


@pytest.mark.req("W1", "W8")
@pytest.mark.parametrize(
    "question", ['"refund', "refund AND NOT (", "refund*: ^x", "re\udcfffund", "refund\x00"]
)
def test_signs_are_words_or_nothing(run, shop, question):
    assert run("search", question, "--base", shop, "--mode", "keyword", "--json").code == 0


def test_a_base_that_does_not_exist_is_not_found(run, shop):
    result = run("search", "refund", "--base", shop, "--base", "Nosuch", "--json")
    assert (result.code, result.error["code"]) == (4, "not_found")


RUN = {"run", "outcome", "answer", "message", "references", "citations", "warnings", "model", "cost"}
REFERENCE = {"number", "base", "document", "name", "title", "source_url", "section", "page", "text"}


@pytest.mark.req("RUN2", "RUN3")
def test_ask_prints_the_contract_s_shape_and_keeps_the_receipt(run, shop):
    result = run("ask", "when does a refund arrive?", "--base", shop, "--json")
    assert result.code == 0
    document = result.document
    assert set(document) == RUN
    assert document["outcome"] == "answered"
    assert "14 days" in document["answer"]
    assert set(document["references"][0]) >= REFERENCE
    assert set(document["citations"][0]) == {"number", "document", "name", "support"}
    receipt = run("show", document["run"], "--json").document
    assert {key: receipt[key] for key in RUN} == document
    assert receipt["question"] == "when does a refund arrive?"
    assert receipt["person"] == "local"
    said = run("show", document["run"]).out
    assert all(reference["text"] in said for reference in document["references"])


def test_a_person_sees_the_answer_then_its_sources(run, shop):
    said = run("ask", "when does a refund arrive?", "--base", shop)
    assert said.code == 0
    answer, _, sources = said.out.partition("\n\n")
    assert "14 days" in answer
    assert "[1]" in answer
    assert sources.startswith("[1] Returns › Refunds  Shop · returns.md")
    assert "refdesk show run_" in sources


@pytest.mark.req("RUN2")
def test_required_without_anything_acceptable_is_exit_3_with_the_whole_run(run, shop):
    arguments = ("ask", "who won the chess tournament?", "--base", shop, "--grounding", "required")
    result = run(*arguments, "--json")
    assert result.code == 3
    document = result.document
    assert set(document) == RUN
    assert (document["outcome"], document["answer"]) == ("not_covered", None)
    said = run(*arguments)
    assert said.code == 3
    assert document["message"] in said.out


@pytest.mark.req("A4")
@pytest.mark.parametrize(("grounding", "code"), [("open", 0), ("preferred", 0), ("required", 3)])
def test_an_empty_base_is_words_except_where_documents_are_required(run, tmp_path, grounding, code):
    (tmp_path / "empty.md").write_text("")
    run("add", tmp_path / "empty.md", "--base", "Bare")
    result = run("ask", "when?", "--base", "Bare", "--grounding", grounding, "--json")
    assert result.code == code
    assert (result.document["outcome"] == "not_covered") is (code == 3)


def test_a_model_that_is_not_there_is_one_sentence(run, shop):
    result = run("ask", "refund?", "--base", shop, "--model", "nosuch:model", "--json")
    assert result.code in (1, 2)
    assert "nosuch:model" in result.error["message"]


@pytest.mark.req("KB3")
def test_an_agent_is_asked_and_its_receipt_says_that_it_is_whole(run, shop):
    run("agents", "create", "Reception", "--prompt", "Be brief.", "--base", shop)
    question = "when does a refund arrive?"
    asked = run("ask", question, "--agent", "reception", "--json").document
    assert asked["outcome"] == "answered"
    shown = run("show", asked["run"], "--json").document
    assert shown["agent"].startswith("agt_")
    assert (shown["agent_version"], shown["knowledge_mode"]) == (1, "search")
    assert [base["name"] for base in shown["knowledge"]] == [shop]
    assert shown["receipt"]["state"] == "intact"
    said = run("show", asked["run"]).out
    assert "agent agt_" in said
    assert "The receipt is the one that was written." in said


def test_an_agent_or_bases_are_asked_and_not_both(run, shop):
    for given in ((), ("--agent", "Reception", "--base", shop)):
        assert run("ask", "when?", *given).code == 2
    assert run("ask", "when does a refund arrive?", "--agent", "Nobody").code == 4
