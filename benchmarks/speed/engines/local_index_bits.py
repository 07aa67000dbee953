"""The local index as it chooses by bits in a large base: the same share of fewer vectors is compared.

So that what bits find can be measured on real vectors, of which there are not enough for a large base.
"""

from __future__ import annotations

from pathlib import Path

from refdesk.index.local import signs
from speed.engines import local_index
from speed.given import Given

PACKAGES = local_index.PACKAGES
LARGE = 200_000
"""Vectors of the base whose share is taken."""


class Adapter(local_index.Adapter):
    def __init__(self, store: Path, given: Given) -> None:
        super().__init__(store, given)
        signs.FROM = 1
        signs.PROPOSED = signs.PROPOSED * len(given.vectors()) // LARGE
