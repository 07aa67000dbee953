"""The queue on real databases: whose turn it is, how many at once, what becomes of work that breaks off."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select, update

from refdesk.catalog import Catalog
from refdesk.catalog import slots as slots_module
from refdesk.catalog.claims import Claim
from refdesk.catalog.clock import epoch
from refdesk.catalog.common import Actor
from refdesk.catalog.document_rows import Content, DocumentRow
from refdesk.catalog.queue import ATTEMPTS
from refdesk.catalog.schema import slots
from refdesk.ids import new_id
from refdesk.policy import load_policy

LOCAL = Actor("local", None, None)


@pytest.fixture
def catalog(catalog_at: str) -> Iterator[Catalog]:
    opened = Catalog(catalog_at)
    yield opened
    opened.close()


class Tenant:
    """An organization with one project and one base."""

    def __init__(self, catalog: Catalog, slug: str, policy: str = "packs") -> None:
        self.catalog = catalog
        self.policy = load_policy(policy)
        self.project = catalog.projects.open(slug, policy, "packs", LOCAL)
        self.base = catalog.bases.create(
            self.project,
            self.policy,
            "Handbook",
            description=None,
            kind=None,
            embedding_account_id=None,
            actor=LOCAL,
        )

    def add(self, *names: str) -> list[str]:
        return [self._add(name) for name in names]

    def _add(self, name: str) -> str:
        announced = self.catalog.removals.announce(self.base.id, new_id("doc"))
        facts = {"name": name, "title": name, "kind": "markdown", "source_url": None, "metadata": {}}
        content = Content("0" * 64, 10, 10, None, None, [])
        self.catalog.documents.insert(self.policy, announced, facts, content, actor=LOCAL)
        return announced.document

    def row(self, document: str) -> DocumentRow:
        row = self.catalog.documents.find(document, self.project.id)
        assert row is not None
        return row


def claimed(catalog: Catalog, worker: str = "w") -> Claim:
    claim = catalog.queue.claim(worker)
    assert claim is not None
    return claim


def expire(catalog: Catalog) -> None:
    with catalog.database.write() as connection:
        connection.execute(update(slots).values(lease_until=epoch() - 1.0))


@pytest.mark.req("ING3")
def test_the_organization_with_the_fewest_in_work_comes_first_then_the_one_served_longest_ago(
    catalog: Catalog,
) -> None:
    large, small = Tenant(catalog, "large"), Tenant(catalog, "small")
    many = large.add("1", "2", "3", "4")
    few = small.add("a", "b")
    order = [claimed(catalog).document for _ in range(4)]
    assert order == [many[0], few[0], many[1], few[1]]
    assert catalog.queue.claim("w") is None  # each has its two


@pytest.mark.req("ING3")
def test_who_was_served_longest_ago_comes_first_among_those_with_nothing_in_work(catalog: Catalog) -> None:
    first, second = Tenant(catalog, "first"), Tenant(catalog, "second")
    ours, theirs = first.add("1", "2"), second.add("a", "b")
    done = []
    for _ in range(4):
        claim = claimed(catalog)
        done.append(claim.document)
        assert catalog.queue.switch(claim, 1)
    assert done == [ours[0], theirs[0], ours[1], theirs[1]]


@pytest.mark.req("ING3")
def test_other_background_work_takes_from_the_same_slots(catalog: Catalog) -> None:
    tenant = Tenant(catalog, "one")
    tenant.add("1", "2")
    organization = tenant.project.organization_id
    slot = catalog.slots.take(organization, "describe", "describer", 2)
    assert slot is not None
    assert catalog.slots.renew(slot)
    held = claimed(catalog)
    assert catalog.queue.claim("w") is None
    assert catalog.slots.take(organization, "describe", "describer", 2) is None
    catalog.slots.free(slot)
    assert not catalog.slots.renew(slot)
    assert claimed(catalog).document != held.document


@pytest.mark.req("ING3", "D7")
def test_claims_at_the_same_time_never_exceed_the_cap_nor_give_a_document_twice(catalog: Catalog) -> None:
    tenants = [Tenant(catalog, f"t{number}") for number in range(3)]
    for tenant in tenants:
        tenant.add(*(str(number) for number in range(5)))

    def claim(number: int) -> Claim | None:
        return catalog.queue.claim(f"w{number}")

    with ThreadPoolExecutor(8) as pool:
        claims = [found for found in pool.map(claim, range(24)) if found is not None]
    assert len({found.document for found in claims}) == len(claims) == 6
    assert all(
        [found.organization for found in claims].count(t.project.organization_id) == 2 for t in tenants
    )


@pytest.mark.req("ING1")
def test_a_document_that_breaks_off_is_given_up_and_never_blocks_another(catalog: Catalog) -> None:
    tenant = Tenant(catalog, "one")
    [poison, healthy] = tenant.add("poison", "healthy")
    for attempt in range(ATTEMPTS):
        assert claimed(catalog, f"w{attempt}").document == poison
        assert catalog.queue.died(f"w{attempt}") == 1
    assert claimed(catalog).document == healthy
    row = tenant.row(poison)
    assert (row.state, row.code) == ("failed", "failed")
    assert "3 times" in str(row.error)


@pytest.mark.req("D7")
def test_a_lease_that_runs_out_gives_the_work_to_the_next_and_the_old_worker_can_finish_nothing(
    catalog: Catalog,
) -> None:
    tenant = Tenant(catalog, "one")
    [document] = tenant.add("a")
    lost = claimed(catalog, "lost")
    expire(catalog)
    heir = claimed(catalog, "heir")
    assert heir.document == document
    assert not catalog.queue.beat(lost)
    assert not catalog.queue.switch(lost, 1)
    assert not catalog.queue.fail(lost, "failed", "no")
    assert not catalog.queue.release(lost)
    assert catalog.queue.beat(heir)
    assert catalog.queue.switch(heir, 1)


@pytest.mark.req("D7")
def test_a_heartbeat_keeps_a_claim_and_tells_its_progress(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant = Tenant(catalog, "one")
    [document] = tenant.add("a")
    monkeypatch.setattr(slots_module, "LEASE", -1.0)
    claim = claimed(catalog)
    monkeypatch.undo()
    told = {"stage": "embed", "done": 3, "total": 9, "seconds": 1.5}
    assert catalog.queue.beat(claim, told)
    assert catalog.queue.claim("other") is None
    assert tenant.row(document).progress == told
    assert catalog.queue.switch(claim, 1)
    assert tenant.row(document).progress is None


def test_work_that_was_asked_to_stop_counts_no_attempt_and_keeps_its_place(catalog: Catalog) -> None:
    tenant = Tenant(catalog, "one")
    [first, _] = tenant.add("a", "b")
    for _ in range(ATTEMPTS + 1):
        claim = claimed(catalog)
        assert claim.document == first
        assert catalog.queue.release(claim)


@pytest.mark.req("ING3", "ING4")
def test_cancelled_work_keeps_its_slot_until_its_worker_has_stopped(catalog: Catalog) -> None:
    tenant = Tenant(catalog, "one")
    [running, other, waiting, fourth] = tenant.add("a", "b", "c", "d")
    claim, second = claimed(catalog), claimed(catalog)
    assert (claim.document, second.document) == (running, other)
    assert catalog.queue.cancel(running, LOCAL)
    assert catalog.queue.cancel(waiting, LOCAL)
    assert {tenant.row(document).code for document in (running, waiting)} == {"cancelled"}
    assert catalog.queue.claim("w") is None
    assert not catalog.queue.beat(claim)
    catalog.queue.abandon(claim)
    assert claimed(catalog).document == fourth
    assert not catalog.queue.cancel(running, LOCAL)
    assert catalog.documents.requeue([running], keep_live=True) == 1


@pytest.mark.req("D4")
def test_a_title_that_changes_takes_the_document_from_its_worker(catalog: Catalog) -> None:
    tenant = Tenant(catalog, "one")
    [live, waiting] = tenant.add("a", "b")
    assert catalog.queue.switch(claimed(catalog), 1)
    catalog.documents.edit(live, {"set_title": "a"}, LOCAL)  # as it is called anyway
    assert (tenant.row(live).state, tenant.row(live).indexed_version) == ("ready", 1)
    catalog.documents.edit(live, {"set_title": "Zephyr"}, LOCAL)
    assert (tenant.row(live).state, tenant.row(live).indexed_version) == ("queued", 1)
    claim = claimed(catalog)
    assert (claim.document, claim.title) == (waiting, "b")
    catalog.documents.edit(waiting, {"set_title": "Mistral"}, LOCAL)
    assert not catalog.queue.switch(claim, 1)
    claims = [claimed(catalog), claimed(catalog)]
    assert {(one.document, one.title) for one in claims} == {(live, "Zephyr"), (waiting, "Mistral")}
    content = Content("0" * 64, 10, 10, None, None, [])
    assert all(catalog.queue.read(one, {"title": "Read"}, content) for one in claims)
    assert {tenant.row(one).title for one in (live, waiting)} == {"Zephyr", "Mistral"}
    found = catalog.visible.live({tenant.base.id: [live]})[tenant.base.id]
    assert found[live].title == "Zephyr"
    catalog.documents.edit(live, {"set_title": None}, LOCAL)
    assert tenant.row(live).title == "Read"


@pytest.mark.req("ING4")
def test_a_version_replaced_in_work_is_let_go_before_the_next_takes_its_slot(catalog: Catalog) -> None:
    tenant = Tenant(catalog, "one", "voice")
    [document] = tenant.add("a")
    first = claimed(catalog)
    row = tenant.row(document)
    announced = catalog.removals.announce(tenant.base.id, document)
    facts = {"name": "a", "title": "a", "kind": "markdown", "source_url": None, "metadata": {}}
    content = Content("1" * 64, 10, 10, None, None, [])
    catalog.documents.replace(tenant.policy, announced, row, facts, content, actor=LOCAL)
    second = claimed(catalog)
    assert (second.document, second.version) == (document, 2)
    with catalog.database.read() as connection:
        assert len(connection.execute(select(slots.c.id)).all()) == 2  # the first still runs
    assert not catalog.queue.switch(first, 1)
    assert catalog.queue.switch(second, 1)
    with catalog.database.read() as connection:
        assert connection.execute(select(slots.c.id)).all() == []


@pytest.mark.req("ING5")
def test_progress_of_a_base_counts_documents_bytes_and_the_time_that_the_rest_takes(catalog: Catalog) -> None:
    tenant = Tenant(catalog, "one")
    tenant.add("a", "b", "c")
    before = catalog.progress.of_base(tenant.base.id)
    assert (before["queued"], before["bytes_waiting"], before["seconds"]) == (3, 30, None)
    assert catalog.queue.switch(claimed(catalog), 4)
    claimed(catalog)
    after = catalog.progress.of_base(tenant.base.id)
    assert [after[key] for key in ("queued", "indexing", "ready", "failed")] == [1, 1, 1, 0]
    assert (after["bytes_done"], after["bytes_waiting"], after["passages"]) == (10, 20, 4)
    assert after["seconds"] is not None


def test_one_project_is_worked_alone_where_that_is_asked(catalog: Catalog) -> None:
    ours, theirs = Tenant(catalog, "ours"), Tenant(catalog, "theirs")
    theirs.add("a")
    [document] = ours.add("b")
    claim = catalog.queue.claim("w", ours.project.id)
    assert claim is not None
    assert claim.document == document
    assert catalog.queue.claim("w", ours.project.id) is None
