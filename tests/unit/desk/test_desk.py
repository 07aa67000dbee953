"""The desk end to end on real files: documents in, passages out, receipts kept, nothing left behind."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from refdesk import Desk
from refdesk.desk.runs import keep
from refdesk.embedding.model import Vector, Vectors
from refdesk.errors import Failed, NotFound, UsageError
from refdesk.ids import new_id
from refdesk.testing import WordEmbedder

Opener = Callable[..., Desk]


def names(documents: Sequence[object]) -> list[str]:
    return [document.name for document in documents]  # type: ignore[attr-defined]


def bytes_on_disk(folder: Path, wanted: bytes) -> list[str]:
    return [str(path) for path in folder.rglob("*") if path.is_file() and wanted in path.read_bytes()]


@pytest.mark.req("SRCH2", "ING1")
def test_documents_in_numbered_passages_out(desk: Desk, folder: Path) -> None:
    handbook = desk.bases.create("Handbook")
    added = handbook.add(folder, wait=True)
    assert {document.state for document in added.documents} == {"ready"}
    assert sorted(names(added.documents)) == ["billing/prices.md", "hours.txt", "returns.md"]
    found = desk.search("when will a refund arrive?", bases=[handbook], top_k=3)
    assert [hit.number for hit in found] == [1, 2, 3][: len(found)]
    best = found.hits[0]
    assert (best.base, best.name, best.title, best.position) == ("Handbook", "returns.md", "Returns", 1)
    assert best.section == "Returns › Refunds"
    assert "five to seven working days" in best.text
    assert "keyword" in best.found_by
    assert found.mode == found.answered_by == "hybrid"


@pytest.mark.req("SRCH1", "SRCH2")
def test_keyword_hits_have_no_similarity_and_meaning_hits_do(desk: Desk, folder: Path) -> None:
    desk.bases.create("Handbook").add(folder, wait=True)
    words = desk.search("refund", bases=["Handbook"], mode="keyword")
    assert words.answered_by == "keyword"
    assert {(hit.similarity, hit.cosine) for hit in words} == {(None, None)}
    sense = desk.search("refund", bases=["Handbook"], mode="meaning")
    assert sense.answered_by == "meaning"
    assert all(hit.similarity is not None and 0 <= hit.similarity <= 1 for hit in sense)
    cosines = [hit.cosine for hit in sense]
    assert cosines == sorted(cosines, reverse=True)  # type: ignore[type-var]


@pytest.mark.req("D6")
def test_a_base_is_found_by_the_name_that_it_was_made_with(desk: Desk, folder: Path) -> None:
    said = "Hand\u200bbook"
    made = desk.bases.create(said)
    assert made.name == "Handbook"
    found = desk.bases.find(said)
    assert found is not None
    assert (found.id, desk.bases.get(said).id) == (made.id, made.id)
    desk.bases.sync(said, folder, wait=True)
    assert desk.bases.get("Handbook").documents == 3
    assert desk.search("refund", [said]).hits
    agent = desk.agents.create("Reception", bases=[said])
    assert agent.knowledge_base_ids == (made.id,)


@pytest.mark.req("D3")
def test_same_bytes_are_unchanged_and_other_bytes_a_new_version(desk: Desk, folder: Path) -> None:
    base = desk.bases.create("Handbook")
    base.add(folder, wait=True)
    again = base.add(folder, wait=True)
    assert {document.change for document in again.documents} == {"unchanged"}
    (folder / "hours.txt").write_text("We open at ten on Saturday.\n")
    replaced = base.add(folder, wait=True)
    assert sorted((document.name, document.change) for document in replaced.documents) == [
        ("billing/prices.md", "unchanged"),
        ("hours.txt", "replaced"),
        ("returns.md", "unchanged"),
    ]
    [hours] = [document for document in base.list_documents() if document.name == "hours.txt"]
    assert (hours.version, hours.indexed_version, hours.state) == (2, 2, "ready")
    texts = [hit.text for hit in desk.search("Saturday", bases=[base], mode="keyword")]
    assert texts == ["We open at ten on Saturday."]
    assert bytes_on_disk(desk.home, b"We open at nine") == []


@pytest.mark.req("D3")
def test_same_bytes_under_another_name_are_another_document(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# One\n\nThe same words.")
    (tmp_path / "b.md").write_text("# One\n\nThe same words.")
    base = desk.bases.create("Handbook")
    added = base.add(tmp_path / "a.md", tmp_path / "b.md", wait=True)
    assert [document.change for document in added.documents] == ["added", "added"]


@pytest.mark.req("D3")
def test_two_files_of_one_name_get_the_shortest_endings_that_tell_them_apart(
    desk: Desk, tmp_path: Path
) -> None:
    for place in ("north/post", "south/post"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "notice.md").write_text(f"# Notice\n\nOf the {place} office.")
    (tmp_path / "other.md").write_text("# Other\n\nAlone.")
    base = desk.bases.create("Handbook")
    paths = [tmp_path / "north/post/notice.md", tmp_path / "south/post/notice.md", tmp_path / "other.md"]
    added = base.add(*paths, paths[0], wait=True)
    assert names(added.documents) == ["north/post/notice.md", "south/post/notice.md", "other.md"]


@pytest.mark.req("DOC5", "D5")
def test_a_refused_file_leaves_nothing_and_the_others_go_on(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text("# Good\n\nKept.")
    (tmp_path / "empty.md").write_text("  \n")
    (tmp_path / "table.xlsx").write_bytes(b"PK secretcontent")
    (tmp_path / "fake.pdf").write_bytes(b"not a pdf secretcontent")
    base = desk.bases.create("Handbook")
    added = base.add(*sorted(tmp_path.glob("*.*")), wait=True)
    outcome = {document.name: (document.state, document.code) for document in added.documents}
    assert outcome == {
        "empty.md": ("refused", "no_text"),
        "fake.pdf": ("refused", "damaged"),
        "good.md": ("ready", None),
        "table.xlsx": ("refused", "unsupported_type"),
    }
    assert added.refused
    assert names(base.list_documents()) == ["good.md"]
    assert bytes_on_disk(desk.home, b"secretcontent") == []
    assert len(list((desk.home / "blobs").iterdir())) == 1


def test_a_folder_takes_what_is_read_and_counts_the_rest(desk: Desk, folder: Path) -> None:
    (folder / ".DS_Store").write_bytes(b"x")
    (folder / ".git").mkdir()
    (folder / "sheet.xlsx").write_bytes(b"x")
    added = desk.bases.create("Handbook").add(folder, wait=True)
    states = {document.name: (document.state, document.code) for document in added.documents}
    assert states.pop("sheet.xlsx") == ("refused", "unsupported_type")
    assert set(states.values()) == {("ready", None)}
    assert added.notes == ["Left out: 2 hidden entries."]


def test_a_path_that_is_not_there_is_named(desk: Desk) -> None:
    with pytest.raises(NotFound, match=r"nowhere\.md") as caught:
        desk.bases.create("Handbook").add("nowhere.md")
    assert caught.value.code == "file_not_found"


@pytest.mark.req("ING1", "ING2")
def test_without_wait_a_document_is_queued_and_unseen_until_worked(desk: Desk, folder: Path) -> None:
    base = desk.bases.create("Handbook")
    added = base.add(folder)
    assert {document.state for document in added.documents} == {"queued"}
    assert len(desk.search("refund", bases=[base])) == 0
    assert desk.work() == 3
    assert len(desk.search("refund", bases=[base])) > 0


@pytest.mark.req("DOC7")
def test_deleting_a_document_leaves_no_byte(desk: Desk, folder: Path) -> None:
    base = desk.bases.create("Handbook")
    base.add(folder, wait=True)
    [returns] = [document for document in base.list_documents() if document.name == "returns.md"]
    assert bytes_on_disk(desk.home, b"five to seven working days")
    assert desk.documents.delete(returns.id) == 1
    assert bytes_on_disk(desk.home, b"five to seven working days") == []
    assert [hit.name for hit in desk.search("refund", bases=[base], mode="keyword")] == []
    with pytest.raises(NotFound):
        desk.documents.get(returns.id)


@pytest.mark.req("DOC7")
def test_deleting_a_base_leaves_no_byte_and_frees_its_name(desk: Desk, folder: Path) -> None:
    base = desk.bases.create("Handbook")
    base.add(folder, wait=True)
    base.delete()
    for words in (b"five to seven", b"Screen repair", b"open at nine"):
        assert bytes_on_disk(desk.home, words) == []
    assert desk.bases.find("Handbook") is None
    assert desk.bases.create("handbook").id != base.id


@pytest.mark.req("KB2")
def test_only_the_named_bases_are_searched(desk: Desk, folder: Path) -> None:
    mine, other = desk.bases.create("Mine"), desk.bases.create("Other")
    mine.add(folder / "returns.md", wait=True)
    other.add(folder / "hours.txt", wait=True)
    for mode in ("keyword", "meaning", "hybrid"):
        found = desk.search("refund Saturday open", bases=[mine], mode=mode)
        assert {hit.base for hit in found} == {"Mine"}
    both = desk.search("refund Saturday open", bases=[mine, other])
    assert {hit.base for hit in both} == {"Mine", "Other"}
    with pytest.raises(NotFound):
        desk.search("refund", bases=["Nobody's"])


def test_another_project_holds_nothing_of_this_one(open_desk: Opener, folder: Path) -> None:
    here = open_desk()
    base = here.bases.create("Handbook")
    [added] = base.add(folder / "hours.txt", wait=True).documents
    there = open_desk(project="elsewhere")
    assert there.bases.find("Handbook") is None
    assert there.bases.find(base.id) is None
    assert added.id is not None
    assert there.documents.find(added.id) is None


@pytest.mark.req("W9")
def test_text_that_documents_share_takes_one_place(desk: Desk, tmp_path: Path) -> None:
    shared = "Returns are accepted within thirty days of the delivery."
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.txt").write_text(f"{shared}\n")
    (tmp_path / "d.txt").write_text("Returns need the receipt.\n")
    base = desk.bases.create("Handbook")
    base.add(*sorted(tmp_path.glob("*.txt")), wait=True)
    for mode in ("keyword", "hybrid", "meaning"):
        found = desk.search("returns accepted", bases=[base], mode=mode, top_k=2)
        assert len(found) == 2
        [place] = [hit for hit in found if hit.text == shared]
        assert sorted((place.name, *place.also_in)) == ["a.txt", "b.txt", "c.txt"]


@pytest.mark.req("A4")
def test_an_empty_base_is_said_in_words(desk: Desk) -> None:
    found = desk.search("anything at all", bases=[desk.bases.create("Empty")])
    assert len(found) == 0
    assert found.notes == ("Base Empty is empty.",)


def test_without_the_model_keyword_answers_and_says_so(open_desk: Opener, folder: Path) -> None:
    desk = open_desk()
    base = desk.bases.create("Handbook")
    base.add(folder, wait=True)
    found = desk.search("refund", bases=[base])
    assert found.mode == found.answered_by == "keyword"
    assert any("refdesk models pull" in note for note in found.notes)
    asked = desk.search("refund", bases=[base], mode="meaning")
    assert (asked.mode, asked.answered_by) == ("meaning", "keyword")
    assert len(asked) == 1


@pytest.mark.req("ING6")
def test_reindex_brings_vectors_once_the_model_is_there(open_desk: Opener, folder: Path) -> None:
    plain = open_desk()
    plain.bases.create("Handbook").add(folder, wait=True)
    desk = open_desk(embedder=WordEmbedder())
    base = desk.bases.get("Handbook")
    assert base.reindex() == 3
    assert len(desk.search("refund", bases=[base], mode="keyword")) == 1  # packs keep answering meanwhile
    desk.work()
    assert desk.search("refund", bases=[base]).answered_by == "hybrid"
    assert base.reindex() == 0


class Broken(WordEmbedder):
    """Its service is down while ``down``; it counts the passages that it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.down = False
        self.asked = 0

    def passages(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        if self.down:
            raise Failed("The embedding service answers 401: check its key.", code="embedding_unavailable")
        self.asked += len(texts)
        return super().passages(texts, progress)


@pytest.mark.req("ING6")
def test_a_failing_embedder_leaves_the_document_found_by_keyword(open_desk: Opener, folder: Path) -> None:
    embedder = Broken()
    desk = open_desk(embedder=embedder)
    base = desk.bases.create("Handbook")
    base.add(folder / "hours.txt", wait=True)
    embedder.down = True
    [added] = base.add(folder / "returns.md", wait=True).documents
    assert (added.state, added.code) == ("failed", "embedding_unavailable")
    assert "401" in (added.error or "")
    assert desk.search("refund", bases=[base]).hits[0].name == "returns.md"
    embedder.down = False
    asked = embedder.asked
    assert base.reindex() == 1
    desk.work()
    assert embedder.asked == asked + 2  # the two passages of returns.md, and nothing bought twice
    assert {document.state for document in base.list_documents()} == {"ready"}


class Slow(WordEmbedder):
    def question(self, text: str) -> Vector:
        time.sleep(1.5)
        return super().question(text)


@pytest.mark.req("SRCH4")
def test_at_the_deadline_keyword_answers_and_says_so(open_desk: Opener, folder: Path) -> None:
    desk = open_desk(embedder=Slow())
    base = desk.bases.create("Handbook")
    base.add(folder, wait=True)
    for mode in ("hybrid", "meaning"):
        found = desk.search("refund", bases=[base], deadline=0.2, mode=mode)
        assert found.answered_by == "keyword"
        assert found.took_ms < 1_200
        assert found.hits[0].name == "returns.md"
        assert any("deadline" in note for note in found.notes)


@pytest.mark.req("W12", "SRCH5")
def test_min_score_takes_from_meaning_and_leaves_what_keyword_found(desk: Desk, folder: Path) -> None:
    base = desk.bases.create("Handbook")
    base.add(folder, wait=True)
    everything = desk.search("refund", bases=[base])
    cut = desk.search("refund", bases=[base], min_score=0.99)
    assert cut.dropped > 0
    assert {hit.found_by for hit in cut} == {("keyword",)}
    assert len(cut) < len(everything)
    known = {hit.text: (hit.similarity, hit.cosine) for hit in everything}
    assert all((hit.similarity, hit.cosine) == known[hit.text] for hit in cut)
    assert None not in {hit.similarity for hit in cut}
    with pytest.raises(UsageError):
        desk.search("refund", bases=[base], mode="keyword", min_score=0.2)


@pytest.mark.req("SRCH5", "W12", "H6")
def test_min_score_is_accepted_where_vectors_are_still_to_come(open_desk: Opener, folder: Path) -> None:
    """A caller that gives it need not know whether there are vectors yet; who chose keyword is told."""
    desk = open_desk("packs")
    base = desk.bases.create("Handbook")
    assert len(desk.search("refund", bases=[base], min_score=0.2)) == 0
    base.add(folder, wait=True)
    found = desk.search("refund", bases=[base], min_score=0.2)
    assert (found.answered_by, len(found) > 0) == ("keyword", True)
    assert any("has no vectors" in note for note in found.notes)
    wordy = open_desk("voice", home="wordy").bases.create("Fees")
    with pytest.raises(UsageError) as caught:
        open_desk("voice", home="wordy").search("refund", bases=[wordy.id], min_score=0.2)
    assert caught.value.code == "min_score_with_keyword"


@pytest.mark.req("DOC2")
@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("letter.pdf", b"hello", "damaged"),
        ("letter.pdf", b"\x89PNG\r\n\x1a\nrest", "wrong_type"),
        ("notes.md", b"%PDF-1.7\nrest", "wrong_type"),
        ("letter.docx", b"GIF89a", "wrong_type"),
    ],
)
def test_what_is_to_be_read_later_is_refused_at_once_where_it_is_not_what_it_claims(
    open_desk: Opener, tmp_path: Path, name: str, content: bytes, code: str
) -> None:
    (tmp_path / name).write_bytes(content)
    base = open_desk("bases", WordEmbedder()).bases.create("Handbook")
    [added] = base.add(tmp_path / name).documents
    assert (added.state, added.code) == ("refused", code)
    assert base.list_documents() == []


