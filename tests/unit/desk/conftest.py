from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from refdesk import Desk
from refdesk.embedding.model import Embedder
from refdesk.settings import Settings
from refdesk.testing import WordEmbedder

Opener = Callable[..., Desk]


@pytest.fixture
def open_desk(tmp_path: Path) -> Iterator[Opener]:
    """Opens desks whose cache folder is empty; ``embedder`` is their ``local`` account, ``None`` for none."""
    opened: list[Desk] = []

    def opener(
        policy: str = "packs", embedder: Embedder | None = None, home: str = "desk", project: str = "default"
    ) -> Desk:
        embedders: Mapping[str, Embedder] = {} if embedder is None else {"local": embedder}
        desk = Desk.open(
            tmp_path / home,
            project=project,
            policy=policy,
            settings=Settings(cache=tmp_path / "cache"),
            embedders=embedders,
        )
        opened.append(desk)
        return desk

    yield opener
    for desk in opened:
        desk.close()


@pytest.fixture
def desk(open_desk: Opener) -> Desk:
    return open_desk(embedder=WordEmbedder())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A few documents about different things, one in a folder of its own."""
    root = tmp_path / "documents"
    (root / "billing").mkdir(parents=True)
    (root / "returns.md").write_text(
        "# Returns\n\n## Refunds\n\nA refund arrives within five to seven working days.\n\n"
        "## Exchange\n\nAn exchange needs the receipt.\n"
    )
    (root / "billing" / "prices.md").write_text(
        "# Prices\n\n| Service | Price |\n|---|---|\n| Screen repair | 89 EUR |\n| Battery | 49 EUR |\n"
    )
    (root / "hours.txt").write_text("We open at nine on Saturday and are closed on Sunday.\n")
    return root
