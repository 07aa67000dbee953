"""The time by the database's clock, so that machines whose clocks differ agree on a lease."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Float
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement


class epoch(FunctionElement[float]):  # noqa: N801
    """Seconds since 1970. In SQLite it is a function that each connection registers."""

    name = "epoch"
    type = Float()
    inherit_cache = True


@compiles(epoch)
def _sqlite(_element: epoch, _compiler: Any, **_: Any) -> str:
    return "epoch()"


@compiles(epoch, "postgresql")
def _postgresql(_element: epoch, _compiler: Any, **_: Any) -> str:
    return "CAST(extract(epoch FROM clock_timestamp()) AS double precision)"
