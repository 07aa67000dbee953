"""``Base.sync``: what counts as a rename, what is embedded again, and whose names would meet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from refdesk import Desk
from refdesk.embedding.model import Vectors
from refdesk.errors import UsageError
from refdesk.results.synced import Synced
from refdesk.testing import WordEmbedder

SECRET = "Vq7xKd29mPz4Ltw"


class Counting(WordEmbedder):
    """How many texts were embedded."""

    def __init__(self) -> None:
        super().__init__()
        self.texts = 0

    def passages(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        self.texts += len(texts)
        return super().passages(texts, progress)


@pytest.mark.req("D3", "ING6")
def test_a_rename_is_found_under_its_new_name_and_not_embedded_again(
    open_desk: Callable[..., Desk], folder: Path
) -> None:
    embedder = Counting()
    desk = open_desk(embedder=embedder)
    base = desk.bases.create("Handbook")
    base.sync(folder, wait=True)
    bought = embedder.texts
    assert bought > 0
    (folder / "returns.md").rename(folder / "billing" / "refunds.md")
    (folder / "hours.txt").rename(folder / "times.txt")
    synced = base.sync(folder, wait=True)
    assert sorted(synced.renamed) == [("hours.txt", "times.txt"), ("returns.md", "billing/refunds.md")]
    assert embedder.texts == bought + 1  # of the one passage that is called after its file
    [hit, *_] = desk.search("when does a refund arrive?", [base])
    assert hit.name == "billing/refunds.md"
    assert [one.title for one in base.list_documents() if one.name == "times.txt"] == ["times"]
    assert {one.state for one in base.list_documents()} == {"ready"}


@pytest.mark.req("D3")
def test_each_document_is_renamed_once_and_another_kind_is_another_document(desk: Desk, folder: Path) -> None:
    base = desk.bases.create("Handbook")
    base.sync(folder)
    text = (folder / "returns.md").read_text()
    (folder / "returns.md").unlink()
    (folder / "a.md").write_text(text)
    (folder / "b.md").write_text(text)
    (folder / "hours.txt").rename(folder / "hours.md")
    synced = base.sync(folder)
    assert synced.renamed == [("returns.md", "a.md")]
    assert sorted(synced.added) == ["b.md", "hours.md"]
    assert synced.deleted == ["hours.txt"]
    kinds = {one.name: one.kind for one in base.list_documents()}
    assert kinds == {
        "a.md": "markdown",
        "b.md": "markdown",
        "hours.md": "markdown",
        "billing/prices.md": "markdown",
    }


@pytest.mark.req("D2", "D3")
def test_of_two_documents_of_one_name_the_newest_is_the_folder_s(desk: Desk, folder: Path) -> None:
    base = desk.bases.create("Handbook")
    old = base.upload(folder / "hours.txt", "returns.md")
    new = base.upload(folder / "returns.md", "returns.md")
    synced = base.sync(folder)
    assert (synced.deleted, synced.unchanged) == (["returns.md"], ["returns.md"])
    assert desk.documents.find(old.id) is None
    assert desk.documents.get(new.id).version == 1


@pytest.mark.req("D3", "CLS1")
def test_names_are_compared_as_they_are_stored(desk: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "secret"
    folder.mkdir()
    (folder / f"password={SECRET}.md").write_text("Of no interest.\n")
    (folder / f"{SECRET}.md").write_text(f"The database password is {SECRET}.\n")
    base = desk.bases.create("Handbook")

    def told(synced: Synced) -> dict[str, int]:
        return {key: value for key, value in synced.to_dict().items() if value}

    assert told(base.sync(folder)) == {"added": 2}
    stored = [one.name for one in base.list_documents()]
    assert not any(SECRET in name for name in stored)
    assert told(base.sync(folder, dry_run=True)) == {"unchanged": 2}
    assert told(base.sync(folder)) == {"unchanged": 2}
    assert [one.name for one in base.list_documents()] == stored


@pytest.mark.req("D3")
def test_files_that_would_have_one_name_are_told(desk: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "twins"
    folder.mkdir()
    for name in ("note.md", "no\u200bte.md"):
        (folder / name).write_text(f"# Note\n\nOf {len(name)} letters.\n")
    synced = desk.bases.sync("Handbook", folder)
    [refused] = synced.refused
    assert (refused.code, len(synced.added)) == ("name_taken", 1)
    assert len(desk.bases.get("Handbook").list_documents()) == 1


@pytest.mark.req("KB4", "D3")
def test_what_goes_makes_room_for_what_comes(open_desk: Callable[..., Desk], tmp_path: Path) -> None:
    folder = tmp_path / "full"
    folder.mkdir()
    for number in range(50):
        (folder / f"{number}.md").write_text(f"# Number {number}\n\nText.\n")
    base = open_desk("voice").bases.create("Handbook")
    base.sync(folder)
    (folder / "0.md").unlink()
    (folder / "50.md").write_text("# Number 50\n\nText.\n")
    synced = base.sync(folder)
    assert (synced.added, synced.deleted, synced.refused) == (["50.md"], ["0.md"], [])


def test_a_failed_document_is_tried_again(desk: Desk, folder: Path) -> None:
    base = desk.bases.create("Handbook")
    base.sync(folder)
    document = base.list_documents()[0]
    desk.documents.cancel(document.id)
    assert len(base.sync(folder, wait=True).unchanged) == 3
    assert desk.documents.get(document.id).state == "ready"


def test_a_folder_that_is_none(desk: Desk, folder: Path) -> None:
    with pytest.raises(UsageError, match=r"^There is no folder "):
        desk.bases.sync("Handbook", folder / "hours.txt")
    assert desk.bases.find("Handbook") is None