@pytest.mark.req("ING1", "ING4")
def test_the_bases_policy_reads_in_the_queue_and_skips_while_reprocessing(
    open_desk: Opener, folder: Path, tmp_path: Path
) -> None:
    desk = open_desk("bases", WordEmbedder())
    base = desk.bases.create("Handbook")
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7\nnothing of a document")
    added = base.add(folder / "returns.md", broken)
    assert {document.state for document in added.documents} == {"queued"}
    desk.work()
    states = {document.name: (document.state, document.code) for document in base.list_documents()}
    assert states == {"returns.md": ("ready", None), "broken.pdf": ("failed", "damaged")}
    assert desk.bases.get("Handbook").kind == "generic"
    [title] = [document.title for document in base.list_documents() if document.name == "returns.md"]
    assert title == "Returns"
    (folder / "returns.md").write_text("# Returns\n\nA refund takes ten days.\n")
    base.add(folder / "returns.md", wait=True)
    assert ["ten days" in hit.text for hit in desk.search("refund", bases=[base], mode="keyword")] == [True]


@pytest.mark.req("SRCH3", "D9")
def test_a_voice_search_stays_within_its_characters(open_desk: Opener, tmp_path: Path) -> None:
    desk = open_desk("voice")
    sections = [f"# Part {number}\n\n{'The fee is due monthly. ' * 24}" for number in range(9)]
    (tmp_path / "fees.md").write_text("\n\n".join(sections))
    base = desk.bases.create("Fees")
    base.add(tmp_path / "fees.md", wait=True)
    found = desk.search("which fee is due?", bases=[base])
    assert 1 <= len(found) <= 4
    assert sum(len(hit.text) for hit in found) <= 2_400
    assert found.notes == ()  # a voice base is searched by keyword on purpose


