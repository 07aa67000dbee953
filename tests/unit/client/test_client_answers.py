"""What a client makes of answers: waits that it is told, errors, and servers that are none."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest

import refdesk
from refdesk import Client
from refdesk.client import http
from refdesk.client.problems import kind_of
from refdesk.errors import CODES, Failed, NotPermitted, RefdeskError, Refusal, UsageError

BASE = {
    "id": "kb_01JE3Y0ZD5V7K8Q2M4N6P8R0ST", "name": "Handbook", "slug": "handbook", "description": None,
    "kind": "generic", "embedding_account_id": None, "documents": 0, "ready_chars": 0, "total_chars": 0,
    "created_at": "2026-11-30T12:00:00Z", "new_in_a_later_version": 1,
}  # fmt: skip
DOCUMENT = {
    "id": "doc_01JE3Y0ZD5V7K8Q2M4N6P8R0ST", "name": "notes.md", "title": "Notes", "kind": "markdown",
    "state": "queued", "error": None, "code": None, "version": 1, "indexed_version": None, "chars": 5,
    "pages": None, "passages": None, "source_url": None, "metadata": {}, "notes": [],
    "created_at": "2026-11-30T12:00:00Z",
}  # fmt: skip


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    waits: list[float] = []
    monkeypatch.setattr(http.time, "sleep", waits.append)
    return waits


class Server:
    """Answers in turn; the last answer goes on."""

    def __init__(self, *answers: httpx2.Response) -> None:
        self._answers = list(answers)
        self.seen: list[tuple[httpx2.Request, bytes]] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.seen.append((request, request.read()))
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]

    def client(self, **options: float) -> Client:
        return Client("http://desk.test/", "rd_key", transport=httpx2.MockTransport(self), **options)


def told(status: int, code: str, wait: str | None = None, **more: object) -> httpx2.Response:
    headers = {} if wait is None else {"Retry-After": wait}
    return httpx2.Response(status, headers=headers, json={"detail": "A sentence.", "code": code, **more})


def test_it_waits_as_long_as_it_is_told_and_creates_once(waited: list[float]) -> None:
    server = Server(
        told(429, "rate_limited", "2"), told(503, "reader_busy", "1"), httpx2.Response(201, json=BASE)
    )
    with server.client() as client:
        assert client.bases.create("Handbook").name == "Handbook"
    assert waited == [2.0, 1.0]
    keys = {request.headers["idempotency-key"] for request, _ in server.seen}
    assert len(server.seen) == 3
    assert len(keys) == 1
    assert {request.headers["x-api-key"] for request, _ in server.seen} == {"rd_key"}


def test_a_search_leaves_no_answer_with_the_server(waited: list[float]) -> None:
    found = {"mode": "keyword", "answered_by": "keyword", "took_ms": 1.5, "notes": ["A note."], "hits": []}
    server = Server(told(429, "rate_limited", "1"), httpx2.Response(200, json=found))
    with server.client() as client:
        assert client.search("fee", ["Handbook"]).to_dict() == found
    assert len(server.seen) == 2
    assert not any("idempotency-key" in request.headers for request, _ in server.seen)


def test_a_server_may_stand_below_a_path() -> None:
    server = Server(httpx2.Response(200, json={"items": [], "next_cursor": None}))
    client = Client("https://example.test/desk/", "rd_key", transport=httpx2.MockTransport(server))
    with client:
        assert client.bases.find("Größe & Co/1") is None
    [(request, _)] = server.seen
    assert request.url.path == "/desk/v2/knowledge-bases"
    assert request.url.params["name"] == "Größe & Co/1"


def test_an_upload_is_sent_again_whole(waited: list[float], tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_bytes(b"x" * 200_000)
    made = httpx2.Response(201, json=BASE)
    server = Server(made, told(503, "reader_busy", "1"), httpx2.Response(201, json=DOCUMENT))
    with server.client() as client:
        assert client.bases.create("Handbook").upload(path, "notes.md").version == 1
    assert [len(body) for _, body in server.seen[1:]] == [200_000, 200_000]
    for header, count in (("content-length", 1), ("idempotency-key", 1)):
        assert len({request.headers[header] for request, _ in server.seen[1:]}) == count


def test_what_a_file_changed_is_said_by_the_server_which_alone_knows(tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text("Some text.")
    there = httpx2.Response(200, json={"items": [DOCUMENT], "next_cursor": None})
    none = httpx2.Response(200, json={"items": [], "next_cursor": None})
    gone = httpx2.Response(201, headers={"Document-Change": "added"}, json={**DOCUMENT, "id": "doc_2"})
    server = Server(httpx2.Response(201, json=BASE), there, none, gone)
    with server.client() as client:
        [added] = client.bases.create("Handbook").add(path).documents
    assert (added.id, added.change) == ("doc_2", "added")
    assert [request.method for request, _ in server.seen] == ["POST", "GET", "GET", "POST"]
    assert server.seen[-1][0].url.params["same_name"] == "replace"


def test_a_document_in_work_has_its_progress() -> None:
    where = f"/v2/knowledge-bases/{BASE['id']}/documents/{DOCUMENT['id']}"
    located = {"Content-Location": where}
    stage = {"stage": "embed", "bytes": 10, "pages": None, "done": 1, "total": 4, "seconds": 2.5}
    server = Server(
        httpx2.Response(200, headers=located, json={**DOCUMENT, "state": "indexing"}),
        httpx2.Response(200, json=BASE),
        httpx2.Response(200, json={"state": "indexing", "progress": stage}),
    )
    with server.client() as client:
        document = client.documents.get(str(DOCUMENT["id"]))
    assert document.base == "Handbook"
    assert document.progress is not None
    assert (document.progress.stage, document.progress.done, document.progress.total) == ("embed", 1, 4)
    assert server.seen[-1][0].url.path == f"{where}/progress"


@pytest.mark.parametrize(
    ("wait", "options", "waits"),
    [
        ("1", {"retries": 2}, [1.0, 1.0]),
        ("1", {"retries": 0}, []),
        ("61", {}, []),
        ("20", {"longest_wait": 10}, []),
        (None, {}, []),
    ],
)
def test_it_gives_up_and_says_when_to_come_again(
    wait: str | None, options: dict[str, float], waits: list[float], waited: list[float]
) -> None:
    server = Server(told(429, "rate_limited", wait, limit=60))
    with server.client(**options) as client, pytest.raises(Failed) as error:
        client.bases.list()
    assert waited == waits
    assert (error.value.code, error.value.limit, error.value.retry_after) == (
        "rate_limited", 60, None if wait is None else int(wait),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "kind", "code"),
    [
        (told(422, "of_a_newer_server"), UsageError, "bad_value"),
        (httpx2.Response(413, text="<h1>Too Large</h1>"), Refusal, "too_large"),
        (httpx2.Response(401), NotPermitted, "unauthenticated"),
        (httpx2.Response(502, text="Bad Gateway"), Failed, "failed"),
        (httpx2.Response(307, headers={"Location": "https://elsewhere.test"}), Failed, "failed"),
        (httpx2.Response(200, text="<h1>Welcome</h1>"), Failed, "failed"),
        (httpx2.Response(200, json={"items": [{"id": "kb_1"}], "next_cursor": None}), Failed, "failed"),
    ],
)
def test_answers_that_are_not_this_server_s(
    answer: httpx2.Response, kind: type[RefdeskError], code: str
) -> None:
    with Server(answer).client() as client, pytest.raises(RefdeskError) as error:
        client.bases.list()
    assert (type(error.value), error.value.code) == (kind, code)
    assert error.value.message.endswith(("?", "."))


@pytest.mark.parametrize("error", [httpx2.ReadTimeout, httpx2.ConnectTimeout, httpx2.ReadError])
def test_a_server_that_is_silent_or_goes(error: type[httpx2.TransportError]) -> None:
    def fails(request: httpx2.Request) -> httpx2.Response:
        raise error("as it happens", request=request)

    transport = httpx2.MockTransport(fails)
    told = pytest.raises(Failed, match=r"^The server at desk\.test ")
    with Client("http://desk.test", "rd_key", transport=transport) as client, told:
        client.bases.list()


def raises() -> Iterator[tuple[str, str]]:
    """The exceptions that the source raises with a code of their own."""
    for path in Path(refdesk.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                for keyword in node.keywords:
                    if keyword.arg == "code" and isinstance(keyword.value, ast.Constant):
                        yield node.func.id, str(keyword.value.value)


KINDS: dict[str, Callable[..., RefdeskError]] = {
    kind.__name__: kind for kind in (UsageError, Refusal, Failed, NotPermitted)
}


def test_a_code_over_http_is_the_exception_that_the_desk_raises_with_it() -> None:
    raised = {(name, code) for name, code in raises() if name in KINDS and CODES[code].status != 200}
    assert len(raised) > 30
    wrong = {(name, code) for name, code in raised if kind_of(code, CODES[code].status) is not KINDS[name]}
    assert wrong == set()
