"""Runs the migrations (Alembic) on a database, one process at a time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection
from sqlalchemy.exc import DatabaseError

from refdesk.errors import Failed

if TYPE_CHECKING:
    from refdesk.catalog.connect import Server

FOLDER = Path(__file__).parent / "migrations"


def config(connection: Connection | None = None) -> Config:
    made = Config()
    made.set_main_option("script_location", str(FOLDER))
    made.attributes["connection"] = connection
    return made


def head() -> str | None:
    return ScriptDirectory.from_config(config()).get_current_head()


def upgrade(server: Server, to: str = "head") -> None:
    """Raises the driver's errors."""
    try:
        _upgrade(server, to)
    except DatabaseError as error:
        raise (error.orig or error) from error


def _upgrade(server: Server, to: str) -> None:
    with server.engine.connect() as connection:
        server.begin_migrating(connection)
        try:
            command.upgrade(config(connection), to)
        except CommandError as error:
            connection.rollback()
            raise Failed(
                "This desk was written by a newer Refdesk: install that version, or open another home.",
                code="desk_newer",
            ) from error
        except BaseException:
            connection.rollback()
            raise
        connection.commit()
    server.engine.dispose()  # what was set for this transaction alone ends with its connection
