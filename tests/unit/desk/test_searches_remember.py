"""What searches remember of the catalog shows in no answer: neither a caller's changes nor what is over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from refdesk import Desk
from refdesk.settings import Settings


@pytest.fixture
def desks(tmp_path: Path) -> Iterator[tuple[Desk, Desk]]:
    """Two of one home, as two processes have it."""
    settings = Settings(cache=tmp_path / "cache")
    with (
        Desk.open(tmp_path / "desk", settings=settings) as one,
        Desk.open(tmp_path / "desk", settings=settings) as other,
    ):
        base = one.bases.create("Handbook")
        for name in ("hours", "refunds"):
            (tmp_path / f"{name}.txt").write_text(f"The office says of {name} what it can.\n")
            base.add(tmp_path / f"{name}.txt", wait=True, metadata={"team": name})
        yield one, other


def found(desk: Desk) -> dict[str, dict[str, str]]:
    hits = desk.search("what does the office say", ["Handbook"], mode="keyword")
    return {hit.name: dict(hit.metadata) for hit in hits}


@pytest.mark.req("SRCH2")
def test_what_a_caller_does_with_a_hit_is_its_own_matter(desks: tuple[Desk, Desk]) -> None:
    desk, _ = desks
    [hit, *_] = desk.search("what does the office say of hours", ["Handbook"], mode="keyword")
    hit.metadata["team"] = "nobody"  # type: ignore[index]
    assert found(desk) == {"hours.txt": {"team": "hours"}, "refunds.txt": {"team": "refunds"}}


@pytest.mark.req("DOC7", "SRCH2")
def test_what_somebody_else_changes_is_seen_by_the_next_search(desks: tuple[Desk, Desk]) -> None:
    desk, other = desks
    assert set(found(desk)) == {"hours.txt", "refunds.txt"}
    [hours] = [one for one in other.bases.get("Handbook").list_documents() if one.name == "hours.txt"]
    other.bases.get("Handbook").update(name="Rules")
    other.bases.create("Handbook")
    assert found(desk) == {}
    hits = desk.search("what does the office say", ["Rules"], mode="keyword")
    assert {hit.base for hit in hits} == {"Rules"}
    other.documents.delete(str(hours.id))
    hits = desk.search("what does the office say", ["Rules"], mode="keyword")
    assert [hit.name for hit in hits] == ["refunds.txt"]