@pytest.mark.parametrize("metadata", [{"a": 1}, {"a": None}, {"a": ["b"]}])
def test_metadata_that_is_no_text_is_refused(desk: Desk, folder: Path, metadata: object) -> None:
    with pytest.raises(UsageError, match="flat strings"):
        desk.bases.create("Handbook").add(folder, metadata=metadata)  # type: ignore[arg-type]


def test_source_url_and_metadata_come_back_with_every_hit(desk: Desk, folder: Path) -> None:
    base = desk.bases.create("Handbook")
    base.add(
        folder / "hours.txt", wait=True, source_url="https://example.com/hours", metadata={"team": "shop"}
    )
    [hit] = desk.search("Saturday", bases=[base], mode="keyword")
    assert (hit.source_url, dict(hit.metadata)) == ("https://example.com/hours", {"team": "shop"})
    table = desk.ask("When do you open on Saturday?", bases=[base]).to_dict()
    for told in (hit.to_dict(), table["references"][0], table["citations"][0]):
        assert (told["source_url"], told["metadata"]) == ("https://example.com/hours", {"team": "shop"})
    base.add(folder / "hours.txt")
    assert base.list_documents()[0].metadata == {"team": "shop"}  # said nothing, changed nothing
    with pytest.raises(UsageError):
        base.add(folder / "hours.txt", metadata={"k": "x" * 201})
    with pytest.raises(UsageError):
        base.add(folder / "hours.txt", metadata={str(number): "x" for number in range(21)})


