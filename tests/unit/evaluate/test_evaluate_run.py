"""A whole evaluation, through the product's own ingestion and search."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.conftest import need
from tests.unit.evaluate.conftest import MakeSet

from refdesk.embedding import DEFAULT_MODEL, cache_file, installed
from refdesk.errors import Failed, UsageError
from refdesk.evaluate import evaluate
from refdesk.policy import load_policy
from refdesk.settings import Settings

PACKS = load_policy("packs")

CORPUS = [
    {"_id": "refunds", "title": "Refunds", "text": "The money comes back within ten working days."},
    {"_id": "leave", "title": "Annual leave", "text": "Ask for leave two weeks ahead in the portal."},
    {"_id": "badge", "title": "Badges", "text": "A lost badge costs 15 euros. Report it at the gate."},
    {"_id": "title only", "title": "Canteen opening hours", "text": " "},
]
QUERIES = [
    {"_id": "q1", "text": "When does the money come back?"},
    {"_id": "q2", "text": "What does a lost badge cost?"},
    {"_id": "q3", "text": "opening hours of the canteen"},
    {"_id": "q4", "text": "How tall is the tower?"},
]
QRELS = [("q1", "refunds", 1), ("q2", "badge", 1), ("q3", "title only", 1)]


@pytest.fixture
def nothing_cached(tmp_path: Path) -> Settings:
    return Settings(cache=tmp_path / "cache")


def test_the_report_has_exactly_the_contract_s_keys(make_set: MakeSet, nothing_cached: Settings) -> None:
    report = evaluate(
        make_set(CORPUS, QUERIES, QRELS), mode="keyword", top_k=3, policy=PACKS, settings=nothing_cached
    )
    table = report.to_dict()
    assert list(table) == [
        "queries",
        "ndcg_at_10",
        "recall_at_3",
        "recall_at_10",
        "mrr_at_10",
        "p50_ms",
        "p95_ms",
        "passages",
        "ingest_seconds",
    ]
    assert table["queries"] == 3, "a query that nothing answers does not count for recall"
    assert table["passages"] == 4
    assert table["ndcg_at_10"] == table["recall_at_3"] == table["recall_at_10"] == table["mrr_at_10"] == 1
    assert 0 < report.p50_ms <= report.p95_ms
    assert report.ingest_seconds > 0
    assert report.notes == ()


def test_top_k_is_the_policy_s_until_told_and_may_be_ten(make_set: MakeSet, nothing_cached: Settings) -> None:
    folder = make_set(CORPUS, QUERIES, QRELS)
    for top_k, recalls in (
        (None, {f"recall_at_{PACKS.search.top_k}", "recall_at_10"}),
        (10, {"recall_at_10"}),
    ):
        report = evaluate(folder, mode="keyword", top_k=top_k, policy=PACKS, settings=nothing_cached)
        assert {key for key in report.to_dict() if key.startswith("recall")} == recalls


@pytest.mark.parametrize("top_k", [0, 51])
def test_top_k_may_pass_the_policy_s_maximum_but_not_the_ranking(
    make_set: MakeSet, nothing_cached: Settings, top_k: int
) -> None:
    folder = make_set(CORPUS, QUERIES, QRELS)
    evaluate(folder, mode="keyword", top_k=50, policy=PACKS, settings=nothing_cached)
    with pytest.raises(UsageError) as caught:
        evaluate(folder, mode="keyword", top_k=top_k, policy=PACKS, settings=nothing_cached)
    assert (caught.value.code, caught.value.limit) == ("top_k_out_of_range", 50)


def test_a_document_has_the_score_of_its_best_passage(make_set: MakeSet, nothing_cached: Settings) -> None:
    filler = "\n\n".join(f"Paragraph {n} speaks of other things at some length. " * 12 for n in range(6))
    corpus = [
        {"_id": "long", "title": "", "text": f"{filler}\n\nThe zeppelin lands at noon on Sundays."},
        *(
            {"_id": f"d{n}", "title": "", "text": f"{n} zeppelin " + "and other words " * 50}
            for n in range(12)
        ),
    ]
    folder = make_set(corpus, [{"_id": "q", "text": "zeppelin lands at noon"}], [("q", "long", 1)])
    report = evaluate(folder, mode="keyword", policy=PACKS, settings=nothing_cached)
    assert report.passages > len(corpus)
    assert report.means.mrr == 1


def test_files_stand_in_for_the_corpus_under_their_relative_paths(
    make_set: MakeSet, nothing_cached: Settings, tmp_path: Path
) -> None:
    files = tmp_path / "files"
    (files / "deep").mkdir(parents=True)
    (files / "deep" / "refunds.md").write_text("# Refunds\n\nThe money comes back within ten working days.\n")
    (files / "badge.txt").write_text("A lost badge costs 15 euros.\n")
    (files / "broken.pdf").write_bytes(b"no pdf at all")
    (files / "table.xyz").write_text("of no kind that is read")
    qrels = [("q1", "deep/refunds.md", 1), ("q2", "badge.txt", 1), ("q3", "gone.md", 1)]
    folder = make_set(CORPUS, QUERIES, qrels)
    stages: list[tuple[str, int, int]] = []
    report = evaluate(
        folder,
        documents=files,
        mode="keyword",
        policy=PACKS,
        settings=nothing_cached,
        progress=lambda stage, name, done, total: stages.append((stage, done, total)),
    )
    assert report.means.recall[10] == pytest.approx(2 / 3)
    assert report.passages == 2
    notes = " ".join(report.notes)
    assert "Documents that stayed out: 2 (" in notes
    assert "1 unsupported_type" in notes
    assert "Documents of the qrels that are not indexed: 1." in notes
    assert [stages[stages.index((stage, total, total))] for stage, total in (("read", 4), ("ask", 3))]
    (folder / "corpus.jsonl").unlink()
    files.rename(folder / "documents")
    again = evaluate(folder, mode="keyword", policy=PACKS, settings=nothing_cached)
    assert again.means.recall == report.means.recall


def test_a_refused_question_finds_nothing_and_is_counted(make_set: MakeSet, nothing_cached: Settings) -> None:
    folder = make_set(CORPUS, [*QUERIES, {"_id": "q9", "text": "?!"}], [*QRELS, ("q9", "leave", 1)])
    report = evaluate(folder, mode="keyword", policy=PACKS, settings=nothing_cached)
    assert report.means.queries == 4
    assert report.means.recall[10] == pytest.approx(3 / 4)
    assert "Queries that were refused: 1 (empty_question)." in report.notes


def test_documents_that_the_policy_refuses_stay_out(make_set: MakeSet, nothing_cached: Settings) -> None:
    policy = load_policy("packs", {"passages.max_count": 1})
    long = {"_id": "long", "title": "", "text": "\n\n".join(["A paragraph of words. " * 30] * 5)}
    report = evaluate(
        make_set([*CORPUS, long], QUERIES, QRELS), mode="keyword", policy=policy, settings=nothing_cached
    )
    assert report.passages == 4
    assert report.notes == ("Documents that stayed out: 1 (1 too_many_passages).",)
    with pytest.raises(UsageError, match="No document could be indexed"):
        evaluate(make_set([long], QUERIES, QRELS), mode="keyword", policy=policy, settings=nothing_cached)


def test_without_weights_keyword_is_evaluated_and_told(make_set: MakeSet, nothing_cached: Settings) -> None:
    folder = make_set(CORPUS, QUERIES, QRELS)
    report = evaluate(folder, policy=PACKS, settings=nothing_cached)
    assert report.mode == "keyword"
    assert "refdesk models pull" in report.notes[0]
    with pytest.raises(Failed) as caught:
        evaluate(folder, mode="hybrid", policy=PACKS, settings=nothing_cached)
    assert caught.value.code == "embedding_unavailable"


def test_hybrid_finds_other_words_and_keeps_its_vectors(make_set: MakeSet, tmp_path: Path) -> None:
    settings = Settings(cache=tmp_path / "cache")
    weights = Settings().cache_folder() / "models"
    need(installed(DEFAULT_MODEL, Settings().cache_folder()), "the weights are not here")
    settings.cache_folder().mkdir()
    (settings.cache_folder() / "models").symlink_to(weights)
    query = {"_id": "q", "text": "How far in advance must I request holidays?"}
    folder = make_set(CORPUS, [query], [("q", "leave", 1)])
    for mode in (None, "hybrid", "meaning"):
        report = evaluate(folder, mode=mode, policy=PACKS, settings=settings)
        assert report.mode == (mode or "hybrid")
        assert report.means.mrr == 1
        assert cache_file(settings.cache_folder()).exists()


def test_a_malformed_corpus_is_wrong_usage(make_set: MakeSet, nothing_cached: Settings) -> None:
    folder = make_set(CORPUS, QUERIES, QRELS)
    with (folder / "corpus.jsonl").open("a") as file:
        file.write("{broken\n")
    with pytest.raises(UsageError, match=r"corpus\.jsonl, line 5"):
        evaluate(folder, mode="keyword", policy=PACKS, settings=nothing_cached)


def test_a_policy_s_answer_size_does_not_cut_the_ranking(make_set: MakeSet, nothing_cached: Settings) -> None:
    corpus = [{"_id": f"d{n}", "title": "", "text": f"zeppelin {n} " + "word " * 100} for n in range(12)]
    qrels = [("q", f"d{n}", 1) for n in range(10)]
    folder = make_set(corpus, [{"_id": "q", "text": "zeppelin"}], [*qrels, ("q", "d10", 1), ("q", "d11", 1)])
    report = evaluate(folder, mode="keyword", top_k=12, policy=load_policy("voice"), settings=nothing_cached)
    assert report.means.recall[12] == 1


@pytest.mark.req("W9")
def test_documents_of_the_same_text_share_the_rank(make_set: MakeSet, nothing_cached: Settings) -> None:
    twin = {"_id": "twin", "title": "Money", "text": CORPUS[0]["text"]}
    folder = make_set([*CORPUS, twin], QUERIES[:1], [("q1", "refunds", 1), ("q1", "twin", 1)])
    report = evaluate(folder, mode="keyword", top_k=2, policy=PACKS, settings=nothing_cached)
    assert report.means.recall[2] == 1
