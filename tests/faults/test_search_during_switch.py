"""A version is switched, written anew or deleted in the middle of a search: the search runs again, and finds
what is there by then."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from refdesk import Desk
from refdesk.index.model import Candidate, Stored
from refdesk.settings import Settings
from refdesk.testing import WordEmbedder

QUESTION = "when does the office close"
STEPS = {
    "keyword": ("keyword", "issued"),
    "hybrid": ("keyword", "nearest", "issued"),
    "meaning": ("nearest", "issued"),
}
Wanted = Sequence[tuple[bytes, int | None]]
MIDDLE = [(mode, step) for mode, steps in STEPS.items() for step in steps]


@pytest.fixture
def desks(tmp_path: Path) -> Iterator[tuple[Desk, Desk]]:
    """One that searches, and another that changes what it searches."""
    embedders = {"local": WordEmbedder()}
    settings = Settings(cache=tmp_path / "cache")
    with (
        Desk.open(tmp_path / "desk", settings=settings, embedders=embedders) as one,
        Desk.open(tmp_path / "desk", settings=settings, embedders=embedders) as other,
    ):
        one.bases.create("Handbook")
        yield one, other


def write(folder: Path, name: str, said: str) -> Path:
    path = folder / name
    path.write_text(f"# Office\n\nThe office will close at {said}.\n")
    return path


def meanwhile(
    monkeypatch: pytest.MonkeyPatch, desk: Desk, step: str, change: Callable[[], Any], *, before: bool
) -> None:
    """Once, before or after a step of the index that ``desk`` searches, something else happens."""
    index = desk._parts.index(desk.bases.get("Handbook").id)
    real = getattr(index, step)
    left = [change]

    def stepped(*arguments: Any) -> Any:
        if before and left:
            left.pop()()
        result = real(*arguments)
        if left:
            left.pop()()
        return result

    monkeypatch.setattr(index, step, stepped)


@pytest.mark.req("ING2", "ING4")
@pytest.mark.parametrize(("mode", "step"), MIDDLE)
@pytest.mark.parametrize("before", [True, False])
def test_a_replaced_document_is_found_in_its_new_version(
    desks: tuple[Desk, Desk],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    mode: Any,
    step: str,
    before: bool,
) -> None:
    desk, other = desks
    base = desk.bases.get("Handbook")
    base.add(write(tmp_path, "hours.md", "five"), wait=True)

    def replace() -> None:
        other.bases.get("Handbook").add(write(tmp_path, "hours.md", "six"), wait=True)

    meanwhile(monkeypatch, desk, step, replace, before=before)
    texts = [hit.text for hit in desk.search(QUESTION, [base], mode=mode)]
    assert len(texts) == 1
    assert texts[0].endswith(("six.",) if before else ("five.", "six."))


@pytest.mark.req("ING4")
def test_a_document_indexed_again_is_found(
    desks: tuple[Desk, Desk], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its passages are the same, and have other keys."""
    desk, other = desks
    base = desk.bases.get("Handbook")
    base.add(write(tmp_path, "hours.md", "five"), wait=True)

    def reindex() -> None:
        again = other.bases.get("Handbook")
        other._parts.index(again.id).set_setting("analyzer", "0")
        assert again.reindex() == 1
        other.work()

    meanwhile(monkeypatch, desk, "issued", reindex, before=True)
    assert [hit.name for hit in desk.search(QUESTION, [base], mode="keyword")] == ["hours.md"]


@pytest.mark.req("DOC7", "W9")
def test_a_document_deleted_in_the_middle_gives_its_place_to_the_next(
    desks: tuple[Desk, Desk], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, other = desks
    base = desk.bases.get("Handbook")
    files = [write(tmp_path, f"hours-{said}.md", said) for said in ("five", "six", "seven")]
    base.add(*files, wait=True)
    first = [hit.document for hit in desk.search(QUESTION, [base], mode="keyword", top_k=3)]
    assert len(first) == 3
    meanwhile(monkeypatch, desk, "issued", lambda: other.documents.delete(first[0]), before=True)
    found = desk.search(QUESTION, [base], mode="keyword", top_k=2)
    assert [hit.document for hit in found] == first[1:]


@pytest.mark.req("SRCH4")
def test_past_its_deadline_a_search_does_not_run_again(
    desks: tuple[Desk, Desk], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, other = desks
    base = desk.bases.get("Handbook")
    [document] = base.add(write(tmp_path, "hours.md", "five"), wait=True).documents
    asked: list[Wanted] = []
    index = desk._parts.index(base.id)
    issued = index.issued

    def gone(wanted: Wanted) -> tuple[dict[int, Stored], list[Candidate]]:
        if not asked:
            other.documents.delete(str(document.id))
        asked.append(wanted)
        return issued(wanted)

    monkeypatch.setattr(index, "issued", gone)
    assert not desk.search(QUESTION, [base], mode="keyword", deadline=0.0).hits
    assert len(asked) == 1


@pytest.mark.req("ING2")
def test_a_version_that_waits_for_its_switch_costs_no_second_run(
    desks: tuple[Desk, Desk], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, _ = desks
    base = desk.bases.get("Handbook")
    base.add(write(tmp_path, "hours.md", "five"), wait=True)
    index = desk._parts.index(base.id)
    runs: list[Wanted] = []
    keyword, issued = index.keyword, index.issued

    def with_the_next(*arguments: Any) -> list[Candidate]:
        return [made for one in keyword(*arguments) for made in (one, one._replace(version=2))]

    def counted(wanted: Wanted) -> tuple[dict[int, Stored], list[Candidate]]:
        runs.append(wanted)
        return issued(wanted)

    monkeypatch.setattr(index, "keyword", with_the_next)
    monkeypatch.setattr(index, "issued", counted)
    assert [hit.version for hit in desk.search(QUESTION, [base], mode="keyword")] == [1]
    assert len(runs) == 1
