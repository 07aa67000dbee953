"""A desk for the examples: one base, one agent that reads it, in a folder that is gone afterwards."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

from refdesk import Desk
from refdesk.settings import Settings

QUESTION = "When does a refund arrive?"
ANSWER = "A refund arrives within five to seven working days."
_REFUNDS = f"# Refunds\n\n{ANSWER}\n"
_PRICES = "# Prices\n\n| Part | Price |\n|---|---|\n| Battery | 49 EUR |\n"


@contextmanager
def handbook(policy: str = "packs") -> Iterator[Desk]:
    with TemporaryDirectory() as home:
        folder = Path(home) / "documents"
        folder.mkdir()
        (folder / "refunds.md").write_text(_REFUNDS, encoding="utf-8")
        (folder / "prices.md").write_text(_PRICES, encoding="utf-8")
        settings = Settings(cache=Path(home) / "cache")
        with Desk.open(Path(home) / "desk", policy=policy, settings=settings) as desk:
            base = desk.bases.create("Handbook")
            base.add(folder, wait=True)
            desk.agents.create("Reception", bases=[base.id])
            yield desk


def evidence(text: str) -> None:
    """What the model reads is the found passage between fences, with its source."""
    assert ANSWER in text, text
    assert "reference [1] begins" in text, text
    assert "From: Handbook › Refunds" in text, text


def passed(package: str, what: str) -> None:
    sys.stdout.write(f"{package} {version(package)}: {what}\n")
