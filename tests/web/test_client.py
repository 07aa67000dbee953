"""``refdesk.Client`` against a really running server: the same calls, results and errors as of a desk."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.web.conftest import Connect, Serve, Served

from refdesk import Client
from refdesk.demo.pdf import pdf
from refdesk.demo.source import parse
from refdesk.errors import Failed, NotFound, NotPermitted, RefdeskError, Refusal, UsageError
from refdesk.testing import FakeProvider, WordEmbedder

HOURS = "# Hours\n\nWe open at nine on Saturday.\n"


@pytest.fixture
def packs(serve: Serve) -> Served:
    return serve("packs", WordEmbedder())


@pytest.fixture
def client(packs: Served, connect: Connect) -> Client:
    return connect(packs)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "policies"
    (root / "eu").mkdir(parents=True)
    (root / "hours.md").write_text(HOURS)
    (root / "eu" / "returns.md").write_text("# Returns\n\nA refund arrives within 14 days.\n")
    (root / ".hidden.md").write_text("# Hidden\n")
    return root


@pytest.fixture
def working(packs: Served) -> Iterator[None]:
    """The queue is worked beside the server, as ``serve`` does."""
    stop = threading.Event()

    def work() -> None:
        while not stop.wait(0.05):
            packs.desk.work()

    worker = threading.Thread(target=work)
    worker.start()
    yield
    stop.set()
    worker.join()


def test_it_is_imported_on_first_use_and_without_the_desk() -> None:
    code = (
        "import sys, refdesk; before = 'httpx2' in sys.modules; refdesk.Client\n"
        "heavy = ('numpy', 'sqlalchemy', 'pydantic', 'refdesk.desk', 'refdesk.index')\n"
        "print(before, [name for name in heavy if name in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.split(maxsplit=1) == ["False", "[]\n"]


@pytest.mark.req("D3", "D5", "ING1")
def test_a_folder_is_added_as_a_desk_adds_it(client: Client, folder: Path, working: None) -> None:
    (folder / "blank.md").write_text(" \n")
    told: list[tuple[str, str, int, int]] = []
    handbook = client.bases.create("Handbook")
    added = handbook.add(folder, wait=True, progress=lambda *each: told.append(each))
    assert [(one.name, one.state, one.change) for one in added.documents] == [
        ("blank.md", "refused", None),
        ("hours.md", "ready", "added"),
        ("eu/returns.md", "ready", "added"),
    ]
    assert (added.documents[0].code, added.refused, added.failed) == ("no_text", True, False)
    assert added.notes == ["Left out: 1 hidden entry."]
    assert [(stage, done, total) for stage, _, done, total in told if stage == "read"] == [
        ("read", 1, 3), ("read", 2, 3), ("read", 3, 3),
    ]  # fmt: skip
    assert told[-1] == ("index", "", 2, 2)
    (folder / "hours.md").write_text(HOURS + "\nClosed on Sunday.\n")
    again = handbook.add(folder / "hours.md", folder / "eu" / "returns.md")
    assert [(one.name, one.change) for one in again.documents] == [
        ("hours.md", "replaced"),
        ("returns.md", "added"),
    ]
    assert handbook.add(folder / "hours.md").documents[0].change == "unchanged"
    assert [one.version for one in handbook.list_documents()] == [2, 1, 1]


@pytest.mark.req("CLS1")
def test_what_screening_did_is_told_as_a_desk_tells_it(packs: Served, client: Client, folder: Path) -> None:
    (folder / "server.md").write_text("# Server\n\nThe database password is Vq7xKd29mPz4Ltw.\n")
    over_http = client.bases.create("Handbook").add(folder)
    embedded = packs.desk.bases.create("Other").add(folder)
    synced = packs.desk.bases.create("Third").sync(folder)
    assert over_http.notes == embedded.notes == synced.notes
    assert any(note.startswith("server.md: Screening found 1 credential") for note in synced.notes)


@pytest.mark.req("SRCH2")
def test_hits_are_those_of_the_desk(packs: Served, client: Client, folder: Path) -> None:
    handbook, other = client.bases.create("Handbook"), client.bases.create("Other")
    handbook.add(folder, source_url="https://example.com/policies", metadata={"team": "shop", "a": "b=c"})
    other.add(folder / "hours.md")
    packs.desk.work()
    question, options = "when does a refund arrive?", {"top_k": 2, "filter": {"team": "shop"}}
    found = client.search(question, [handbook, "other"], **options)
    desk = packs.desk.search(question, ["Handbook", other.id], **options)
    assert [hit.to_dict() for hit in found] == [hit.to_dict() for hit in desk.hits]
    assert (found.mode, found.answered_by, found.notes) == (desk.mode, desk.answered_by, desk.notes)
    best = found.hits[0]
    assert (best.title, best.locator, best.metadata["a"], best.source_url) == (
        "Returns", "Returns", "b=c", "https://example.com/policies",
    )  # fmt: skip


@pytest.mark.req("D2", "D4", "D11", "DOC6", "ING4")
def test_documents_by_their_id_alone(packs: Served, client: Client, folder: Path) -> None:
    handbook = client.bases.create("Handbook")
    one = handbook.upload(folder / "hours.md", "hours", declared_type="text/markdown")
    two = handbook.upload(folder / "hours.md", "hours", declared_type="text/markdown")
    assert one.id != two.id
    packs.desk.work()
    fresh = Client(packs.address, packs.as_key().headers["x-api-key"])  # which has seen no document yet
    with fresh:
        assert fresh.documents.text(one.id) == HOURS
        assert fresh.documents.original(one.id) == HOURS.encode()
        [passage] = fresh.documents.passages(one.id)
        assert (passage.position, passage.section, passage.start) == (1, "Hours", 0)
        assert fresh.documents.figures(one.id) == []
        assert fresh.documents.get(one.id) == packs.desk.documents.get(one.id)
    changed = client.documents.update(
        one.id, name="times", source_url="https://example.com", metadata={"a": "b"}
    )
    assert (changed.name, changed.source_url, changed.metadata) == (
        "times",
        "https://example.com",
        {"a": "b"},
    )
    assert client.documents.update(one.id, source_url=None).source_url is None
    own = client.documents.get(one.id).title
    assert client.documents.update(one.id, title="When we open").title == "When we open"
    assert client.documents.update(one.id, title=None).title == own
    (folder / "hours.md").write_text(HOURS + "\nClosed on Sunday.\n")
    replaced = handbook.upload(folder / "hours.md", "times.md", replaces=one.id)
    assert (replaced.id, replaced.version, replaced.state) == (one.id, 2, "queued")
    assert client.documents.cancel(one.id).code == "cancelled"
    assert client.documents.retry(one.id).state == "queued"
    packs.desk.work()
    assert client.documents.reingest(one.id).version == 3
    with pytest.raises(NotFound):
        client.documents.delete(two.id, "doc_01JE3Y0ZD5V7K8Q2M4N6P8R0ST")
    assert client.documents.find(two.id) is not None
    assert client.documents.delete(two.id, one.id) == 2
    assert client.documents.find(two.id) is None
    assert handbook.list_documents() == []


@pytest.mark.req("D6", "KB1")
def test_bases(client: Client) -> None:
    made = client.bases.create("Handbook", description="Of the house", kind="generic")
    assert client.bases.get("HANDBOOK").to_dict() == client.bases.get(made.id).to_dict() == made.to_dict()
    changed = made.update(name="Manual", description=None)
    assert (changed.id, changed.name, changed.description) == (made.id, "Manual", None)
    assert client.bases.find("Handbook") is None
    assert made.progress().ready == 0
    assert made.reindex() == 0
    made.delete()
    with pytest.raises(NotFound):
        client.bases.get(made.id)


@pytest.mark.req("KB2", "KB3")
def test_agents(client: Client) -> None:
    handbook = client.bases.create("Handbook", kind="generic")
    agent = client.agents.create("Front desk", prompt="Answer.", bases=["handbook"])
    assert agent.knowledge_base_ids == (handbook.id,)
    assert client.agents.get("front DESK") == client.agents.get(agent.id) == agent
    changed = client.agents.update("Front desk", bases=[], expected=[agent.version])
    assert (changed.version, changed.knowledge_base_ids) == (agent.version + 1, ())
    with pytest.raises(UsageError) as late:
        client.agents.update(agent.id, prompt="Other.", expected=[agent.version])
    assert late.value.code == "changed_meanwhile"
    client.agents.delete(agent.id)
    assert client.agents.list() == []
    with pytest.raises(NotFound):
        client.agents.get("Front desk")


@pytest.mark.req("ING6")
def test_accounts(serve: Serve, connect: Connect) -> None:
    client = connect(serve("packs", allow_private_hosts=True))
    with FakeProvider() as provider:
        made = client.accounts.create(
            "Words", "openai-compatible", model="words", secret="sk-test", base_url=f"{provider.url}/v1"
        )
        assert client.accounts.verify("Words").state == "verified"
        base = client.bases.create("Handbook", embedding_account_id=made.id)
        assert base.embedding_account_id == made.id
        with pytest.raises(UsageError) as used:
            client.accounts.delete(made.id)
    assert used.value.code == "account_in_use"
    assert client.accounts.update("Words", name="Other").name == "Other"
    base.delete()
    client.accounts.delete("Other")
    assert made.id not in [one.id for one in client.accounts.list()]


@pytest.mark.req("H1")
def test_lists_are_followed_over_their_pages(packs: Served, client: Client) -> None:
    made = [packs.desk.bases.create(f"Base {number}").id for number in range(203)]
    assert sorted(base.id for base in client.bases.list()) == sorted(made)


def raised(call: Callable[[], object]) -> RefdeskError:
    with pytest.raises(RefdeskError) as caught:
        call()
    return caught.value


@pytest.mark.req("DOC3", "DOC5", "W8", "H6", "RUN7")
def test_errors_are_those_of_the_desk(packs: Served, connect: Connect, tmp_path: Path) -> None:
    client, reader = connect(packs), connect(packs, "knowledge:read")
    desk, here = packs.desk, client.bases.create("Handbook", kind="generic")
    base = desk.bases.get(here.id)
    sheet, gone = tmp_path / "prices.xlsx", tmp_path / "gone.md"
    sheet.write_bytes(b"PK")
    nowhere = "doc_01JE3Y0ZD5V7K8Q2M4N6P8R0ST"
    pairs: list[tuple[Callable[[], object], Callable[[], object]]] = [
        (lambda: client.bases.create("handbook"), lambda: desk.bases.create("handbook")),
        (
            lambda: client.search("fee", ["Handbook"], top_k=99),
            lambda: desk.search("fee", ["Handbook"], top_k=99),
        ),
        (lambda: client.search("?", ["Handbook"]), lambda: desk.search("?", ["Handbook"])),
        (
            lambda: client.search("fee", ["Handbook"], mode="keyword", min_score=0.5),
            lambda: desk.search("fee", ["Handbook"], mode="keyword", min_score=0.5),
        ),
        (lambda: here.upload(sheet, "prices.xlsx"), lambda: base.upload(sheet, "prices.xlsx")),
        (
            lambda: here.upload(tmp_path / "gone.md", "gone.md"),
            lambda: base.upload(tmp_path / "gone.md", "gone.md"),
        ),
        (lambda: here.add(gone), lambda: base.add(gone)),
        (lambda: client.documents.get(nowhere), lambda: desk.documents.get(nowhere)),
    ]
    for over_http, embedded in pairs:
        there, local = raised(over_http), raised(embedded)
        assert (type(there), there.code, there.limit, there.actual) == (
            type(local), local.code, local.limit, local.actual,
        )  # fmt: skip
    assert raised(lambda: here.add(sheet, metadata={"a=b": "c"})).code == "bad_metadata"
    refused = raised(lambda: reader.bases.create("Other"))
    assert (type(refused), refused.code) == (NotPermitted, "not_permitted")


@pytest.mark.req("DOC3", "DOC5", "H4")
def test_a_large_upload_that_is_refused_says_so(serve: Serve, connect: Connect, tmp_path: Path) -> None:
    served = serve("bases")
    handbook = connect(served).bases.create("Handbook")
    limit, path = 20 * 1024 * 1024, tmp_path / "long.txt"
    with path.open("wb") as file:
        file.truncate(3 * limit)
    for _ in range(5):
        refused = raised(lambda: handbook.upload(path, "long.txt"))
        assert (type(refused), refused.code) == (Refusal, "too_large")
        assert (refused.limit, refused.actual) == (limit, 3 * limit)
    assert handbook.list_documents() == []


@pytest.mark.req("DOC8")
def test_it_waits_where_the_server_reads_another_pdf(serve: Serve, connect: Connect, tmp_path: Path) -> None:
    served = serve("voice")
    menu = tmp_path / "menu.pdf"
    menu.write_bytes(pdf(parse("menu.pdf.md", "# Menu\n\nSoup costs five.\n")))
    patient, hasty = (connect(served, retries=retries).bases.create(f"Base {retries}") for retries in (9, 0))
    reading, done = threading.Event(), threading.Event()

    def hold() -> None:
        with served.desk._parts.context.reader()._place("pdf", served.desk.policy):
            reading.set()
            done.wait(30)

    holder = threading.Thread(target=hold)
    holder.start()
    reading.wait(30)
    busy = raised(lambda: hasty.upload(menu, "menu.pdf"))
    assert (type(busy), busy.code) == (Failed, "reader_busy")
    assert busy.retry_after is not None
    threading.Timer(0.5, done.set).start()
    assert patient.upload(menu, "menu.pdf").pages == 1
    holder.join()


def test_a_key_that_does_not_hold_and_an_address_where_nothing_is(packs: Served) -> None:
    with Client(packs.address, "rd_none") as client:
        refused = raised(client.bases.list)
        assert (type(refused), refused.code) == (NotPermitted, "unauthenticated")
    with Client("http://127.0.0.1:9", "rd_none") as client:
        assert type(raised(client.bases.list)) is Failed
    for address, key in (("desk.example.com", "rd_x"), ("http://x", ""), ("http://x", "rd_x\n")):
        assert type(raised(lambda address=address, key=key: Client(address, key))) is UsageError
