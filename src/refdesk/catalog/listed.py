"""Any number of texts as one value of a query, so that its statement is made once."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, String, bindparam
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement


class _Each(FunctionElement[str]):
    """The texts of a JSON list, as a subquery."""

    inherit_cache = True
    type = String()


@compiles(_Each, "sqlite")
def _sqlite(element: _Each, compiler: Any, **options: Any) -> str:
    return f"(SELECT value FROM json_each({compiler.process(element.clauses, **options)}))"  # noqa: S608


@compiles(_Each, "postgresql")
def _postgresql(element: _Each, compiler: Any, **options: Any) -> str:
    return f"(SELECT json_array_elements_text(CAST({compiler.process(element.clauses, **options)} AS json)))"


def among(column: ColumnElement[str], parameter: str) -> ColumnElement[bool]:
    """Whether the column is one of the texts that ``parameter`` is given as, by ``listed``."""
    return column.op("IN", is_comparison=True)(_Each(bindparam(parameter, type_=String)))


def listed(texts: Iterable[str]) -> str:
    return json.dumps(list(texts))
