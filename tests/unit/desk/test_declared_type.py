"""A name without an extension takes its kind from the declared type, also where the queue reads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from refdesk import Desk
from refdesk.errors import Refusal
from refdesk.ingest.accept import Upload, accept
from refdesk.testing import WordEmbedder


@pytest.mark.req("D8", "H3", "ING4")
@pytest.mark.parametrize("policy", ["packs", "bases"])
@pytest.mark.parametrize(("declared", "kind"), [("text/markdown", "markdown"), ("Text/Plain; x=y", "text")])
def test_the_declared_type_is_known_when_the_document_is_read(
    open_desk: Callable[..., Desk], tmp_path: Path, policy: str, declared: str, kind: str
) -> None:
    desk = open_desk(policy, embedder=WordEmbedder())
    base = desk.bases.create("Handbook")
    path = tmp_path / "upload"
    path.write_text("# Opening\n\nThe office opens at nine.\n")
    parts = desk._parts
    accept(
        parts.context,
        parts.policy,
        parts.catalog.bases.get(parts.project, base.id),
        Upload(path, "opening", declared),
        parts.actor,
    )
    desk.work()
    [document] = base.list_documents()
    assert (document.state, document.kind, document.error) == ("ready", kind, None)
    [hit] = desk.search("when does the office open", [base], mode="keyword")
    assert hit.section == ("Opening" if kind == "markdown" else None)


@pytest.mark.req("D4", "D8", "ING4", "D11")
@pytest.mark.parametrize("policy", ["packs", "bases"])
def test_a_document_is_read_as_what_it_is_whatever_it_is_called(
    open_desk: Callable[..., Desk], tmp_path: Path, policy: str
) -> None:
    desk = open_desk(policy, embedder=WordEmbedder())
    base = desk.bases.create("Handbook")
    path = tmp_path / "opening.md"
    path.write_text("# Opening\n\nThe office opens at nine.\n")
    base.add(path, wait=True)
    [document] = base.list_documents()
    with pytest.raises(Refusal) as caught:
        desk.documents.update(document.id, name="opening.pdf")
    assert caught.value.code == "wrong_type"
    for name in ("Opening hours", "Opening v2.0", "opening.MD"):
        desk.documents.update(document.id, name=name)
        desk.documents.reingest(document.id)
        desk.work()
        after = desk.documents.get(document.id)
        assert (after.name, after.kind, after.state, after.error) == (name, "markdown", "ready", None)
