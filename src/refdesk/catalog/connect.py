"""Opens the catalog's database, SQLite or PostgreSQL, and brings it to the newest schema.

No file or network work belongs inside a transaction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from refdesk.catalog.sqlite import SQLite
from refdesk.catalog.standing import Asked, Row, Standing
from refdesk.errors import Failed, UsageError

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine, Select

HEAD = "0013"  # the newest migration; a test holds it to the scripts


class Server(Asked, Protocol):
    """What differs between the two. ``place`` names the database, without a password; ``driver`` is the
    module of its driver."""

    place: str
    driver: Any

    @property
    def engine(self) -> Engine: ...
    def begin_reading(self, connection: Connection) -> None: ...
    def begin_writing(self, connection: Connection, alone: bool) -> None: ...
    def begin_migrating(self, connection: Connection) -> None: ...
    def revision(self) -> str | None: ...
    def data_version(self) -> int | None: ...
    def tidy(self) -> None: ...
    def close(self) -> None: ...


class Database:
    """``read()`` and ``write()`` are transactions; the sync core needs nothing else."""

    def __init__(self, where: Path | str) -> None:
        """``where``: a SQLite file's path, or a URL, ``sqlite:///PATH`` or ``postgresql://…``. Raises
        ``Failed`` where it cannot be opened."""
        self._server = server_at(where)
        self._trouble: type[Exception] = self._server.driver.OperationalError
        try:
            self._upgrade()
        except self._server.driver.DatabaseError as error:
            self.close()
            why = str(error).strip().splitlines()[0]
            raise Failed(f"The catalog at {self._server.place} cannot be opened: {why}.") from error
        except BaseException:
            self.close()
            raise

    @property
    def engine(self) -> Engine:
        return self._server.engine

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Sees one instant."""
        with self._connected() as connection:
            self._server.begin_reading(connection)
            try:
                yield connection
            finally:
                connection.rollback()

    def rows(self, query: Select[Any], values: Mapping[str, Any]) -> Sequence[Any]:
        """One query, which is a transaction of its own."""
        with self._connected() as connection:
            return connection.execute(query, values).all()

    def asked(self, query: Standing, values: Mapping[str, Any]) -> Sequence[Row]:
        """As ``rows``, at a fraction of its cost."""
        try:
            return query.rows(self._server, values)
        except self._trouble as error:
            raise _unavailable() from error

    def data_version(self) -> int | None:
        """A number that is another one once anything has been committed; ``None`` where there is none."""
        try:
            return self._server.data_version()
        except self._trouble as error:
            raise _unavailable() from error

    @contextmanager
    def write(self, *, alone: bool = True) -> Iterator[Connection]:
        """All or nothing. Alone, it may check first and write then; ``alone=False`` is for what locks, or
        compares and sets, each row that it depends on."""
        with self._connected() as connection:
            self._server.begin_writing(connection, alone)
            try:
                yield connection
            except BaseException:
                connection.rollback()
                raise
            connection.commit()

    def check(self) -> None:
        """Raises ``Failed`` (``catalog_unavailable``) where the database does not answer."""
        with self.read() as connection:
            connection.exec_driver_sql("SELECT 1")

    def tidy(self) -> None:
        """Deleted rows are gone when it returns, as far as the database promises it (docs/cluster.md)."""
        self._server.tidy()

    def close(self) -> None:
        self._server.close()

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        from sqlalchemy.exc import OperationalError

        try:
            with self.engine.connect() as connection:
                yield connection
        except OperationalError as error:
            raise _unavailable() from error

    def _upgrade(self) -> None:
        if self._server.revision() != HEAD:
            # Alembic costs half a second to import, and nearly every start is up to date.
            from refdesk.catalog.migrate import upgrade

            upgrade(self._server)


def _unavailable() -> Failed:
    return Failed(
        "The catalog's database does not answer, or is too busy: try again.", code="catalog_unavailable"
    )


def server_at(where: Path | str) -> Server:
    if isinstance(where, Path):
        return SQLite(where)
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        url = make_url(where)
    except ArgumentError:
        raise _no_database("what is given is no URL") from None
    kind = url.get_backend_name()
    if kind in {"postgresql", "postgres"}:
        from refdesk.catalog.postgresql import PostgreSQL

        return PostgreSQL(url)
    if kind == "sqlite" and url.database:
        return server_at(Path(url.database))
    raise _no_database(f"{kind} is none of the two")


def _no_database(why: str) -> UsageError:
    return UsageError(
        f"REFDESK_DATABASE_URL is sqlite:///PATH or postgresql://USER:PASSWORD@HOST:PORT/NAME, and {why}."
    )
