"""After a deletion nothing of a document is in any byte of the desk: text, words, names, pictures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.desk.test_figures import drawn
from tests.unit.desk.test_screened_documents import everywhere

from refdesk import Desk
from refdesk.testing import WordEmbedder

Opener = Callable[..., Desk]

TEXT = "# Kestrel protocol\n\nThe kestrelword opens the northern archive at dawn.\n"


def in_bytes(home: Path, wanted: bytes) -> list[str]:
    return [str(path) for path in home.rglob("*") if path.is_file() and wanted in path.read_bytes()]


@pytest.mark.req("DOC7")
@pytest.mark.parametrize("whole_base", [False, True])
@pytest.mark.parametrize("policy", ["packs", "bases"])
def test_nothing_of_it_is_left(open_desk: Opener, tmp_path: Path, policy: str, whole_base: bool) -> None:
    desk = open_desk(policy, embedder=WordEmbedder())
    base = desk.bases.create("Handbook")
    path = tmp_path / "kestrelname.md"
    path.write_text(TEXT)
    added = base.add(path, drawn(tmp_path), wait=True).documents
    ids = [str(one.id) for one in added]
    assert [one.state for one in added] == ["ready", "ready"]
    webp = desk.documents.figure(ids[1], 1)
    desk.search("kestrelword", [base])
    assert everywhere(desk.home, "kestrelword")
    assert everywhere(desk.home, "kestrelname")
    assert in_bytes(desk.home, webp)
    base.reindex()
    desk.work()
    if whole_base:
        base.delete()
    else:
        desk.documents.delete(*ids)
    for word in ("kestrelword", "kestrelname", "Kestrel protocol", "northern archive", "Credit flow"):
        assert everywhere(desk.home, word) == []
    assert in_bytes(desk.home, webp) == []
    desk.close()
    assert everywhere(desk.home, "kestrel") == []
