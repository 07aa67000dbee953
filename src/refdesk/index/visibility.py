"""The other half of an index: it proposes candidates, and a ``Visibility`` decides which exist."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple, Protocol


class Live(NamedTuple):
    """A document that may be seen, in its live version."""

    id: str
    version: int
    name: str
    title: str
    source_url: str | None
    metadata: Mapping[str, str]


class Visibility(Protocol):
    """The catalog, or a bake's manifest."""

    def live(self, wanted: Mapping[str, Collection[str]]) -> Mapping[str, Mapping[str, Live]]:
        """Of the documents wanted of each base those that it holds live now, by base, then id."""
        ...
