"""Queries that every search asks: their SQL is made once, and the driver is asked without a layer between."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from typing import Any

from sqlalchemy import Engine, Select

Row = tuple[Any, ...]


class Standing:
    """A query that stays as it is. Its rows are as the driver gives them: in SQLite true is 1."""

    def __init__(self, query: Select[Any]) -> None:
        self._query = query
        self._made: dict[str, tuple[str, list[str] | None]] = {}

    def rows(self, engine: Engine, values: Mapping[str, Any]) -> list[Row]:
        """One transaction of its own. Raises the driver's errors; a connection that had one is not used
        again."""
        text, names = self._made.get(engine.name) or self._make(engine)
        given = values if names is None else [values[name] for name in names]
        with closing(engine.raw_connection()) as connection:
            try:
                with closing(connection.cursor()) as cursor:
                    cursor.execute(text, given)
                    return list(cursor.fetchall())
            except BaseException as error:
                connection.invalidate(error)
                raise

    def _make(self, engine: Engine) -> tuple[str, list[str] | None]:
        """The SQL for this kind of database, and the order of its values where they have no names in it."""
        compiled: Any = self._query.compile(dialect=engine.dialect)
        made = self._made[engine.name] = str(compiled), compiled.positiontup
        return made
