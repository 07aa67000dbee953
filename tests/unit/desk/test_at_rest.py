"""When there is no more work, a base's index is one file, and its passages are found as before."""

from __future__ import annotations

from pathlib import Path

import pytest

from refdesk import Desk
from refdesk.index.local import generation


@pytest.mark.req("ING2")
@pytest.mark.parametrize("waits", [True, False], ids=["who adds waits", "the queue is worked later"])
def test_what_was_added_is_brought_together(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, waits: bool
) -> None:
    monkeypatch.setattr(generation, "TAIL", 4)
    monkeypatch.setattr(generation, "_RATIO", 0)
    monkeypatch.setattr(generation, "_LOOSE", 2)
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(10):
        (folder / f"{number}.md").write_text(f"# Ledger {number}\n\nThe ledger of number {number} is kept.\n")
    base = desk.bases.create("Ledgers")
    base.add(folder, wait=waits)
    desk.work()
    assert len(list((desk.home / "index" / base.id).glob("*.segment"))) == 1
    assert len(desk.search("ledger", bases=["Ledgers"], mode="keyword", top_k=8).hits) == 8
    assert desk.search("number 7", bases=["Ledgers"], mode="keyword").hits[0].name == "7.md"
