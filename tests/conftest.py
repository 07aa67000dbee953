"""What every test may use: the shared corpus, and a rule that nothing required is skipped in CI."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

REQUIRE_ALL = os.environ.get("REFDESK_TEST_REQUIRE") == "all"


def need(present: bool, what: str) -> None:
    """Skips, saying what is missing; fails instead where everything is required."""
    if present:
        return
    if REQUIRE_ALL:
        pytest.fail(f"{what}, and REFDESK_TEST_REQUIRE=all lets nothing be skipped")
    pytest.skip(what)


@pytest.fixture(scope="session")
def corpus() -> Path:
    folder = Path(__file__).parents[2] / "shared" / "corpus"
    need(folder.is_dir(), f"the shared corpus is not at {folder}")
    return folder
