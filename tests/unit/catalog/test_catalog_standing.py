"""What every search asks of the catalog goes to the driver directly, and means the same on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy import bindparam, select, text

from refdesk.catalog import Catalog
from refdesk.catalog.common import Actor
from refdesk.catalog.schema import projects
from refdesk.catalog.standing import Standing
from refdesk.errors import Failed

LOCAL = Actor("local", None, None)
NAMED = Standing(select(projects.c.slug, projects.c.policy).where(projects.c.slug == bindparam("slug")))


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
    with catalog.database.engine.connect() as connection:
        held = connection.connection.dbapi_connection
    assert held is not None
    held.close()  # as one whose server went away: it is in the pool
    with suppress(Exception):
        catalog.database.asked(NAMED, {"slug": "one"})
    assert len(catalog.database.asked(NAMED, {"slug": "one"})) == 1
