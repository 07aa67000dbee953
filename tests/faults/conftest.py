from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from refdesk import Desk
from refdesk.settings import Settings


@pytest.fixture
def desk(catalog_at: str, tmp_path: Path) -> Iterator[Desk]:
    settings = Settings(database_url=catalog_at, cache=tmp_path / "cache")  # type: ignore[arg-type]
    with Desk.open(tmp_path / "desk", settings=settings) as opened:
        yield opened
