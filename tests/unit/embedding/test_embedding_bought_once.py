"""A service that fails in the middle of a document: what was made is kept, and not bought again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from refdesk import Desk
from refdesk.embedding import CachedEmbedder, Limits, OpenAIEmbedder, cache_file
from refdesk.errors import Failed
from refdesk.settings import Settings
from refdesk.testing import FakeProvider, WordEmbedder

SECTIONS = ["parcels", "refunds", "lockers", "keys", "parking", "badges", "lunch"]


@pytest.fixture
def provider() -> Iterator[FakeProvider]:
    with FakeProvider() as made:
        yield made


@pytest.fixture
def embedder(provider: FakeProvider) -> OpenAIEmbedder:
    return OpenAIEmbedder("words", "key", provider.url + "/v1", dimensions=64, limits=Limits(texts=2))


@pytest.fixture
def desk(tmp_path: Path, embedder: OpenAIEmbedder) -> Iterator[Desk]:
    with Desk.open(
        tmp_path / "desk", settings=Settings(cache=tmp_path / "cache"), embedders={"local": embedder}
    ) as made:
        yield made


@pytest.mark.req("ING6")
def test_a_document_is_found_by_keyword_and_its_passages_are_bought_once(
    desk: Desk, provider: FakeProvider, tmp_path: Path
) -> None:
    document = tmp_path / "rules.md"
    document.write_text("".join(f"# About {name}\n\nThe rule about {name}.\n\n" for name in SECTIONS))
    base = desk.bases.create("Handbook")
    provider.script = ["answer", "answer", "401"]
    [added] = base.add(document, wait=True).documents
    assert (added.state, added.code) == ("failed", "embedding_unavailable")
    assert "refuses the key (401)" in (added.error or "")
    assert "lunch" in desk.search("lunch", bases=[base], mode="keyword").hits[0].text
    assert len(provider.asked) == 3
    refused = provider.asked.pop().texts
    assert base.reindex() == 1
    desk.work()
    assert base.list_documents()[0].state == "ready"
    bought = Counter(provider.texts)
    assert set(bought.values()) == {1}
    assert set(refused) < set(bought)
    assert len(bought) == len(SECTIONS)


def test_an_evaluation_keeps_what_was_made_before_a_failure(
    embedder: OpenAIEmbedder, provider: FakeProvider, tmp_path: Path
) -> None:
    cached = CachedEmbedder(embedder, cache_file(tmp_path))
    provider.script = ["answer", "401"]
    with pytest.raises(Failed, match="refuses the key"):
        cached.passages(SECTIONS)
    provider.asked.clear()
    assert np.allclose(cached.passages(SECTIONS), WordEmbedder().passages(SECTIONS), atol=1e-6)
    assert list(provider.texts) == SECTIONS[2:]
