"""What every search asks of the catalog goes to the driver directly, and means the same on both databases."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy import text

from refdesk.catalog import Catalog
from refdesk.catalog.common import Actor
from refdesk.catalog.remembered import Remembered
from refdesk.catalog.sqlite import SQLite
from refdesk.catalog.standing import Standing
from refdesk.errors import Failed

LOCAL = Actor("local", None, None)
NAMED = Standing("SELECT slug, policy FROM projects WHERE slug = :slug")


@pytest.fixture
def catalog(catalog_at: str) -> Iterator[Catalog]:
    opened = Catalog(catalog_at)
    opened.projects.open("one", None, "packs", LOCAL)
    yield opened
    opened.close()


@pytest.mark.req("SRCH2")
def test_it_gives_what_is_there_now(catalog: Catalog) -> None:
    database = catalog.database
    assert [tuple(row) for row in database.asked(NAMED, {"slug": "one"})] == [("one", "packs")]
    assert database.asked(NAMED, {"slug": "two"}) == []
    catalog.projects.open("two", None, "voice", LOCAL)
    assert [tuple(row) for row in database.asked(NAMED, {"slug": "two"})] == [("two", "voice")]


def test_it_may_be_asked_by_many_at_once(catalog: Catalog) -> None:
    def ask(_: int) -> int:
        return len(catalog.database.asked(NAMED, {"slug": "one"}))

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(ask, range(64))) == {1}


def test_it_leaves_no_transaction_open(catalog: Catalog) -> None:
    catalog.database.asked(NAMED, {"slug": "one"})
    with catalog.database.write() as connection:
        connection.execute(text("ALTER TABLE projects RENAME TO moved"))
    with catalog.database.write() as connection:
        connection.execute(text("ALTER TABLE moved RENAME TO projects"))
    assert len(catalog.database.asked(NAMED, {"slug": "one"})) == 1


def test_a_query_that_the_database_cannot_carry_out_is_said(tmp_path: Path) -> None:
    catalog = Catalog(tmp_path / "catalog.sqlite")
    with catalog.database.write() as connection:
        connection.execute(text("ALTER TABLE projects RENAME TO moved"))
    with pytest.raises(Failed) as caught:
        catalog.database.asked(NAMED, {"slug": "one"})
    assert caught.value.code == "catalog_unavailable"
    catalog.close()


def test_a_connection_that_failed_is_not_used_again(catalog: Catalog) -> None:
    catalog.database.asked(NAMED, {"slug": "one"})
    server = catalog.database._server
    if isinstance(server, SQLite):
        assert server._asking is not None
        server._asking[1].close()
    else:
        with server.engine.connect() as connection:
            held = connection.connection.dbapi_connection
        assert held is not None
        held.close()  # as one whose server went away: it is in the pool
    with suppress(Exception):
        catalog.database.asked(NAMED, {"slug": "one"})
    assert len(catalog.database.asked(NAMED, {"slug": "one"})) == 1


class Counted:
    """Which projects exist, and for which the database was read."""

    def __init__(self, catalog: Catalog) -> None:
        self.read: list[list[str]] = []
        self._slugs = Remembered(catalog.database, self._fetch)
        self._database = catalog.database

    def __call__(self, *slugs: str) -> list[bool]:
        found = self._slugs(slugs)
        return [found[slug] is not None for slug in slugs]

    def _fetch(self, slugs: Collection[str]) -> dict[str, str]:
        self.read.append(list(slugs))
        return {slug: slug for slug in slugs if self._database.asked(NAMED, {"slug": slug})}


@pytest.mark.req("SRCH2")
def test_what_is_remembered_is_as_new_as_what_is_read(catalog: Catalog, catalog_at: str) -> None:
    exist = Counted(catalog)
    assert exist("one", "two") == [True, False]
    assert exist("two", "one", "three") == [False, True, False]
    other = Catalog(catalog_at)
    other.projects.open("two", None, "packs", LOCAL)
    other.close()
    assert exist("one", "two") == [True, True]
    catalog.projects.open("three", None, "packs", LOCAL)
    assert exist("one", "two", "three") == [True, True, True]


@pytest.mark.req("SRCH2", "KB5")
@pytest.mark.parametrize("how", ["closed", "failed"])
def test_what_is_remembered_is_not_taken_for_new_by_another_connection(
    catalog: Catalog, catalog_at: str, how: str
) -> None:
    """A new connection counts the changes from the beginning again."""
    reader = Catalog(catalog_at)
    exist = Counted(reader)
    assert exist("one", "two") == [True, False]
    other = Catalog(catalog_at)
    other.projects.open("two", None, "packs", LOCAL)
    other.close()
    if how == "closed":
        reader.database.close()
    else:
        with suppress(Exception):
            reader.database.asked(NAMED, {"slug": "\ud800"})
    assert exist("one", "two") == [True, True]
    reader.close()


@pytest.mark.req("SRCH2")
def test_a_child_goes_on_seeing_what_changes_when_its_parent_has_ended(tmp_path: Path) -> None:
    path = tmp_path / "catalog.sqlite"
    catalog = Catalog(path)
    exist = Counted(catalog)
    assert exist("one") == [False]
    gone, told = os.pipe()
    if (child := os.fork()) == 0:
        found = exist("one")  # opens a connection of its own
        os.write(told, b"ready")
        while not (tmp_path / "go").exists():
            time.sleep(0.01)
        found += exist("one")
        os.write(told, repr(found).encode())
        os._exit(0)
    assert os.read(gone, 5) == b"ready"
    catalog.close()  # as the parent's end would
    other = Catalog(path)
    other.projects.open("one", None, "packs", LOCAL)
    other.close()
    (tmp_path / "go").touch()
    assert os.read(gone, 99) == b"[False, True]"
    os.waitpid(child, 0)


def test_what_has_not_changed_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    catalog = Catalog(tmp_path / "catalog.sqlite")
    exist = Counted(catalog)
    assert exist("one", "two", "one") == [False, False, False]
    assert exist("two", "three") == [False, False]
    assert exist("one", "two", "three") == [False, False, False]
    assert exist.read == [["one", "two", "one"], ["three"]]
    monkeypatch.setattr("refdesk.catalog.remembered._MOST", 2)
    assert exist("one") == [False]
    assert exist.read[2:] == [["one"]]
    catalog.close()


@pytest.mark.req("SRCH2")
def test_many_who_ask_while_others_write_never_read_what_was_before(catalog: Catalog) -> None:
    """Each writer asks for what it has just written, through what all remember together."""
    exist = Counted(catalog)

    def write_and_ask(number: int) -> bool:
        exist(f"project-{number}")
        catalog.projects.open(f"project-{number}", None, "packs", LOCAL)
        return exist(f"project-{number}")[0]

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(write_and_ask, range(24)))
