"""The catalog on real databases: a SQLite file and a PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import event, text

from refdesk.catalog import Catalog
from refdesk.catalog import queue as queue_module
from refdesk.catalog import slots as slots_module
from refdesk.catalog.asked import Project
from refdesk.catalog.bases import BaseRow, Counts
from refdesk.catalog.common import Actor
from refdesk.catalog.connect import HEAD
from refdesk.catalog.document_rows import Content
from refdesk.catalog.migrate import head
from refdesk.catalog.schema import metadata
from refdesk.errors import Failed, NotFound, Refusal, UsageError
from refdesk.ids import new_id
from refdesk.policy import Policy, load_policy

LOCAL = Actor("local", None, None)


@pytest.fixture
def catalog(catalog_at: str) -> Iterator[Catalog]:
    opened = Catalog(catalog_at)
    yield opened
    opened.close()


class Desk:
    """A project with one base, and documents put into it."""

    def __init__(self, catalog: Catalog, policy: str = "packs") -> None:
        self.catalog = catalog
        self.project: Project = catalog.projects.open("default", policy, "packs", LOCAL)
        self.policy: Policy = load_policy(policy)
        self.base: BaseRow = self.make("Handbook")

    def make(self, name: str) -> BaseRow:
        return self.catalog.bases.create(
            self.project,
            self.policy,
            name,
            description=None,
            kind=None,
            embedding_account_id=None,
            actor=LOCAL,
        )

    def add(self, name: str, chars: int = 10, base: BaseRow | None = None) -> str:
        announced = self.catalog.removals.announce((base or self.base).id, new_id("doc"))
        self.catalog.documents.insert(self.policy, announced, facts(name), content(chars), actor=LOCAL)
        return announced.document


def facts(name: str) -> dict[str, Any]:
    return {"name": name, "title": name, "kind": "markdown", "source_url": None, "metadata": {}}


def content(chars: int | None = 10) -> Content:
    return Content("0" * 64, 10, chars, None, None, [])


def pragma(catalog: Catalog, name: str) -> object:
    with catalog.database.read() as connection:
        return connection.execute(text(f"PRAGMA {name}")).scalar()


def test_sqlite_runs_as_the_design_says(tmp_path: Path) -> None:
    catalog = Catalog(tmp_path / "catalog.sqlite")
    assert pragma(catalog, "journal_mode") == "wal"
    assert pragma(catalog, "foreign_keys") == 1
    assert pragma(catalog, "secure_delete") == 1
    assert pragma(catalog, "busy_timeout") == 10_000
    catalog.close()


def test_the_migrations_make_exactly_the_schema(catalog: Catalog) -> None:
    with catalog.database.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    assert head() == HEAD


def test_a_desk_of_a_newer_version_is_refused_in_words(catalog_at: str) -> None:
    newer = Catalog(catalog_at)
    with newer.database.write() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    newer.close()
    with pytest.raises(Failed, match="newer") as caught:
        Catalog(catalog_at)
    assert caught.value.code == "desk_newer"


def test_a_project_keeps_the_policy_that_it_was_made_with(catalog: Catalog) -> None:
    made = catalog.projects.open("calls", "voice", "packs", LOCAL)
    assert catalog.projects.open("calls", None, "packs", LOCAL) == made
    with pytest.raises(UsageError) as caught:
        catalog.projects.open("calls", "bases", "packs", LOCAL)
    assert caught.value.code == "policy_fixed"


@pytest.mark.parametrize("slug", ["", "Über", "a b", "-x", "x" * 65, "../x"])
def test_a_project_name_that_is_no_slug_is_refused(catalog: Catalog, slug: str) -> None:
    with pytest.raises(UsageError):
        catalog.projects.open(slug, None, "packs", LOCAL)


@pytest.mark.req("KB1", "D6")
def test_base_names_are_unique_without_regard_to_case_and_unicode_form(catalog: Catalog) -> None:
    desk = Desk(catalog)
    made = desk.make("Prüfung")
    for same in ("prüfung", "PRÜFUNG", "Pru\u0308fung", " Prüfung "):
        with pytest.raises(UsageError) as caught:
            desk.make(same)
        assert caught.value.code == "name_taken"
        assert catalog.bases.get(desk.project, same).id == made.id
    catalog.bases.delete(made.id, LOCAL)
    again = desk.make("PRÜFUNG")
    assert again.id != made.id


@pytest.mark.req("D6")
def test_names_are_unique_in_the_organization_or_the_project(catalog: Catalog) -> None:
    Desk(catalog)
    other = catalog.projects.open("other", "packs", "packs", LOCAL)
    made = catalog.bases.create(
        other,
        load_policy("packs"),
        "Handbook",
        description=None,
        kind=None,
        embedding_account_id=None,
        actor=LOCAL,
    )
    assert made.kind == "company"  # another project has an organization of its own


@pytest.mark.parametrize("name", ["", "  ", "***", "a\nb", "x" * 201])
def test_a_base_name_that_is_none_is_refused(catalog: Catalog, name: str) -> None:
    with pytest.raises(UsageError) as caught:
        Desk(catalog).make(name)
    assert caught.value.code == "bad_name"


@pytest.mark.req("KB4")
def test_voice_limits_bases_documents_and_characters(catalog: Catalog) -> None:
    desk = Desk(catalog, "voice")
    for number in range(9):
        desk.make(f"Base {number}")
    with pytest.raises(Refusal) as caught:
        desk.make("one more")
    assert (caught.value.code, caught.value.limit) == ("too_many_bases", 10)
    for number in range(49):
        desk.add(f"{number}.md", 1)
    desk.add("big.md", 4_999_951)
    with pytest.raises(Refusal) as caught:
        desk.add("one more.md", 1)
    assert (caught.value.code, caught.value.limit, caught.value.actual) == ("too_many_documents", 50, 51)
    other = catalog.bases.get(desk.project, "Base 1")
    with pytest.raises(Refusal) as caught:
        desk.add("over.md", 1, other)
    assert (caught.value.code, caught.value.actual) == ("project_too_large", 5_000_001)
    assert len(catalog.documents.of_base(other.id)) == 0


@pytest.mark.req("ING3")
def test_a_base_is_looked_up_without_a_look_at_its_documents(catalog: Catalog) -> None:
    desk = Desk(catalog)
    asked: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        asked.append(statement)

    event.listen(catalog.database.engine, "before_cursor_execute", note)
    assert catalog.bases.get(desk.project, desk.base.id) == desk.base
    assert asked
    assert not [statement for statement in asked if "documents" in statement or "versions" in statement]


@pytest.mark.req("KB5", "ING2")
def test_a_version_is_seen_from_the_switch_on(catalog: Catalog) -> None:
    desk = Desk(catalog)
    document = desk.add("a.md", 7)
    base = desk.base.id
    assert catalog.visible.live({base: [document]}) == {base: {}}
    claim = catalog.queue.claim("w")
    assert claim is not None
    assert claim.document == document
    assert catalog.queue.switch(claim, 3)
    assert catalog.visible.live({base: [document]})[base][document].version == 1
    assert catalog.bases.counts(base) == Counts(documents=1, ready_chars=7, total_chars=7)

    current = catalog.documents.find(document, desk.project.id)
    assert current is not None
    announced = catalog.removals.announce(base, document)
    catalog.documents.replace(desk.policy, announced, current, facts("a.md"), content(20), actor=LOCAL)
    assert catalog.bases.counts(base) == Counts(documents=1, ready_chars=7, total_chars=20)
    assert catalog.visible.live({base: [document]})[base][document].version == 1
    claim = catalog.queue.claim("w")
    assert claim is not None
    catalog.queue.switch(claim, 3)
    assert catalog.visible.live({base: [document]})[base][document].version == 2
    assert [(removal.document, removal.final) for removal in catalog.removals.due()] == [(document, True)]
    assert catalog.removals.oldest_version(document) == 2
    assert catalog.removals.files_in_use(document) == {announced.files}


def test_of_two_replacements_one_wins(catalog: Catalog) -> None:
    desk = Desk(catalog)
    document = desk.add("a.md")
    current = catalog.documents.find(document, desk.project.id)
    assert current is not None
    first, second = (catalog.removals.announce(desk.base.id, document) for _ in range(2))
    catalog.documents.replace(desk.policy, first, current, facts("a.md"), content(), actor=LOCAL)
    with pytest.raises(NotFound):
        catalog.documents.replace(desk.policy, second, current, facts("a.md"), content(), actor=LOCAL)


def test_a_document_for_a_base_that_went_is_not_stored(catalog: Catalog) -> None:
    desk = Desk(catalog)
    catalog.bases.delete(desk.base.id, LOCAL)
    with pytest.raises(NotFound):
        desk.add("late.md")


@pytest.mark.req("ING3")
def test_at_most_two_documents_of_an_organization_are_in_work(catalog: Catalog) -> None:
    desk = Desk(catalog)
    names = [desk.add(f"{number}.md") for number in range(3)]
    first, second = (catalog.queue.claim("w") for _ in range(2))
    assert first is not None
    assert second is not None
    assert [first.document, second.document] == names[:2]
    assert catalog.queue.claim("w") is None
    catalog.queue.switch(first, 1)
    third = catalog.queue.claim("w")
    assert third is not None
    assert third.document == names[2]


@pytest.mark.req("D7")
def test_work_of_a_dead_worker_is_taken_over_and_its_own_result_refused(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(catalog)
    desk.add("a.md")
    monkeypatch.setattr(slots_module, "LEASE", -1.0)
    dead = catalog.queue.claim("dead")
    heir = catalog.queue.claim("heir")
    assert dead is not None
    assert heir is not None
    assert heir.document == dead.document
    assert not catalog.queue.switch(dead, 1)
    assert catalog.queue.switch(heir, 1)


def test_a_document_that_kills_its_workers_is_given_up(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(catalog)
    document = desk.add("poison.md")
    healthy = desk.add("healthy.md")
    monkeypatch.setattr(slots_module, "LEASE", -1.0)
    for _ in range(queue_module.ATTEMPTS):
        claim = catalog.queue.claim("w")
        assert claim is not None
        assert claim.document == document
    claim = catalog.queue.claim("w")
    assert claim is not None
    assert claim.document == healthy
    row = catalog.documents.find(document, desk.project.id)
    assert row is not None
    assert row.state == "failed"
    assert "3 times" in (row.error or "")


@pytest.mark.req("DOC5", "D7")
def test_an_upload_that_breaks_off_is_due_for_removal_and_a_finished_one_is_not(catalog: Catalog) -> None:
    desk = Desk(catalog)
    desk.add("kept.md")
    assert catalog.removals.due() == []
    broken = catalog.removals.announce(desk.base.id, new_id("doc"))
    assert catalog.removals.due() == []  # it may still be writing
    assert catalog.removals.files_in_use(broken.document) == {broken.files}
    catalog.removals.withdraw(broken)
    assert [removal.id for removal in catalog.removals.due()] == [broken.removal]
    assert catalog.removals.files_in_use(broken.document) == set()


@pytest.mark.req("DOC7", "D7")
def test_a_claim_is_owed_until_it_ends(catalog: Catalog) -> None:
    """And at once where its version went: more may be written, so it stays owed."""
    desk = Desk(catalog)
    document = desk.add("a.md")
    claim = catalog.queue.claim("w")
    assert claim is not None
    assert catalog.removals.due() == []
    row = catalog.documents.find(document, desk.project.id)
    assert row is not None
    catalog.documents.delete([row], LOCAL)
    deletion, work = sorted(catalog.removals.due(), key=lambda removal: not removal.final)
    assert (work.id, work.document, work.final) == (claim.removal, document, False)
    catalog.removals.strike([deletion.id, work.id])
    assert not catalog.queue.beat(claim)
    catalog.queue.abandon(claim)
    assert [(removal.id, removal.final) for removal in catalog.removals.due()] == [(claim.removal, True)]


@pytest.mark.parametrize("end", ["switch", "fail", "release"])
def test_a_claim_that_ends_owes_nothing(catalog: Catalog, monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    desk = Desk(catalog)
    desk.add("a.md")
    claim = catalog.queue.claim("w")
    assert claim is not None
    monkeypatch.setattr(queue_module, "GRACE", -1.0)
    assert catalog.queue.beat(claim)
    assert [removal.id for removal in catalog.removals.due()] == [claim.removal]
    ends = {"switch": (1,), "fail": ("failed", "It failed."), "release": ()}
    assert getattr(catalog.queue, end)(claim, *ends[end])
    assert catalog.removals.due() == []


def test_deleting_a_base_takes_its_documents_and_owes_their_bytes(catalog: Catalog) -> None:
    desk = Desk(catalog)
    document = desk.add("a.md")
    assert list(catalog.bases.delete(desk.base.id, LOCAL)) == [document]
    assert catalog.documents.find(document, desk.project.id) is None
    owed = {(removal.base, removal.document) for removal in catalog.removals.due()}
    assert owed == {(desk.base.id, document), (desk.base.id, None)}


def test_a_catalog_that_is_no_database_fails_in_words(tmp_path: Path) -> None:
    (tmp_path / "catalog.sqlite").write_bytes(b"no database at all" * 100)
    with pytest.raises(Failed, match="cannot be opened"):
        Catalog(tmp_path / "catalog.sqlite")


def test_the_guard_asks_about_any_number_of_documents_of_several_bases(catalog: Catalog) -> None:
    desk = Desk(catalog)
    names = [desk.add(f"{number}.md") for number in range(3)]
    for _ in names:
        claim = catalog.queue.claim("w")
        assert claim is not None
        catalog.queue.switch(claim, 1)
    unknown = [f"doc_{number}" for number in range(40_000)]  # more than SQLite takes as values
    live = catalog.visible.live({desk.base.id: [*names, *unknown], "kb_other": names[:1]})
    assert {base: set(found) for base, found in live.items()} == {desk.base.id: set(names), "kb_other": set()}
    assert catalog.visible.live({desk.base.id: []}) == {desk.base.id: {}}
