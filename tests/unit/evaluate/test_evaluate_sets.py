"""Sets are read in BEIR's layout, and what is malformed is named with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.unit.evaluate.conftest import MakeSet

from refdesk.errors import NotFound, UsageError
from refdesk.evaluate.sets import Document, Query, Span, corpus_file, load_corpus, load_questions

CORPUS = [
    {"_id": "d1", "title": "Refunds", "text": "Refunds take ten days."},
    {"_id": 2, "text": "No title.", "metadata": {"url": "kept out"}},
]
QUERIES = [
    {"_id": "q1", "text": "when is the refund?", "type": "plain"},
    {"_id": "q2", "text": "nothing answers this"},
]
QRELS = [("q1", "d1", 2), ("q1", "2", 0)]


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("qrels_name", ["qrels.tsv", "qrels/test.tsv"])
def test_a_set_is_read(make_set: MakeSet, zipped: bool, qrels_name: str) -> None:
    folder = make_set(CORPUS, QUERIES, QRELS, zipped=zipped, qrels_name=qrels_name)
    questions = load_questions(folder)
    assert questions.queries == (
        Query("q1", "when is the refund?", "plain"),
        Query("q2", "nothing answers this"),
    )
    assert questions.qrels == {"q1": {"d1": 2, "2": 0}}
    assert questions.notes == ()
    corpus = corpus_file(folder)
    assert corpus is not None
    assert list(load_corpus(corpus)) == [
        Document("d1", "Refunds", "Refunds take ten days."),
        Document("2", "", "No title."),
    ]


def test_references_are_spans_of_the_query_s_document_or_their_own(make_set: MakeSet) -> None:
    query = {
        "_id": "q1",
        "corpus_id": "d1",
        "text": "?",
        "references": [{"start": 3, "end": 9}, {"corpus_id": "d2", "start": 0, "end": 4}],
    }
    questions = load_questions(make_set(CORPUS, [query], QRELS))
    assert questions.queries[0].references == (Span("d1", 3, 9), Span("d2", 0, 4))


def test_judgements_without_a_header_are_read_from_the_first_line(make_set: MakeSet) -> None:
    folder = make_set(CORPUS, QUERIES, QRELS)
    (folder / "qrels.tsv").write_text("q1\td1\t1\n\nq2\t2\t1\r\n")
    assert load_questions(folder).qrels == {"q1": {"d1": 1}, "q2": {"2": 1}}


def test_judged_queries_that_are_not_asked_are_counted(make_set: MakeSet) -> None:
    questions = load_questions(make_set(CORPUS, QUERIES, [*QRELS, ("q9", "d1", 1)]))
    assert list(questions.qrels) == ["q1"]
    assert questions.notes == ("Queries of the qrels that are not in queries.jsonl: 1.",)


def test_a_set_without_relevant_documents_is_refused(make_set: MakeSet) -> None:
    with pytest.raises(UsageError, match="no relevant document"):
        load_questions(make_set(CORPUS, QUERIES, [("q1", "d1", 0)]))


@pytest.mark.parametrize("missing", ["queries.jsonl", "qrels.tsv"])
def test_a_missing_file_is_named(make_set: MakeSet, missing: str) -> None:
    folder = make_set(CORPUS, QUERIES, QRELS)
    (folder / missing).unlink()
    with pytest.raises(NotFound, match=missing) as caught:
        load_questions(folder)
    assert caught.value.code == "file_not_found"


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="nowhere"):
        load_questions(tmp_path / "nowhere")
    assert corpus_file(tmp_path) is None


GOOD = '{"_id": "q1", "text": "fine"}\n'


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("queries.jsonl", GOOD + "{'_id': 1}\n", "line 2: it is no JSON"),
        ("queries.jsonl", GOOD + "\n[1]\n", "line 3: it is no object with an _id"),
        ("queries.jsonl", GOOD + '{"text": "x"}\n', "line 2: it is no object with an _id"),
        ("queries.jsonl", '{"_id": "q1", "text": 5}\n', "line 1: text is missing or no string"),
        ("queries.jsonl", '{"_id": "q1", "text": "x", "type": 1}\n', "line 1: type is no string"),
        ("queries.jsonl", GOOD * 2, "line 2: the _id 'q1' stands in line 1 already"),
        (
            "queries.jsonl",
            '{"_id": "q", "text": "x", "references": [{"start": 1}]}\n',
            "line 1: a reference has no corpus_id, start or end",
        ),
        ("queries.jsonl", b"\xff\xfe", "line 1: it cannot be read"),
        ("qrels.tsv", "query-id\tcorpus-id\tscore\nq1 d1 1\n", "line 2: it has 1 cells between tabs"),
        ("qrels.tsv", "q1\td1\t1\nq1\td1\thigh\n", "line 2: its grade 'high' is no whole number"),
    ],
)
def test_malformed_lines_are_named(make_set: MakeSet, name: str, content: str | bytes, message: str) -> None:
    folder = make_set(CORPUS, QUERIES, QRELS)
    raw = content if isinstance(content, bytes) else content.encode()
    (folder / name).write_bytes(raw)
    with pytest.raises(UsageError) as caught:
        load_questions(folder)
    assert caught.value.message.startswith(str(folder / name))
    assert message in caught.value.message


def test_a_malformed_corpus_line_is_named(make_set: MakeSet) -> None:
    path = make_set([*CORPUS, {"_id": "d3", "title": ["x"], "text": ""}]) / "corpus.jsonl"
    with pytest.raises(UsageError, match="line 3: title is no string"):
        list(load_corpus(path))


def test_what_is_no_gzip_is_named(make_set: MakeSet) -> None:
    folder = make_set(CORPUS, QUERIES, QRELS, zipped=True)
    (folder / "queries.jsonl.gz").write_bytes(b"plain text")
    with pytest.raises(UsageError, match=r"queries\.jsonl\.gz, line 1: it cannot be read"):
        load_questions(folder)


def test_the_same_questions_may_stand_in_another_language(make_set: MakeSet) -> None:
    folder = make_set(CORPUS, QUERIES, QRELS)
    same = [{"_id": query["_id"], "text": f"en: {query['text']}"} for query in QUERIES]
    (folder / "queries_en.jsonl").write_text("".join(json.dumps(row) + "\n" for row in same))
    loaded = load_questions(folder, "queries_en.jsonl")
    assert loaded.qrels == load_questions(folder).qrels
    assert all(query.text.startswith("en: ") for query in loaded.queries)
