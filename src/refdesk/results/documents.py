"""Documents, and how far their ingestion is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class DocumentProgress:
    """``stage`` is ``claim``, ``read``, ``embed`` or ``index``; ``done`` of ``total`` passages in it, and
    ``seconds`` that the stage will take yet, as far as that can be known. ``pages`` null until read."""

    stage: str
    bytes: int
    pages: int | None
    done: int
    total: int
    seconds: float | None


@dataclass(frozen=True, slots=True)
class BaseProgress:
    """Documents by state, bytes and passages that are done, and bytes that wait. ``seconds`` that the rest
    will take at the pace of the documents done last; null where nothing tells that yet."""

    queued: int
    indexing: int
    ready: int
    failed: int
    bytes_done: int
    bytes_waiting: int
    passages: int
    seconds: float | None

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Document:
    """``base`` is its base's name; ``indexed_version`` is the version that searches see; ``chars``,
    ``pages`` and ``passages`` are null until known, ``pages`` also for kinds without pages. ``progress``: of
    the worker that has it now."""

    id: str
    base: str
    name: str
    title: str
    kind: str
    state: str
    error: str | None
    code: str | None
    version: int
    indexed_version: int | None
    chars: int | None
    pages: int | None
    passages: int | None
    source_url: str | None
    metadata: Mapping[str, str]
    notes: Sequence[str]
    created_at: str
    progress: DocumentProgress | None

    def to_dict(self) -> dict[str, Any]:
        """The contract's fields."""
        table = asdict(self)
        del table["base"], table["progress"]
        return table


@dataclass(frozen=True, slots=True)
class DocumentFigure:
    """``label`` is the alt text alone; ``width`` and ``height`` in pixels as stored."""

    number: int
    label: str
    page: int | None
    width: int
    height: int
