"""What a search says of itself, and calls that are refused before anything happens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from refdesk import Desk
from refdesk.errors import UsageError
from refdesk.settings import Settings
from refdesk.testing import WordEmbedder

Opener = Callable[..., Desk]


@pytest.mark.req("W2")
@pytest.mark.parametrize(("typed", "first"), [("cafe", {"a.txt", "b.txt"}), ("café", {"c.txt"})])
def test_the_form_as_typed_comes_first_however_frequent(
    open_desk: Opener, tmp_path: Path, typed: str, first: set[str]
) -> None:
    for name, text in (("a", "one cafe x"), ("b", "two cafe y"), ("c", "six café z")):
        (tmp_path / f"{name}.txt").write_text(text)
    desk = open_desk()
    base = desk.bases.create("Town")
    base.add(*sorted(tmp_path.glob("*.txt")), wait=True)
    names = [hit.name for hit in desk.search(typed, [base], mode="keyword")]
    assert len(names) == 3
    assert set(names[: len(first)]) == first


@pytest.mark.req("SRCH4")
def test_why_keyword_answers_is_said_where_meaning_was_asked_for(open_desk: Opener, folder: Path) -> None:
    desk = open_desk("voice")
    base = desk.bases.create("Calls")
    base.add(folder / "hours.txt", wait=True)
    for mode in ("meaning", "hybrid"):
        found = desk.search("open on Saturday?", [base], mode=mode)  # type: ignore[arg-type]
        assert (found.mode, found.answered_by) == (mode, "keyword")
        assert found.notes == ("Base Calls has no vectors, so keyword search answered.",)
    assert desk.search("open on Saturday?", [base]).notes == ()


def test_meaning_over_a_base_without_vectors_is_asked_of_its_words(open_desk: Opener, folder: Path) -> None:
    open_desk().bases.create("Plain").add(folder / "returns.md", wait=True)
    desk = open_desk(embedder=WordEmbedder())
    desk.bases.create("Full").add(folder / "hours.txt", wait=True)
    found = desk.search("refund or Saturday", ["Plain", "Full"], mode="meaning")
    assert {(hit.base, hit.found_by) for hit in found} == {("Plain", ("keyword",)), ("Full", ("meaning",))}
    assert any("Plain has no vectors" in note for note in found.notes)


@pytest.mark.parametrize("deadline", [-1.0, float("nan"), float("inf"), 1e9])
def test_a_deadline_that_is_none_is_wrong_usage(desk: Desk, folder: Path, deadline: float) -> None:
    base = desk.bases.create("Handbook")
    base.add(folder / "hours.txt", wait=True)
    with pytest.raises(UsageError) as caught:
        desk.search("Saturday", [base], deadline=deadline)
    assert caught.value.code == "deadline_out_of_range"


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "nope", "https://a b", "ftp://x/y", "http://", "file:///x"]
)
def test_a_source_address_that_is_no_link_is_refused(desk: Desk, folder: Path, url: str) -> None:
    base = desk.bases.create("Handbook")
    with pytest.raises(UsageError) as caught:
        base.add(folder / "hours.txt", source_url=url)
    assert caught.value.code == "bad_source_url"
    assert base.list_documents() == []


def test_a_home_that_is_a_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("x")
    with pytest.raises(UsageError, match="it is a file"):
        Desk.open(tmp_path / "notes.md", settings=Settings(cache=tmp_path))


def test_a_name_that_is_no_text_is_not_found(desk: Desk) -> None:
    assert desk.bases.find("\ud800") is None


def test_nothing_acceptable_is_said_once(desk: Desk, folder: Path) -> None:
    base = desk.bases.create("Handbook")
    base.add(folder, wait=True)
    run = desk.ask("Who painted the ceiling of the chapel?", [base])
    assert run.outcome == "answered_with_warning"
    assert len(run.warnings) == 1


@pytest.mark.req("A4", "ING4")
def test_a_base_whose_documents_are_all_reprocessed_says_that_nothing_is_ready(
    open_desk: Opener, folder: Path
) -> None:
    desk = open_desk("bases")
    base = desk.bases.create("Handbook")
    base.add(folder / "hours.txt", wait=True)
    [document] = base.list_documents()
    desk._parts.catalog.documents.requeue([document.id], keep_live=False)
    assert desk.search("Saturday", [base]).notes[0] == "Base Handbook has no document that is ready."
    desk.work()
    assert len(desk.search("Saturday", [base])) == 1
