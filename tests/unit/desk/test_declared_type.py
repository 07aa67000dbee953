"""A name without an extension takes its kind from the declared type, also where the queue reads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from refdesk import Desk
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