@pytest.mark.req("RUN2", "RUN3")
def test_a_run_is_kept_as_it_was_issued_also_after_deletion(desk: Desk, folder: Path) -> None:
    base = desk.bases.create("Handbook")
    base.add(folder, wait=True)
    run = desk.ask("when will a refund arrive?", bases=[base])
    assert run.outcome == "answered"
    assert run.citations
    kept = desk.runs.get(run.id)
    assert kept == run
    assert kept.references[0].text in {hit.text for hit in desk.search(run.question, bases=[base])}
    desk.documents.delete(*{reference.document for reference in run.references})
    assert desk.runs.get(run.id) == run


def test_erasing_blanks_the_receipts(desk: Desk, folder: Path) -> None:
    base = desk.bases.create("Handbook")
    base.add(folder, wait=True)
    run = desk.ask("when will a refund arrive?", bases=[base])
    desk.documents.delete(*{reference.document for reference in run.references}, erase=True)
    kept = desk.runs.get(run.id)
    assert all(reference.text.startswith("text erased on ") for reference in kept.references)
    assert [reference.number for reference in kept.references] == [one.number for one in run.references]
    assert bytes_on_disk(desk.home, b"five to seven working days") == []


def test_erasing_reaches_receipts_of_what_was_deleted_before_and_of_runs_still_waiting(
    desk: Desk, folder: Path
) -> None:
    base = desk.bases.create("Handbook")
    base.add(folder / "returns.md", wait=True)
    run = desk.ask("when will a refund arrive?", bases=[base])
    [document] = {reference.document for reference in run.references}
    desk.documents.delete(document)
    assert desk.documents.delete(document, erase=True) == 1
    assert desk.runs.get(run.id).answer == desk.runs.get(run.id).references[0].text
    keep(desk._parts, replace(run, id=new_id("run")))  # its model answered after the erasure
    assert bytes_on_disk(desk.home, b"five to seven working days") == []
    with pytest.raises(NotFound):
        desk.documents.delete("doc_01M8QCNFS0F70371BKKKP46HSX", erase=True)


