"""The demo's seed through the desk, by keyword alone: no weights are needed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from refdesk import Desk
from refdesk.demo.catalog import PACKS, questions
from refdesk.demo.seed import Seeded, seed
from refdesk.settings import Settings


@pytest.fixture(scope="module")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Desk, Seeded]]:
    home = tmp_path_factory.mktemp("demo")
    desk = Desk.open(home / "desk", settings=Settings(cache=home / "cache"), embedders={})
    yield desk, seed(desk)
    desk.close()


@pytest.mark.req("DEMO1")
def test_the_packs_are_generic_and_their_documents_ready(seeded: tuple[Desk, Seeded]) -> None:
    desk, counts = seeded
    bases = [desk.bases.get(pack.name) for pack in PACKS]
    documents = [document for base in bases for document in base.list_documents()]
    assert [(base.kind, base.description) for base in bases] == [
        ("generic", pack.description) for pack in PACKS
    ]
    assert {document.state for document in documents} == {"ready"}
    assert {Path(document.name).suffix for document in documents} == {".md", ".docx", ".pdf"}
    assert (counts.packs, counts.documents) == (3, len(documents))
    assert counts.passages == sum(document.passages or 0 for document in documents)


@pytest.mark.req("DEMO2")
def test_seeding_again_restores_documents_and_touches_nothing_else(
    seeded: tuple[Desk, Seeded], tmp_path: Path
) -> None:
    desk, counts = seeded
    base = desk.bases.get(PACKS[0].name)
    own = tmp_path / "own.md"
    own.write_text("# Our own\n\nA document that somebody added.\n")
    [added] = base.add(own, wait=True).documents
    before = {document.name: (document.id, document.version) for document in base.list_documents()}
    [deleted] = [document for document in base.list_documents() if document.name == "background-jobs.md"]
    desk.documents.delete(deleted.id)
    again = seed(desk)
    after = {document.name: (document.id, document.version) for document in base.list_documents()}
    assert again.documents == counts.documents + 1
    assert after.keys() == before.keys()
    assert {name for name in after if after[name] != before[name]} == {"background-jobs.md"}
    desk.documents.delete(added.id)


@pytest.mark.req("RUN2", "A2")
@pytest.mark.parametrize("question", questions(), ids=lambda question: question.text)
def test_a_cited_passage_holds_the_answer(seeded: tuple[Desk, Seeded], question) -> None:  # type: ignore[no-untyped-def]
    desk, _ = seeded
    run = desk.ask(question.text, [pack.name for pack in PACKS])
    references = {reference.number: reference for reference in run.references}
    cited = [references[citation.number] for citation in run.citations]
    assert run.outcome == "answered"
    assert question.document in {reference.name for reference in cited}
    assert any(question.answer in " ".join(reference.text.split()) for reference in cited)


@pytest.mark.req("A5", "RUN2")
@pytest.mark.parametrize(
    "question",
    [
        "What is the capital of France?",
        "Who won the football world cup in 2010?",
        "How much sugar does a sponge cake need?",
        "What does error C2065 mean?",
    ],
)
def test_what_the_documents_do_not_cover_is_said_plainly(seeded: tuple[Desk, Seeded], question: str) -> None:
    desk, _ = seeded
    names = [pack.name for pack in PACKS]
    assert desk.ask(question, names).answer == "The documents do not cover this question."
    assert desk.ask(question, names, grounding="required").outcome == "not_covered"
