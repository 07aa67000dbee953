"""Opening a catalog, and what its transactions promise on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import func, select

from refdesk.catalog import Catalog
from refdesk.catalog.common import Actor
from refdesk.catalog.connect import Database
from refdesk.catalog.schema import projects
from refdesk.errors import Failed, UsageError

LOCAL = Actor("local", None, None)


@pytest.fixture
def catalog(catalog_at: str) -> Iterator[Catalog]:
    opened = Catalog(catalog_at)
    yield opened
    opened.close()


@pytest.mark.parametrize("where", ["catalog.sqlite", "mysql://a@b/c", "sqlite://"])
def test_an_address_that_is_no_database_of_ours_is_refused_in_words(where: str) -> None:
    with pytest.raises(UsageError, match="REFDESK_DATABASE_URL"):
        Database(where)


def test_a_server_that_does_not_answer_is_named_without_its_password() -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(Failed, match=r"127\.0\.0\.1:1/") as caught:
        Database("postgresql://refdesk:hush-hush@127.0.0.1:1/refdesk")
    assert "hush-hush" not in caught.value.message


def test_a_read_sees_one_instant(catalog: Catalog) -> None:
    count = select(func.count()).select_from(projects)
    with catalog.database.read() as reader:
        before = reader.execute(count).scalar_one()
        catalog.projects.open("made-meanwhile", None, "packs", LOCAL)
        assert reader.execute(count).scalar_one() == before
    with catalog.database.read() as reader:
        assert reader.execute(count).scalar_one() == before + 1


def test_what_a_write_has_checked_is_so_until_it_ends(catalog: Catalog) -> None:
    def make(number: int) -> str:
        return catalog.projects.open("one", None, "packs", LOCAL).id

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(make, range(16)))) == 1


def test_a_write_that_fails_leaves_nothing_and_is_in_no_readers_way(catalog: Catalog) -> None:
    made = catalog.projects.open("default", None, "packs", LOCAL)

    def deleted_and_broken() -> None:
        with catalog.database.write() as connection:
            connection.execute(projects.delete())
            assert catalog.projects.find("default") == made
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        deleted_and_broken()
    catalog.database.tidy()
    assert catalog.projects.find("default") == made