@pytest.mark.req("A4", "RUN2")
def test_asking_an_empty_base(desk: Desk) -> None:
    base = desk.bases.create("Empty")
    preferred = desk.ask("what is the refund policy?", bases=[base])
    assert preferred.answer
    required = desk.ask("what is the refund policy?", bases=[base], grounding="required")
    assert (required.outcome, required.answer) == ("not_covered", None)
    assert required.message


def test_two_desks_on_one_home_see_each_others_work(open_desk: Opener, folder: Path) -> None:
    writer, reader = open_desk(embedder=WordEmbedder()), open_desk(embedder=WordEmbedder())
    base = writer.bases.create("Handbook")
    assert len(reader.search("refund", bases=["Handbook"])) == 0
    base.add(folder, wait=True)
    assert reader.search("refund", bases=["Handbook"]).hits[0].name == "returns.md"
    writer.documents.delete(*[document.id for document in base.list_documents()])
    assert len(reader.search("refund", bases=["Handbook"])) == 0


@pytest.mark.req("W8")
def test_what_a_question_cannot_hold_is_not_kept_with_the_run(desk: Desk, folder: Path) -> None:
    desk.bases.create("Handbook").add(folder, wait=True)
    run = desk.ask(" when will a\x00 refund\ud800 arrive? ", bases=["Handbook"])
    assert desk.runs.get(run.id).question == "when will a refund arrive?"
