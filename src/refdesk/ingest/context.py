"""What every step of ingestion works with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from refdesk.blobs import Blobs
from refdesk.catalog import Catalog
from refdesk.embedding.model import Embedder
from refdesk.index.model import Index

if TYPE_CHECKING:
    from refdesk.reading import Reader

Progress = Callable[[str, str, int, int], None]
"""``(stage, name, done, total)``: documents for ``read``, passages of one document for ``embed``."""


@dataclass(frozen=True, slots=True)
class Context:
    """``reader`` makes the reading processes when they are first needed; ``index`` opens a base's index;
    ``embedder`` an account's model, ``Failed`` where it can't be used."""

    catalog: Catalog
    blobs: Blobs
    reader: Callable[[], Reader]
    index: Callable[[str], Index]
    embedder: Callable[[str], Embedder]


def silent(stage: str, name: str, done: int, total: int) -> None:
    """Progress that nobody watches."""
