"""Runs the migrations (Alembic) on a database, one process at a time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection

from refdesk.errors import Failed

if TYPE_CHECKING:
    from refdesk.catalog.connect import Database

FOLDER = Path(__file__).parent / "migrations"


def config(connection: Connection | None = None) -> Config:
    made = Config()
    made.set_main_option("script_location", str(FOLDER))
    made.attributes["connection"] = connection
    return made


def head() -> str | None:
    return ScriptDirectory.from_config(config()).get_current_head()


def upgrade(database: Database) -> None:
    with database.write() as connection:
        try:
            command.upgrade(config(connection), "head")
        except CommandError as error:
            raise Failed(
                "This desk was written by a newer Refdesk: install that version, or open another home.",
                code="desk_newer",
            ) from error
