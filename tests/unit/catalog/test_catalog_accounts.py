"""Accounts and the queue's pending documents, on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from refdesk.catalog import Catalog
from refdesk.catalog.accounts import AccountRow
from refdesk.catalog.asked import Project
from refdesk.catalog.bases import BaseRow
from refdesk.catalog.common import Actor
from refdesk.catalog.document_rows import Content
from refdesk.catalog.queue import PENDING
from refdesk.embedding.services import Service
from refdesk.errors import NotFound, UsageError
from refdesk.ids import new_id
from refdesk.policy import load_policy

LOCAL = Actor("local", None, None)
POLICY = load_policy("packs")


@pytest.fixture
def catalog(catalog_at: str) -> Iterator[Catalog]:
    opened = Catalog(catalog_at)
    yield opened
    opened.close()


@pytest.fixture
def project(catalog: Catalog) -> Project:
    return catalog.projects.open("default", "packs", "packs", LOCAL)


def account(catalog: Catalog, project: Project, name: str = "Embeddings") -> AccountRow:
    service = Service("openai-compatible", "words", base_url="https://models.example.com/v1")
    return catalog.accounts.create(
        project, new_id("acc"), name, service, purpose="embeddings", secret="sealed", actor=LOCAL
    )


def base(catalog: Catalog, project: Project, account: str | None) -> BaseRow:
    return catalog.bases.create(
        project, POLICY, "Handbook", description=None, kind=None, embedding_account_id=account, actor=LOCAL
    )


def add(catalog: Catalog, to: BaseRow, name: str) -> str:
    announced = catalog.removals.announce(to.id, new_id("doc"))
    facts = {"name": name, "title": name, "kind": "markdown", "source_url": None, "metadata": {}}
    catalog.documents.insert(POLICY, announced, facts, Content("0" * 64, 10, 10, None, None, []), actor=LOCAL)
    return announced.document


def test_an_account_is_kept_as_it_was_made(catalog: Catalog, project: Project) -> None:
    made = account(catalog, project)
    assert catalog.accounts.find(project, "EMBEDDINGS") == catalog.accounts.by_id(made.id) == made
    assert (made.state, made.secret, made.service.dimensions) == ("unverified", "sealed", None)
    with pytest.raises(UsageError) as caught:
        account(catalog, project, "embeddings")
    assert caught.value.code == "name_taken"
    with pytest.raises(NotFound, match="the accounts here are Embeddings"):
        catalog.accounts.get(project, "Another")


def test_what_came_of_a_try_is_not_said_of_another_secret(catalog: Catalog, project: Project) -> None:
    tried = account(catalog, project)
    catalog.accounts.set_secret(tried.id, "another", LOCAL)
    catalog.accounts.verified(tried, 64, "sealed anew", LOCAL)
    catalog.accounts.failed(tried, "The service refuses the key.", LOCAL)
    now = catalog.accounts.get(project, tried.id)
    assert (now.state, now.error, now.secret, now.service.dimensions) == ("unverified", None, "another", None)
    catalog.accounts.verified(now, 64, "sealed anew", LOCAL)
    verified = catalog.accounts.get(project, tried.id)
    assert (verified.state, verified.secret, verified.service.dimensions) == ("verified", "sealed anew", 64)
    assert verified.changed_at > now.changed_at


def test_an_account_in_use_stays_and_one_that_is_gone_is_not_given_to_a_base(
    catalog: Catalog, project: Project
) -> None:
    made = account(catalog, project)
    its = base(catalog, project, made.id)
    with pytest.raises(UsageError) as caught:
        catalog.accounts.delete(made, LOCAL)
    assert caught.value.code == "account_in_use"
    catalog.bases.set_embedding_account(its.id, None, follows_policy=False)
    catalog.accounts.delete(made, LOCAL)
    with pytest.raises(NotFound, match="deleted meanwhile"):
        catalog.bases.set_embedding_account(its.id, made.id, follows_policy=False)
    assert catalog.bases.get(project, its.id).embedding_account_id is None


@pytest.mark.req("ING3", "ING6")
def test_documents_that_wait_for_vectors_come_last_and_leave_a_slot(
    catalog: Catalog, project: Project
) -> None:
    its = base(catalog, project, None)
    first, second, third = (add(catalog, its, f"{number}.md") for number in range(3))
    for document in (first, second):
        claim = catalog.queue.claim("w")
        assert claim is not None
        assert (claim.document, claim.live) == (document, None)
        assert catalog.queue.appear(claim, 3)
    found = catalog.documents.find(first, project.id)
    assert found is not None
    assert (found.state, found.code, found.indexed_version) == ("queued", PENDING, 1)
    fresh = catalog.queue.claim("w")
    assert fresh is not None
    assert fresh.document == third, "before those that are found already"
    assert catalog.queue.claim("w", fresh=True) is None
    assert catalog.queue.claim("w") is None, "of two slots one is left to what nobody can find"
    assert catalog.queue.switch(fresh, 3)
    pending = catalog.queue.claim("w")
    assert pending is not None
    assert (pending.document, pending.live) == (first, 1)
    assert catalog.queue.claim("w") is None
    fourth = add(catalog, its, "4.md")
    another = catalog.queue.claim("w", fresh=True)
    assert another is not None
    assert another.document == fourth
    assert not catalog.queue.appear(replace(pending, slot="slt_gone"), 3), (
        "a claim that was lost does nothing"
    )
    assert catalog.queue.switch(pending, 3)
    ready = catalog.documents.find(first, project.id)
    assert ready is not None
    assert (ready.state, ready.code) == ("ready", None)
