"""A base has the languages of the documents that it holds now, and a question is stemmed by them."""

from __future__ import annotations

from pathlib import Path

import pytest

from refdesk import Desk
from refdesk.ingest.settings import IndexSettings

GERMAN = (
    "Die Werkstatt und das Lager sind an allen Tagen von acht bis zwölf Uhr geöffnet, aber nicht am Sonntag. "
    "Wer eine Rechnung für die Reparatur haben will, muss sie bei der Kasse verlangen."
)
ENGLISH = (
    "The workshop and the store are open on all days from eight to twelve, but not on Sunday. "
    "Whoever wants an invoice for the repair has to ask for it at the counter."
)


def languages(desk: Desk) -> list[str]:
    return IndexSettings(desk._parts.index(desk.bases.get("Handbook").id)).languages


@pytest.mark.req("W2", "DOC7", "ING4")
def test_votes_follow_what_is_added_replaced_indexed_again_and_deleted(desk: Desk, tmp_path: Path) -> None:
    base = desk.bases.create("Handbook")
    files = [tmp_path / name for name in ("one.txt", "two.txt", "three.txt")]
    for file, said in zip(files, (GERMAN, ENGLISH, ENGLISH), strict=True):
        file.write_text(said)
    base.add(*files, wait=True)
    assert languages(desk) == ["english", "german"]
    assert [hit.name for hit in desk.search("Reparaturen Rechnungen", [base], mode="keyword")] == ["one.txt"]

    for _ in range(3):  # as often as one likes, a document has its own vote alone
        desk._parts.catalog.documents.requeue([base.list_documents()[0].id], keep_live=True)
        desk.work()
    assert languages(desk) == ["english", "german"]
    files[1].write_text(GERMAN + " Das ist neu.")
    base.add(files[1], wait=True)
    assert languages(desk) == ["german", "english"]
    for document in base.list_documents():
        if document.name == "three.txt":
            desk.documents.delete(document.id)
    assert languages(desk) == ["german"]
    assert len(desk.search("Reparaturen Rechnungen", [base], mode="keyword")) == 2


@pytest.mark.req("W2")
@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Mülltonnen werden dienstags geleert.", "mulltonne"),
        ("Les factures échues portent intérêt.", "facture"),
        ("Kapıların kilidi değişti.", "kapı"),
        ("Los pedidos llegan mañana.", "pedido"),
        ("Café tables are cleared at ten.", "clearing"),
    ],
)
def test_a_document_of_one_sentence_is_found_by_other_forms_of_its_words(
    desk: Desk, tmp_path: Path, text: str, question: str
) -> None:
    base = desk.bases.create("Handbook")
    (tmp_path / "note.txt").write_text(text)
    (tmp_path / "other.txt").write_text("Nothing of the kind.")
    base.add(tmp_path / "note.txt", tmp_path / "other.txt", wait=True)
    assert [hit.name for hit in desk.search(question, [base], mode="keyword")] == ["note.txt"]
