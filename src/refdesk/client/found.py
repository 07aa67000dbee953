"""What a search gives, from its JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from refdesk.client.shaped import shaped
from refdesk.results.found import Found, Hit


def found_of(table: Mapping[str, Any]) -> Found:
    return shaped(Found, table, hits=tuple(map(_hit, table["hits"])), notes=tuple(table["notes"]))


def _hit(table: Mapping[str, Any]) -> Hit:
    found_by, also_in = tuple(table["found_by"]), tuple(table["also_in"])
    return shaped(Hit, {"metadata": {}, **table}, found_by=found_by, also_in=also_in)
