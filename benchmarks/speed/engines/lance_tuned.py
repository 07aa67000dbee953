"""The tables of ``lance``, searched with settings by which the vector index finds as much as Refdesk's.

Its documentation has both for when recall is too low: ``ef``, candidates of the graph's search, and
``refine_factor``, how many times more are read and compared by their whole vectors.
"""

from __future__ import annotations

from typing import Any

from speed.engines import lance

PACKAGES = lance.PACKAGES
EF = 250
REFINE_FACTOR = 5


class Adapter(lance.Adapter):
    def _by_vector(self, query: Any) -> Any:
        return super()._by_vector(query).ef(EF).refine_factor(REFINE_FACTOR)
