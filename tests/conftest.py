"""What every test may use: the shared corpus, and a rule that nothing required is skipped in CI."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path

import postgres_server
import pytest
from sqlalchemy import create_engine, make_url, text

from refdesk.catalog.connect import Database

REQUIRE_ALL = os.environ.get("REFDESK_TEST_REQUIRE") == "all"


def need(present: bool, what: str) -> None:
    """Skips, saying what is missing; fails instead where everything is required."""
    if present:
        return
    if REQUIRE_ALL:
        pytest.fail(f"{what}, and REFDESK_TEST_REQUIRE=all lets nothing be skipped")
    pytest.skip(what)


@pytest.fixture(scope="session")
def corpus() -> Path:
    folder = Path(__file__).parents[2] / "shared" / "corpus"
    need(folder.is_dir(), f"the shared corpus is not at {folder}")
    return folder


@pytest.fixture(scope="session")
def bare_database(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[Callable[..., str]]:
    """Gives the URL of a PostgreSQL database that nobody else uses, without a table or like another one."""
    need(postgres_server.installed(), "Debian's package postgresql is not installed")
    alone = worker_id == "master"
    shared = tmp_path_factory.getbasetemp() if alone else tmp_path_factory.getbasetemp().parent
    address = postgres_server.shared_address(shared, os.getpid() if alone else os.getppid())
    admin = create_engine(
        make_url(f"{address}/postgres").set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT"
    )
    numbers = count(1)

    def bare(like: str = "template1") -> str:
        name = f"{worker_id}_{next(numbers)}"
        with admin.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name} TEMPLATE {like.rpartition('/')[2]}"))
        return f"{address}/{name}"

    yield bare
    admin.dispose()


@pytest.fixture(scope="session")
def fresh_database(bare_database: Callable[..., str]) -> Callable[[], str]:
    """As ``bare_database``, at the newest schema."""
    template = bare_database()
    Database(template).close()
    return partial(bare_database, like=template)


@pytest.fixture(params=["sqlite", "postgresql"])
def catalog_at(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty catalog, once on each database."""
    if request.param == "postgresql":
        fresh: Callable[[], str] = request.getfixturevalue("fresh_database")
        return fresh()
    return f"sqlite:///{tmp_path / 'catalog.sqlite'}"
