"""The desk of ``refdesk`` with its embedding model, which embeds each question beside the keyword half."""

from __future__ import annotations

from pathlib import Path

from refdesk import Desk
from speed.engines import refdesk
from speed.given import Given

PACKAGES = refdesk.PACKAGES


class Adapter(refdesk.Adapter):
    def __init__(self, store: Path, given: Given) -> None:
        super().__init__(store, given)
        self.searches = {"hybrid": self.searches["hybrid"]}

    def _opened(self) -> Desk:
        return Desk.open(self._store)
