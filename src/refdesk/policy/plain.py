"""A policy as plain data and back, where whoever reads it has no library to validate it with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from refdesk.policy.model import (
    Agents,
    Answers,
    Bases,
    Documents,
    Embedding,
    Figures,
    Ingestion,
    Passages,
    Policy,
    Screening,
    Search,
    Section,
)

_SECTIONS: Mapping[str, type[Section]] = {
    "documents": Documents,
    "figures": Figures,
    "screening": Screening,
    "passages": Passages,
    "embedding": Embedding,
    "search": Search,
    "ingestion": Ingestion,
    "bases": Bases,
    "agents": Agents,
    "answers": Answers,
}


def to_plain(policy: Policy) -> dict[str, Any]:
    return asdict(policy)


def from_plain(table: Mapping[str, Any]) -> Policy:
    """Of a table that ``to_plain`` made; JSON may have turned its tuples into lists."""
    sections: dict[str, Any] = {name: section(**table[name]) for name, section in _SECTIONS.items()}
    documents = sections["documents"]
    sections["documents"] = documents.model_copy(update={"kinds": tuple(documents.kinds)})
    return Policy(name=table["name"], **sections)
