"""The official OpenAI client, unchanged, against ``/v1`` of a running server."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from pathlib import Path

import openai
import pytest
from openai import OpenAI
from tests.web.conftest import Serve, Served

REFUNDS = b"# Refunds\n\nA refund arrives within five to seven working days.\n"
PRICES = b"# Prices\n\nA battery costs 49 EUR.\n"
QUESTION = "When does a refund arrive?"


@pytest.fixture
def served(serve: Serve) -> Iterator[Served]:
    """Its queue is worked beside it."""
    served, stop = serve("packs"), threading.Event()

    def work() -> None:
        while not stop.wait(0.05):
            served.desk.work()

    worker = threading.Thread(target=work)
    worker.start()
    yield served
    stop.set()
    worker.join()


@pytest.fixture
def client(served: Served) -> Iterator[OpenAI]:
    with speaking(served, served.desk.keys.create().secret) as client:
        yield client


def speaking(served: Served, secret: str) -> OpenAI:
    return OpenAI(api_key=secret, base_url=f"{served.address}/v1", max_retries=0)


@pytest.mark.req("DOC1", "SRCH2")
def test_a_file_goes_in_is_found_and_goes(served: Served, client: OpenAI, tmp_path: Path) -> None:
    (tmp_path / "refunds.md").write_bytes(REFUNDS)
    store = client.vector_stores.create(name="Handbook")
    assert served.desk.bases.get("Handbook").id == store.id
    with (tmp_path / "refunds.md").open("rb") as file:
        uploaded = client.files.create(file=file, purpose="assistants")
    assert (uploaded.status, uploaded.bytes, uploaded.filename) == ("uploaded", len(REFUNDS), "refunds.md")
    assert client.files.retrieve(uploaded.id) == uploaded
    assert client.files.content(uploaded.id).content == REFUNDS
    assert served.desk.documents.find(uploaded.id) is None
    added = client.vector_stores.files.create_and_poll(
        uploaded.id, vector_store_id=store.id, attributes={"year": 2026, "draft": False}
    )
    assert (added.id, added.status, added.last_error) == (uploaded.id, "completed", None)
    assert served.desk.documents.get(uploaded.id).metadata == {"year": "2026", "draft": "false"}
    [hit] = client.vector_stores.search(store.id, query=QUESTION).data
    assert (hit.file_id, hit.filename) == (uploaded.id, "refunds.md")
    assert "five to seven working days" in hit.content[0].text
    assert 0 < hit.score <= 1
    read = client.vector_stores.files.content(uploaded.id, vector_store_id=store.id)
    assert [one.text for one in read.data] == [served.desk.documents.text(uploaded.id)]
    assert client.files.content(uploaded.id).content == REFUNDS
    counts = client.vector_stores.retrieve(store.id).file_counts
    assert (counts.completed, counts.total) == (1, 1)
    again = client.vector_stores.files.create(store.id, file_id=uploaded.id)
    assert again.status == "completed"
    assert client.vector_stores.files.delete(uploaded.id, vector_store_id=store.id).deleted
    assert client.vector_stores.search(store.id, query=QUESTION).data == []
    assert client.vector_stores.delete(store.id).deleted
    with pytest.raises(openai.NotFoundError):
        client.vector_stores.retrieve(store.id)


@pytest.mark.req("DOC3", "CLS1")
def test_a_batch_tells_each_file_that_is_refused(served: Served, client: OpenAI) -> None:
    store = client.vector_stores.create(name="Batch")
    key = (
        "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEpAIBAAKCAQEA7bq" * 20 + "\n-----END RSA PRIVATE KEY-----\n"
    )
    batch = client.vector_stores.file_batches.upload_and_poll(
        store.id, files=[("refunds.md", REFUNDS), ("prices.md", PRICES), ("key.txt", key.encode())]
    )
    assert batch.status == "completed"
    assert (batch.file_counts.completed, batch.file_counts.failed, batch.file_counts.total) == (2, 1, 3)
    listed = client.vector_stores.file_batches.list_files(batch.id, vector_store_id=store.id, filter="failed")
    [failed] = listed.data
    assert failed.last_error is not None
    assert failed.last_error.code == "invalid_file"
    assert "private key" in failed.last_error.message
    assert served.desk.documents.find(failed.id) is None
    assert client.vector_stores.file_batches.cancel(batch.id, vector_store_id=store.id).status == "completed"
    other = client.vector_stores.create(name="Other")
    with pytest.raises(openai.NotFoundError):
        client.vector_stores.file_batches.retrieve(batch.id, vector_store_id=other.id)


@pytest.mark.req("H1")
def test_lists_go_on_page_by_page_either_way(client: OpenAI) -> None:
    stores = [client.vector_stores.create(name=f"Store {number}").id for number in range(3)]
    assert [one.id for one in client.vector_stores.list(limit=2)] == stores[::-1]
    assert [one.id for one in client.vector_stores.list(limit=2, order="asc")] == stores
    back = client.vector_stores.list(limit=1, before=stores[0])
    assert [one.id for one in back.data] == [stores[1]]
    assert back.has_more
    changed = client.vector_stores.update(stores[0], name="Renamed")
    assert (changed.id, changed.name) == (stores[0], "Renamed")
    files = [
        client.vector_stores.files.upload(
            vector_store_id=stores[0], file=(f"{n}.md", f"# {n}\n\nText.\n".encode())
        )
        for n in range(3)
    ]
    held = client.files.create(file=("held.md", REFUNDS), purpose="user_data")
    ids = [one.id for one in files]
    assert [one.id for one in client.files.list(limit=2, order="asc")] == [*ids, held.id]
    assert [one.id for one in client.files.list(purpose="user_data")] == [held.id]
    shown = client.vector_stores.files.list(stores[0], limit=2, order="asc")
    assert [one.id for one in shown] == [one.id for one in files]


def test_filters_select_by_equal_attributes(served: Served, client: OpenAI) -> None:
    store = client.vector_stores.create(name="Years")
    for year in (2025, 2026):
        file = client.files.create(
            file=(f"{year}.md", f"# Fee {year}\n\nThe fee of a year.\n".encode()), purpose="assistants"
        )
        client.vector_stores.files.create_and_poll(
            file.id, vector_store_id=store.id, attributes={"year": year}
        )
    only = client.vector_stores.search(
        store.id, query="what is the fee?", filters={"type": "eq", "key": "year", "value": 2026}
    )
    assert [one.attributes for one in only] == [{"year": "2026"}]
    both = {"type": "and", "filters": [{"type": "eq", "key": "year", "value": 2025}]}
    found = client.vector_stores.search(store.id, query="what is the fee?", filters=both)  # type: ignore[arg-type]
    assert [one.filename for one in found] == ["2025.md"]
    with pytest.raises(openai.UnprocessableEntityError, match="Filters compare by eq"):
        client.vector_stores.search(
            store.id, query="fee", filters={"type": "gt", "key": "year", "value": 2025}
        )
    updated = client.vector_stores.files.update(
        only.data[0].file_id, vector_store_id=store.id, attributes={"a": "b"}
    )
    assert updated.attributes == {"a": "b"}


@pytest.mark.req("RUN7", "KB2", "H4", "SRCH3")
def test_what_is_refused_is_an_error_of_the_client(served: Served, client: OpenAI) -> None:
    store, other = (client.vector_stores.create(name=name) for name in ("One", "Two"))
    file = client.vector_stores.files.upload_and_poll(vector_store_id=store.id, file=("refunds.md", REFUNDS))
    with pytest.raises(openai.AuthenticationError):
        speaking(served, "rd_nobody").vector_stores.list()
    reading = speaking(served, served.desk.keys.create(scopes=["knowledge:read"]).secret)
    assert reading.vector_stores.search(store.id, query=QUESTION).data
    for refused in (
        lambda: reading.vector_stores.create(name="Mine"),
        lambda: reading.files.create(file=("a.md", b"# A\n"), purpose="assistants"),
    ):
        with pytest.raises(openai.PermissionDeniedError):
            refused()
    with pytest.raises(openai.ConflictError, match="in another vector store"):
        client.vector_stores.files.create(other.id, file_id=file.id)
    with pytest.raises(openai.NotFoundError, match="Upload it again"):
        client.vector_stores.files.create(store.id, file_id="doc_nothing")
    with pytest.raises(openai.NotFoundError):
        client.vector_stores.files.retrieve(file.id, vector_store_id=other.id)
    with pytest.raises(openai.UnprocessableEntityError) as caught:
        client.vector_stores.search(store.id, query=QUESTION, max_num_results=9)
    assert (caught.value.code, caught.value.type) == ("top_k_out_of_range", "invalid_request_error")
    with pytest.raises(openai.UnprocessableEntityError, match="no metadata here"):
        client.vector_stores.create(name="Tagged", metadata={"a": "b"})
    with pytest.raises(openai.APIStatusError) as large:
        client.files.create(file=("big.md", b"a" * 5_000_000), purpose="assistants")
    assert (large.value.status_code, large.value.code) == (413, "too_large")
    with pytest.raises(openai.UnprocessableEntityError) as odd:
        client.files.create(file=("tool.exe", b"MZ"), purpose="assistants")
    assert odd.value.code == "unsupported_type"
    with pytest.raises(openai.APIStatusError) as lost:
        client.vector_stores.create(name="Half", file_ids=["doc_nothing"])
    assert lost.value.status_code == 404
    assert served.desk.bases.find("Half") is None
    bad = served.client.post("/v1/files", content=b"no form", headers={"Content-Type": "multipart/form-data"})
    assert bad.status_code == 400
    assert bad.json()["error"]["message"]


@pytest.mark.req("H5")
def test_the_log_has_the_address_and_not_the_question(
    client: OpenAI, caplog: pytest.LogCaptureFixture
) -> None:
    store = client.vector_stores.create(name="Logged")
    with caplog.at_level(logging.DEBUG):
        client.vector_stores.search(store.id, query=QUESTION)
    lines = [record.getMessage() for record in caplog.records if record.name.startswith("refdesk")]
    assert any("route=/v1/vector_stores/{store_id}/search" in line for line in lines)
    assert [line for line in lines if QUESTION in line] == []


@pytest.mark.req("RUN7", "KB2")
def test_other_projects_and_bound_keys_reach_only_their_own(served: Served, client: OpenAI) -> None:
    shown, hidden = (served.base(name, kind="generic") for name in ("Shown", "Hidden"))
    held = client.files.create(file=("held.md", REFUNDS), purpose="assistants")
    elsewhere = served.desk.acting(served.desk.principal, served.desk.projects.create("other", "packs").id)
    foreign = speaking(served, elsewhere.keys.create().secret)
    with pytest.raises(openai.NotFoundError):
        foreign.files.retrieve(held.id)
    reading, writing = (
        speaking(served, served.desk.keys.create(scopes=[f"knowledge:{scope}"]).secret)
        for scope in ("read", "write")
    )
    with pytest.raises(openai.PermissionDeniedError):
        reading.files.delete(held.id)
    with pytest.raises(openai.PermissionDeniedError):
        writing.files.content(held.id)
    assert reading.files.content(held.id).content == REFUNDS
    with pytest.raises(openai.NotFoundError):
        foreign.vector_stores.search(shown, query=QUESTION)
    agent = served.desk.agents.create("Reception", bases=[shown])
    bound = speaking(served, served.desk.keys.create(agent=agent.id).secret)
    assert bound.vector_stores.search(shown, query=QUESTION).data == []
    with pytest.raises(openai.NotFoundError):
        bound.vector_stores.search(hidden, query=QUESTION)
    assert client.files.delete(held.id).deleted
    with pytest.raises(openai.NotFoundError):
        client.files.retrieve(held.id)
