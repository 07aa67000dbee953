"""Queries that every search or request asks, in SQL of their own, so that who only searches loads no
SQLAlchemy: the driver is asked without a layer between."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Protocol

Row = tuple[Any, ...]


class Asked(Protocol):
    """A database, ``sqlite`` or ``postgresql``."""

    kind: str

    def asked(self, text: str, values: Mapping[str, Any]) -> list[Row]:
        """In the SQL of its driver; one transaction of its own. Raises the driver's errors; a connection that
        had one is not used again."""


class Standing:
    """SQL that both kinds of database take, with ``:name`` for a value; ``postgresql``: where that has words
    of its own. Its rows are as the driver gives them: in SQLite true is 1."""

    def __init__(self, text: str, postgresql: str | None = None) -> None:
        self._texts = {"sqlite": text, "postgresql": re.sub(r":(\w+)", r"%(\1)s", postgresql or text)}

    def rows(self, database: Asked, values: Mapping[str, Any]) -> list[Row]:
        return database.asked(self._texts[database.kind], values)
