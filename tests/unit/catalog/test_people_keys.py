"""People, keys, sessions and links on SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text, update
from sqlalchemy.exc import DBAPIError

from refdesk.catalog import Catalog
from refdesk.catalog.asked import Project
from refdesk.catalog.common import Actor, later
from refdesk.catalog.keys import KeyRow
from refdesk.catalog.people import PersonRow
from refdesk.catalog.schema import keys
from refdesk.errors import Failed, NotFound, UsageError

LOCAL = Actor("local", None, None)
NO_TEXT = ("rd_\x00", "rd_" + "é" * 43, "rd_" + "\udc80" * 43, "rd_" + "x" * 100_000)
HOUR = timedelta(hours=1)


@pytest.fixture
def catalog(catalog_at: str) -> Iterator[Catalog]:
    opened = Catalog(catalog_at)
    yield opened
    opened.close()


@pytest.fixture
def project(catalog: Catalog) -> Project:
    return catalog.projects.create("default", "packs", None, LOCAL)


@pytest.fixture
def ada(catalog: Catalog, project: Project) -> PersonRow:
    return catalog.people.create(project.organization_id, "Ada@Example.org", None, ["Member"], LOCAL)


def make(catalog: Catalog, project: Project, expires_at: str | None = None) -> tuple[KeyRow, str]:
    return catalog.keys.create(
        project.id, "ci", ["knowledge:read"], agent=None, expires_at=expires_at, actor=LOCAL
    )


def test_a_key_in_force_is_resolved(catalog: Catalog, project: Project) -> None:
    row, secret = make(catalog, project, later(HOUR))
    make(catalog, project)
    found = catalog.keys.resolve(secret)
    assert found is not None
    assert (found.id, found.project_id) == (row.id, project.id)
    assert (found.organization_id, found.scopes) == (project.organization_id, row.scopes)
    assert found.scopes == ("knowledge:read",)


def test_a_key_that_is_unknown_expired_or_revoked_is_nobodys(catalog: Catalog, project: Project) -> None:
    row, secret = make(catalog, project)
    changed = secret[:-2] + ("AA" if secret[-2:] != "AA" else "BB")
    for wrong in ("", "rd_", secret[:-1], secret + "x", changed, secret.swapcase(), row.id, *NO_TEXT):
        assert catalog.keys.resolve(wrong) is None
        assert catalog.sessions.resolve(wrong) is None
        assert catalog.links.redeem(wrong) is None
    assert catalog.keys.resolve(make(catalog, project, later(-timedelta(seconds=1)))[1]) is None
    assert catalog.keys.resolve(secret) is not None
    catalog.keys.revoke(row.id, LOCAL)
    assert catalog.keys.resolve(secret) is None


def test_keys_with_the_same_beginning_are_told_apart(catalog: Catalog, project: Project) -> None:
    (first, secret), (second, other) = make(catalog, project), make(catalog, project)
    with catalog.database.write() as connection:
        connection.execute(update(keys).where(keys.c.id == second.id).values(prefix=first.prefix))
    found = catalog.keys.resolve(secret)
    assert found is not None
    assert found.id == first.id
    assert catalog.keys.resolve(other) is None


def test_the_use_of_a_key_is_noted_once_a_minute(catalog: Catalog, project: Project) -> None:
    row, secret = make(catalog, project)

    def noted() -> str | None:
        catalog.keys.resolve(secret)
        found = catalog.keys.find(project.id, row.id)
        assert found is not None
        return found.last_used_at

    first = noted()
    assert first is not None
    assert noted() == first
    long_ago = later(-timedelta(seconds=61))
    with catalog.database.write() as connection:
        connection.execute(update(keys).where(keys.c.id == row.id).values(last_used_at=long_ago))
    again = noted()
    assert again is not None
    assert again > first


@pytest.mark.req("H5")
def test_no_secret_is_in_the_database(tmp_path: Path) -> None:
    catalog = Catalog(tmp_path / "catalog.sqlite")
    project = catalog.projects.create("default", "packs", None, LOCAL)
    person = catalog.people.create(None, "ada@example.org", None, ["Member"], LOCAL)
    row, key = make(catalog, project)
    link, _ = catalog.links.make(person.id, HOUR, LOCAL)
    session = catalog.sessions.open(person.id, HOUR, LOCAL)
    assert catalog.keys.resolve(key) is not None
    assert catalog.links.redeem(link) is not None
    assert catalog.sessions.resolve(session) is not None
    catalog.close()
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert row.prefix.encode() in kept
    for secret in (key, key.removeprefix(row.prefix), link, session):
        assert secret.encode() not in kept


@pytest.mark.req("H5")
def test_a_database_error_does_not_repeat_what_was_written(catalog: Catalog) -> None:
    with pytest.raises((DBAPIError, Failed)) as caught, catalog.database.write() as connection:
        connection.execute(text("INSERT INTO nowhere VALUES (:secret)"), {"secret": "rd_whatever"})
    words = f"{caught.value} {caught.value.__cause__}"
    assert "INSERT INTO nowhere" in words
    assert "rd_whatever" not in words


def test_a_session_lasts_as_long_as_it_says_and_ends_when_revoked(catalog: Catalog, ada: PersonRow) -> None:
    session = catalog.sessions.open(ada.id, HOUR, LOCAL)
    other = catalog.sessions.open(ada.id, HOUR, LOCAL)
    over = catalog.sessions.open(ada.id, -timedelta(seconds=1), LOCAL)
    found = catalog.sessions.resolve(session)
    assert found is not None
    assert (found.id, found.signed_in_at is not None) == (ada.id, True)
    assert catalog.sessions.resolve(over) is None
    assert catalog.sessions.resolve("nothing") is None
    catalog.sessions.revoke(session)
    assert catalog.sessions.resolve(session) is None
    assert catalog.sessions.resolve(other) is not None


def test_a_disabled_person_has_no_session_and_no_link(catalog: Catalog, ada: PersonRow) -> None:
    session = catalog.sessions.open(ada.id, HOUR, LOCAL)
    link, _ = catalog.links.make(ada.id, HOUR, LOCAL)
    catalog.people.disable(ada.id, LOCAL)
    assert catalog.sessions.resolve(session) is None
    assert catalog.sessions.of(ada.id) == []
    assert catalog.links.redeem(link) is None


def test_all_sessions_and_links_of_one_person_end_and_nobody_elses(catalog: Catalog, ada: PersonRow) -> None:
    bob = catalog.people.create(None, "bob@example.org", None, ["Member"], LOCAL)
    mine = [catalog.sessions.open(ada.id, HOUR, LOCAL) for _ in range(2)]
    catalog.sessions.open(ada.id, -timedelta(seconds=1), LOCAL)
    theirs = catalog.sessions.open(bob.id, HOUR, LOCAL)
    link, _ = catalog.links.make(ada.id, HOUR, LOCAL)
    listed = catalog.sessions.of(ada.id)
    assert len(listed) == 2
    assert all(row.created_at < row.expires_at for row in listed)
    catalog.sessions.end_all(ada.id, LOCAL)
    assert catalog.sessions.of(ada.id) == []
    assert [catalog.sessions.resolve(session) for session in mine] == [None, None]
    assert catalog.links.redeem(link) is None
    assert catalog.sessions.resolve(theirs) is not None
    assert catalog.sessions.resolve(catalog.sessions.open(ada.id, HOUR, LOCAL)) is not None


def test_a_link_works_once(catalog: Catalog, ada: PersonRow) -> None:
    link, until = catalog.links.make(ada.id, HOUR, LOCAL)
    assert until > later(timedelta(minutes=59))
    found = catalog.links.redeem(link)
    assert found is not None
    assert found.id == ada.id
    assert catalog.links.redeem(link) is None
    assert catalog.links.redeem("nothing") is None


def test_of_many_who_use_a_link_at_once_one_comes_in(catalog: Catalog, ada: PersonRow) -> None:
    link, _ = catalog.links.make(ada.id, HOUR, LOCAL)
    with ThreadPoolExecutor(8) as pool:
        came = list(pool.map(catalog.links.redeem, [link] * 24))
    assert len([one for one in came if one is not None]) == 1


def test_a_link_expires_and_a_new_one_replaces_it(catalog: Catalog, ada: PersonRow) -> None:
    expired, _ = catalog.links.make(ada.id, -timedelta(seconds=1), LOCAL)
    assert catalog.links.redeem(expired) is None
    first, _ = catalog.links.make(ada.id, HOUR, LOCAL)
    second, _ = catalog.links.make(ada.id, HOUR, LOCAL)
    assert catalog.links.redeem(first) is None
    assert catalog.links.redeem(second) is not None


def test_people_are_found_by_address_and_id_within_an_organization(catalog: Catalog, ada: PersonRow) -> None:
    everywhere = catalog.people.create(None, "root@example.org", "Root", ["PlatformAdmin"], LOCAL)
    for who in ("ada@example.org", "ADA@EXAMPLE.ORG", ada.id):
        assert catalog.people.find(who) == ada
        assert catalog.people.find(who, ada.organization_id) == ada
        assert catalog.people.find(who, "org_other") is None
    assert catalog.people.find(everywhere.id, ada.organization_id) is None
    assert [person.id for person in catalog.people.all()] == [ada.id, everywhere.id]
    assert [person.id for person in catalog.people.all(ada.organization_id)] == [ada.id]
    with pytest.raises(UsageError) as caught:
        catalog.people.create(None, "ada@EXAMPLE.org", None, [], LOCAL)
    assert caught.value.code == "name_taken"


def test_organizations_are_named_and_found_by_name_or_id(catalog: Catalog, project: Project) -> None:
    second = catalog.projects.create("second", "voice", "DEFAULT", LOCAL)
    third = catalog.projects.create("third", "voice", project.organization_id, LOCAL)
    assert {second.organization_id, third.organization_id} == {project.organization_id}
    apart = catalog.projects.create("fourth", "voice", "Größe", LOCAL)
    assert (apart.organization, catalog.projects.organization("GRÖSSE")) == ("Größe", apart.organization_id)
    assert [one.slug for one in catalog.projects.all(apart.organization_id)] == ["fourth"]
    assert catalog.projects.find(apart.id) == catalog.projects.find("fourth") == apart
    with pytest.raises(NotFound):
        catalog.projects.create("fifth", "voice", "org_01JE3Y0ZD5V7K8Q2M4N6P8R0ST", LOCAL)
    with pytest.raises(UsageError) as caught:
        catalog.projects.create("fifth", "voice", "\n", LOCAL)
    assert caught.value.code == "bad_name"
    assert catalog.projects.find("fifth") is None


def test_many_who_open_a_project_at_once_open_one(catalog: Catalog) -> None:
    with ThreadPoolExecutor(8) as pool:
        opened = pool.map(lambda _: catalog.projects.open("new", None, "packs", LOCAL), range(16))
    assert len({project.id for project in opened}) == 1
    assert len(catalog.projects.all()) == 1
