"""A document's title: its own, or the one that somebody has set, and what a search finds by it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from refdesk import Desk
from refdesk.desk.bases import Base
from refdesk.embedding.model import Vectors
from refdesk.errors import UsageError
from refdesk.testing import WordEmbedder

Opener = Callable[..., Desk]

SECRET = "Vq7xKd29mPz4Ltw"
OWN = "# Returns\n\nA refund arrives within a week.\n"


def added(base: Base, path: Path, text: str = OWN) -> str:
    path.write_text(text)
    [document] = base.add(path, wait=True).documents
    assert document.id is not None
    return document.id


def found(desk: Desk, word: str) -> list[str]:
    return [hit.title for hit in desk.search(word, bases=["Handbook"], mode="keyword")]


@pytest.mark.req("D2", "D4", "D11")
@pytest.mark.parametrize("policy", ["packs", "bases", "voice"])
def test_a_title_that_was_set_stays_until_it_is_changed_or_cleared(
    open_desk: Opener, tmp_path: Path, policy: str
) -> None:
    desk = open_desk(policy, embedder=WordEmbedder())
    base = desk.bases.create("Handbook")
    path = tmp_path / "returns.md"
    document = added(base, path)
    assert desk.documents.update(document, title="Zephyr").title == "Zephyr"
    desk.work()
    titles = []
    desk.documents.reingest(document)
    titles.append(desk.documents.get(document).title)  # also before it has been read
    desk.work()
    titles.append(desk.documents.get(document).title)
    added(base, path, "# Refunds\n\nA refund arrives within a month.\n")
    titles.append(desk.documents.get(document).title)
    base.upload(path, "refunds.md", replaces=document)
    desk.work()
    titles.append(desk.documents.update(document, name="money.md").title)
    assert titles == ["Zephyr"] * 4
    assert found(desk, "zephyr") == ["Zephyr"]
    assert desk.documents.update(document, title="Mistral").title == "Mistral"
    desk.work()
    assert desk.documents.update(document, title=None).title == "Refunds"
    desk.work()
    assert (found(desk, "mistral"), found(desk, "refunds")) == ([], ["Refunds"])
    added(base, path.with_name("money.md"), "# Money back\n\nA refund arrives within a month.\n")
    assert desk.documents.get(document).title == "Money back"


@pytest.mark.req("D2", "D4")
def test_under_a_set_title_the_name_s_own_goes_on(open_desk: Opener, tmp_path: Path) -> None:
    desk = open_desk("voice")
    base = desk.bases.create("Handbook")
    document = added(base, tmp_path / "costs.md", "The fee is ten.\n")
    desk.documents.update(document, title="Fees")
    assert desk.documents.update(document, name="prices.md").title == "Fees"
    assert desk.documents.update(document, title=None).title == "prices"


@pytest.mark.req("CLS1")
def test_a_title_that_was_set_is_screened_with_each_new_text(open_desk: Opener, tmp_path: Path) -> None:
    desk = open_desk("packs")
    base = desk.bases.create("Handbook")
    document = added(base, tmp_path / "access.md")
    assert desk.documents.update(document, title=f"About {SECRET}").title == f"About {SECRET}"
    added(base, tmp_path / "access.md", f"# Access\n\nThe database password is {SECRET}.\n")
    assert desk.documents.get(document).title == "About [REDACTED:credential]"


@pytest.mark.req("D3", "D4", "ING6")
def test_a_document_that_sync_renames_is_found_by_its_new_title_alone(
    open_desk: Opener, tmp_path: Path
) -> None:
    desk = open_desk(embedder=WordEmbedder())
    base = desk.bases.create("Handbook")
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "zephyr.txt").write_text("We open at nine.\n")
    base.sync(folder, wait=True)
    (folder / "zephyr.txt").rename(folder / "mistral.txt")
    base.sync(folder, wait=True)
    assert (found(desk, "zephyr"), found(desk, "mistral")) == ([], ["mistral"])
    [old] = desk.search("zephyr", bases=[base], mode="meaning")
    [new] = desk.search("mistral", bases=[base], mode="meaning")
    assert (new.cosine or 0) > (old.cosine or 0)


@pytest.mark.req("D4")
def test_a_title_set_while_the_document_is_embedded_is_the_one_that_is_indexed(
    open_desk: Opener, tmp_path: Path
) -> None:
    other = open_desk(embedder=WordEmbedder())
    base = other.bases.create("Handbook")
    path = tmp_path / "returns.md"
    path.write_text(OWN)
    [document] = base.add(path).documents

    class Slow(WordEmbedder):
        def passages(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
            if other.documents.get(str(document.id)).title == "Returns":
                other.documents.update(str(document.id), title="Zephyr")
            return super().passages(texts, progress)

    desk = open_desk(embedder=Slow())
    desk.work()
    assert desk.documents.get(str(document.id)).state == "ready"
    assert found(desk, "zephyr") == ["Zephyr"]


@pytest.mark.req("D4")
@pytest.mark.parametrize("title", ["\u3164", "\u200b", "  "])
def test_a_title_of_which_nothing_is_left_when_it_is_cleaned_is_refused(
    open_desk: Opener, tmp_path: Path, title: str
) -> None:
    desk = open_desk("packs")
    document = added(desk.bases.create("Handbook"), tmp_path / "returns.md")
    with pytest.raises(UsageError) as caught:
        desk.documents.update(document, title=title)
    assert caught.value.code == "bad_name"
    assert desk.documents.get(document).title == "Returns"
