"""LanceDB with its vector index at any size, to see what that index finds."""

from __future__ import annotations

from speed.engines import lance

PACKAGES = lance.PACKAGES


class Adapter(lance.Adapter):
    exact = 0
