from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from refdesk import Desk
from refdesk.embedding.model import Embedder
from refdesk.settings import Settings
from refdesk.testing import FakeProvider

KEY = "sk-test-7f3a9c1e55d04b"

Opener = Callable[..., Desk]


@pytest.fixture
def provider() -> Iterator[FakeProvider]:
    with FakeProvider(key=KEY) as made:
        yield made


@pytest.fixture
def open_desk(tmp_path: Path) -> Iterator[Opener]:
    """Opens desks without a local model that may ask hosts of this machine."""
    opened: list[Desk] = []

    def opener(
        policy: str = "packs",
        *,
        project: str = "default",
        embedders: Mapping[str, Embedder] | None = None,
        **settings: Any,
    ) -> Desk:
        values = {"cache": tmp_path / "cache", "allow_private_hosts": True, **settings}
        desk = Desk.open(
            tmp_path / "desk",
            project=project,
            policy=policy,
            settings=Settings(**values),
            embedders=embedders,
        )
        opened.append(desk)
        return desk

    yield opener
    for desk in opened:
        desk.close()


@pytest.fixture
def desk(open_desk: Opener) -> Desk:
    return open_desk()
