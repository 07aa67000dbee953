"""The embedding account of a base: chosen, changed, turned off; and no vector is bought twice."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from tests.unit.accounts.conftest import KEY, Opener

from refdesk import Desk
from refdesk.desk import Base
from refdesk.embedding.services import Service
from refdesk.errors import Failed, NotFound, UsageError
from refdesk.testing import FakeProvider, WordEmbedder

TEXTS = {
    "returns.md": "# Returns\n\nA refund arrives within five working days.\n",
    "hours.md": "# Hours\n\nWe open at nine on Saturday.\n",
    "lockers.md": "# Lockers\n\nA locker opens with the badge.\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "documents"
    made.mkdir()
    for name, text in TEXTS.items():
        (made / name).write_text(text)
    return made


def account(desk: Desk, provider: FakeProvider, name: str = "Embeddings", **more: object) -> str:
    made = desk.accounts.create(
        name,
        "openai-compatible",
        model="words",
        base_url=provider.url + "/v1",
        secret=KEY,
        **more,  # type: ignore[arg-type]
    )
    verified = desk.accounts.verify(made.id)
    assert verified.state == "verified", verified.error
    provider.asked.clear()
    return made.id


def states(base: Base) -> Counter[str]:
    return Counter(document.state for document in base.list_documents())


def bought(provider: FakeProvider) -> Counter[str]:
    return Counter(text for asked in provider.asked for text in asked.texts)


def test_a_base_is_made_with_an_account_and_searched_by_it(
    desk: Desk, provider: FakeProvider, folder: Path
) -> None:
    chosen = account(desk, provider)
    base = desk.bases.create("Handbook", embedding_account_id="embeddings")
    assert base.embedding_account_id == base.to_dict()["embedding_account_id"] == chosen
    base.add(folder, wait=True)
    assert states(base) == {"ready": 3}
    assert len(bought(provider)) == 3
    found = desk.search("refund arrives", bases=[base], mode="hybrid")
    assert (found.answered_by, found.notes) == ("hybrid", ())
    assert found.hits[0].cosine is not None


def test_an_account_that_is_not_verified_or_not_there_is_refused(
    open_desk: Opener, provider: FakeProvider
) -> None:
    desk = open_desk()
    raw = desk.accounts.create("Raw", "openai-compatible", model="words", base_url=provider.url + "/v1")
    with pytest.raises(UsageError) as caught:
        desk.bases.create("Handbook", embedding_account_id=raw.id)
    assert (caught.value.code, caught.value.actual) == ("account_unverified", "unverified")
    assert f"refdesk accounts verify {raw.id}" in caught.value.message
    assert desk.accounts.verify(raw.id).state == "failed", "the provider wants a key"
    base = desk.bases.create("Handbook")
    with pytest.raises(UsageError) as caught:
        base.update(name="Another name", embedding_account_id=raw.id)
    assert caught.value.actual == "failed"
    assert desk.bases.get(base.id).name == "Handbook", "what is refused changes nothing"
    with pytest.raises(Failed, match=r"models pull|pip install"):
        base.update(embedding_account_id="local")
    elsewhere = account(open_desk(project="other"), provider)
    for unknown in ("nobody", elsewhere):
        with pytest.raises(NotFound):
            base.update(embedding_account_id=unknown)
    assert desk.bases.get(base.id).embedding_account_id is None


@pytest.mark.req("ING6")
def test_turning_to_another_account_and_back_buys_no_vector_twice(
    desk: Desk, provider: FakeProvider, folder: Path
) -> None:
    with FakeProvider(key=KEY, dimensions=32) as other:
        first, second = account(desk, provider), account(desk, other, "Second")
        base = desk.bases.create("Handbook", embedding_account_id=first)
        base.add(folder, wait=True)
        base = base.update(embedding_account_id=second)
        assert base.embedding_account_id == second
        assert states(base) == {"queued": 3}, "every document is read again"
        assert desk.search("refund arrives", bases=[base]).hits, "and found meanwhile (packs)"
        desk.work()
        assert (states(base), len(bought(other))) == ({"ready": 3}, 3)
        assert desk.search("refund arrives", bases=[base], mode="meaning").answered_by == "meaning"
        base = base.update(embedding_account_id=None)
        desk.work()
        found = desk.search("refund arrives", bases=[base])
        assert (states(base), found.answered_by, found.notes) == ({"ready": 3}, "keyword", ())
        base.update(embedding_account_id=first)
        desk.work()
        assert desk.search("refund arrives", bases=[base], mode="meaning").hits[0].cosine is not None
        for one in (provider, other):
            passages = [text for text in bought(one).elements() if text != "refund arrives"]
            assert len(passages) == len(set(passages)) == 3


@pytest.mark.req("ING6")
def test_another_account_with_the_same_model_takes_the_vectors_over(
    desk: Desk, provider: FakeProvider, folder: Path
) -> None:
    first, second = account(desk, provider), account(desk, provider, "Second key")
    base = desk.bases.create("Handbook", embedding_account_id=first)
    base.add(folder, wait=True)
    base = base.update(embedding_account_id=second)
    assert states(base) == {"queued": 3}
    desk.work()
    assert states(base) == {"ready": 3}
    assert set(bought(provider).values()) == {1}
    assert len(bought(provider)) == 3


@pytest.mark.req("ING6")
def test_the_same_account_again_queues_what_is_not_fully_indexed(
    desk: Desk, provider: FakeProvider, folder: Path
) -> None:
    base = desk.bases.create("Handbook", embedding_account_id=account(desk, provider))
    base.add(folder / "hours.md", wait=True)
    provider.mode = "401"
    [failed] = base.add(folder / "returns.md", wait=True).documents
    assert (failed.state, failed.code) == ("failed", "embedding_unavailable")
    assert "refuses the key (401)" in (failed.error or "")
    assert desk.search("refund", bases=[base], mode="keyword").hits[0].document == failed.id
    provider.mode = "answer"
    provider.asked.clear()
    base = base.update(embedding_account_id=base.embedding_account_id)
    assert states(base) == {"ready": 1, "queued": 1}
    desk.work()
    assert states(base) == {"ready": 2}
    assert len(bought(provider)) == 1


def test_the_policys_account_is_followed_until_somebody_chooses(open_desk: Opener, folder: Path) -> None:
    bare = open_desk()
    base, chosen = bare.bases.create("Handbook"), bare.bases.create("Plain", embedding_account_id=None)
    base.add(folder, wait=True)
    chosen.add(folder, wait=True)
    assert "refdesk models pull" in bare.search("refund", bases=[base]).notes[0]
    assert bare.search("refund", bases=[chosen]).notes == ()
    desk = open_desk(embedders={"local": WordEmbedder()})
    for name, account in (("Handbook", "local"), ("Plain", None)):
        desk.bases.get(name).reindex()
        desk.work()
        assert desk.bases.get(name).embedding_account_id == account
    assert desk.search("refund", bases=["Handbook"]).answered_by == "hybrid"
    voice = open_desk("voice", project="voice", embedders={"local": WordEmbedder()})
    assert voice.bases.create("Prices").embedding_account_id is None


@pytest.mark.req("ING7")
def test_one_model_a_deployment_is_not_chosen_by_a_base(
    open_desk: Opener, provider: FakeProvider, folder: Path
) -> None:
    desk = open_desk("bases", project="bases", embedders={"local": WordEmbedder()})
    base = desk.bases.create("Handbook", embedding_account_id="local")
    base.add(folder, wait=True)
    other = account(desk, provider)
    for choice in (other, None):
        with pytest.raises(UsageError) as caught:
            base.update(embedding_account_id=choice)
        assert (caught.value.code, caught.value.limit) == ("account_fixed", "local")
    with pytest.raises(UsageError, match="one embedding model a deployment"):
        desk.bases.create("Another", embedding_account_id=other)
    turned = open_desk("bases", project="bases", embedders={"local": WordEmbedder()}, embedding_account=other)
    found = turned.search("refund arrives", bases=["Handbook"])
    assert found.answered_by == "keyword"
    assert "cannot be compared until it is indexed again" in found.notes[0]
    assert turned.bases.create("Another").embedding_account_id == other
    turned.bases.get("Handbook").reindex()
    turned.work()
    found = turned.search("refund arrives", bases=["Handbook"])
    assert (found.answered_by, found.notes) == ("hybrid", ())


def test_an_account_in_use_is_not_deleted_and_the_bases_are_named(
    desk: Desk, provider: FakeProvider, folder: Path
) -> None:
    used = account(desk, provider)
    names = [f"Handbook {number}" for number in range(7)]
    bases = [desk.bases.create(name, embedding_account_id=used) for name in names]
    with pytest.raises(UsageError, match=r"Handbook 0, Handbook 1, .* and 2 more") as caught:
        desk.accounts.delete(used)
    assert (caught.value.code, caught.value.actual) == ("account_in_use", 7)
    for base in bases[1:]:
        base.delete()
    bases[0].update(embedding_account_id=None)
    desk.accounts.delete(used)
    with pytest.raises(NotFound):
        desk.accounts.get(used)


def test_name_and_description_change_and_the_name_stays_unique(desk: Desk) -> None:
    base, other = desk.bases.create("Handbook"), desk.bases.create("Prices", description="All of them")
    changed = base.update(name="Rules of the house", description="Ours")
    assert (changed.name, changed.description, changed.slug) == ("Rules of the house", "Ours", "handbook")
    assert changed.update(name="RULES of the house").name == "RULES of the house"
    with pytest.raises(UsageError) as caught:
        other.update(name="rules OF the house")
    assert caught.value.code == "name_taken"
    assert other.update(description=None).description is None
    assert other.update().to_dict() == other.update().to_dict()


@pytest.mark.req("SRCH4")
def test_a_base_whose_account_cannot_be_used_is_searched_by_keyword_and_says_why(
    open_desk: Opener, provider: FakeProvider, folder: Path
) -> None:
    desk = open_desk(secret_key="k" * 40)
    base = desk.bases.create("Handbook", embedding_account_id=account(desk, provider))
    base.add(folder, wait=True)
    for settings, said in (
        ({"secret_key": "l" * 40}, "does not open with REFDESK_SECRET_KEY"),
        ({"secret_key": "k" * 40, "allow_private_hosts": False}, "REFDESK_ALLOW_PRIVATE_HOSTS=true"),
    ):
        found = open_desk(**settings).search("refund arrives", bases=["Handbook"])
        assert found.answered_by == "keyword"
        assert found.hits
        assert said in found.notes[0]


def test_a_worker_that_began_before_the_base_turned_puts_nothing(
    desk: Desk, provider: FakeProvider, folder: Path
) -> None:
    """It holds a document under the old account while the base turns to another one."""
    with FakeProvider(key=KEY, dimensions=32) as other:
        first, second = account(desk, provider), account(desk, other, "Second")
        base = desk.bases.create("Handbook", embedding_account_id=first)
        base.add(folder / "hours.md")
        parts = desk._parts
        claim = parts.catalog.queue.claim("a worker")
        assert claim is not None
        assert claim.embedding_account_id == first
        base.update(embedding_account_id=second)
        assert not parts.catalog.queue.beat(claim), "the document was taken from it"
        with pytest.raises(Failed) as caught:
            parts.index(base.id).put(claim.document, 1, [], parts.embedder(first).fingerprint.key)
        assert caught.value.code == "embedding_changed"
        parts.catalog.queue.abandon(claim)
        desk.work()
        assert states(base) == {"ready": 1}
        assert desk.search("nine on Saturday", bases=[base], mode="meaning").answered_by == "meaning"


def test_what_an_account_says_never_changes(desk: Desk, provider: FakeProvider) -> None:
    made = account(desk, provider)
    row = desk._parts.catalog.accounts.by_id(made)
    assert row is not None
    assert row.service == Service("openai-compatible", "words", 64, provider.url + "/v1")


@pytest.mark.req("ING6", "SRCH4")
def test_bases_of_two_models_are_asked_with_one_and_it_is_said(
    open_desk: Opener, provider: FakeProvider, folder: Path
) -> None:
    desk = open_desk("packs", embedders={"local": WordEmbedder()})
    own = desk.bases.create("Handbook", embedding_account_id="local")
    other = desk.bases.create("Manual", embedding_account_id=account(desk, provider))
    for base in (own, other):
        base.add(folder, wait=True)
    found = desk.search("refund arrives", bases=[own, other])
    assert found.answered_by == "hybrid"
    [note] = found.notes
    assert note.startswith("Base Manual was searched by keyword: it has another embedding model than base")
    assert "reindex" not in note
    turned = desk.search("refund arrives", bases=[other, own])
    assert turned.notes[0].startswith("Base Handbook was searched by keyword")
    for base in (own, other):
        assert desk.search("refund arrives", bases=[base]).notes == ()
