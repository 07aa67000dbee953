"""Documents over HTTP: uploads, versions, edits, downloads, and what is refused."""

from __future__ import annotations

import pytest
from tests.web.conftest import Serve, Served

PROBLEM = "application/problem+json"


@pytest.fixture
def voice(serve: Serve) -> Served:
    return serve("voice")


@pytest.mark.req("D2", "D8", "H3")
@pytest.mark.parametrize(
    ("name", "declared", "kind"),
    [
        ("Prices", "text/markdown", "markdown"),
        ("Prices", "Text/Plain; charset=UTF-8", "text"),
        ("Preisliste für März.md", "text/markdown; charset=utf-8", "markdown"),
        ("notes.txt", "application/octet-stream", "text"),
    ],
)
def test_a_name_and_a_type_make_a_kind(voice: Served, name: str, declared: str, kind: str) -> None:
    added = voice.add(voice.base(), "# One\n\nTwo.\n", name, type=declared)
    assert added.status_code == 201
    assert (added.json()["name"], added.json()["kind"]) == (name, kind)
    assert added.headers["location"].endswith(added.json()["id"])


@pytest.mark.req("D2", "D8", "H3", "H4")
@pytest.mark.parametrize(
    ("query", "declared", "body", "status", "code"),
    [
        ("", "text/markdown", b"text", 400, "usage"),
        ("?name=%FF%FE", "text/markdown", b"text", 400, "usage"),
        ("?name=%20%0A", "text/markdown", b"text", 400, "usage"),
        ("?name=a&nmae=b", "text/markdown", b"text", 400, "usage"),
        ("?name=a.pdf", "text/markdown", b"text", 422, "wrong_type"),
        ("?name=a.xlsx", "application/octet-stream", b"PK", 422, "unsupported_type"),
        ("?name=a", "image/gif", b"GIF89a", 422, "unsupported_type"),
        ("?name=a", "text/markdown", b"\xff\xff", 422, "not_utf8"),
        ("?name=a", "text/markdown", b" \n", 422, "no_text"),
        ("", "application/json", b"{", 400, "usage"),
        ("", "application/json", b'{"name": "a", "content": "b", "colour": 1}', 400, "usage"),
        ("", "application/json", b'{"name": "a", "kind": "pdf", "content": "b"}', 422, "bad_value"),
        ("", "application/json", b'{"name": "a", "content": 5}', 422, "bad_value"),
        ("", "application/json", b"[]", 400, "usage"),
        ("", "application/json", b'{"content": "b"}', 400, "usage"),
        ("?name=a&source_url=javascript:x", "text/markdown", b"text", 422, "bad_source_url"),
    ],
)
def test_what_is_refused_says_why_and_leaves_nothing(
    voice: Served, query: str, declared: str, body: bytes, status: int, code: str
) -> None:
    documents = f"/v2/knowledge-bases/{voice.base()}/documents"
    refused = voice.client.post(documents + query, headers={"Content-Type": declared}, content=body)
    assert (refused.status_code, refused.headers["content-type"]) == (status, PROBLEM)
    assert refused.json()["code"] == code
    assert voice.client.get(documents).json()["items"] == []
    assert not list((voice.desk.home / "blobs").rglob("text"))


@pytest.mark.req("H4")
@pytest.mark.parametrize(
    ("body", "place"),
    [
        (b"{", "body"),
        (b"[]", "body"),
        (b'{"name": "a", "kind": "pdf", "content": "b"}', "body.kind"),
        (b'{"name": "a"}', "body.content"),
        (b'{"name": "a", "content": "b", "metadata": {"team": 1}}', "body.metadata.team"),
    ],
)
def test_a_document_as_json_that_is_wrong_says_where(voice: Served, body: bytes, place: str) -> None:
    documents = f"/v2/knowledge-bases/{voice.base()}/documents"
    refused = voice.client.post(documents, headers={"Content-Type": "application/json"}, content=body)
    assert refused.json()["place"] == place


@pytest.mark.req("ING4", "D2")
def test_replacing_leaves_the_version_before_answering(voice: Served) -> None:
    base = voice.base()
    documents = f"/v2/knowledge-bases/{base}/documents"
    one = voice.add(base, "# Fee\n\nThe fee is ten.\n", "Fee").json()
    voice.add(base, "# Fee\n\nAnother of the same name.\n", "Fee")
    voice.desk.work()
    replaced = voice.client.put(f"{documents}/{one['id']}", json={"content": "# Fee\n\nThe fee is twelve.\n"})
    assert replaced.status_code == 200
    table = replaced.json()
    assert (table["version"], table["indexed_version"], table["state"], table["name"]) == (
        2,
        1,
        "queued",
        "Fee",
    )

    def texts() -> list[str]:
        found = voice.client.post(f"/v2/knowledge-bases/{base}/search", json={"query": "what is the fee?"})
        return [hit["text"] for hit in found.json()["hits"] if hit["document"] == one["id"]]

    assert "ten" in texts()[0]
    voice.desk.work()
    assert "twelve" in texts()[0]
    assert len(voice.client.get(documents).json()["items"]) == 2


@pytest.mark.req("D2", "D4")
def test_a_title_made_from_the_name_goes_with_it(voice: Served) -> None:
    base = voice.base()
    titles = []
    for text, title in (
        ("The fee is ten.\n", None),
        ("# Fee\n\nIt is ten.\n", None),
        ("It is ten.\n", "Own"),
    ):
        made = voice.add(base, text, "Costs.md").json()["id"]
        address = f"/v2/knowledge-bases/{base}/documents/{made}"
        if title is not None:
            voice.client.patch(address, json={"title": title})
        titles.append(voice.client.patch(address, json={"name": "Prices.md"}).json()["title"])
    assert titles == ["Prices", "Fee", "Own"]


@pytest.mark.req("D4")
def test_a_name_and_a_title_can_be_changed(voice: Served) -> None:
    base = voice.base()
    one = voice.add(base, "# Fee\n\nThe fee is ten.\n", "Fee").json()
    voice.desk.work()
    address = f"/v2/knowledge-bases/{base}/documents/{one['id']}"
    changed = voice.client.patch(address, json={"name": "Fees 2026", "title": "What we charge"})
    assert (changed.status_code, changed.json()["name"], changed.json()["title"]) == (
        200, "Fees 2026", "What we charge",
    )  # fmt: skip
    found = voice.client.post(f"/v2/knowledge-bases/{base}/search", json={"query": "fee"}).json()
    assert (found["hits"][0]["name"], found["hits"][0]["title"]) == ("Fees 2026", "What we charge")
    voice.desk.work()
    found = voice.client.post(f"/v2/knowledge-bases/{base}/search", json={"query": "charge"}).json()
    assert found["hits"][0]["document"] == one["id"]
    assert voice.client.patch(address, json={"name": "  "}).json()["code"] == "bad_name"
    assert voice.client.patch(address, json={"state": "ready"}).status_code == 400


@pytest.mark.req("DOC6", "D11", "H3")
def test_text_original_and_passages(serve: Serve) -> None:
    packs = serve("packs")
    base, content = packs.base(), "# Über uns\r\n\r\nWir öffnen um neun.\r\n".encode()
    one = packs.add(base, content, "über/uns.md").json()
    packs.desk.work()
    address = f"/v2/knowledge-bases/{base}/documents/{one['id']}"
    assert packs.client.get(f"{address}/text").text == "# Über uns\n\nWir öffnen um neun.\n"
    original = packs.client.get(f"{address}/original")
    assert original.content == content
    assert original.headers["content-disposition"] == "attachment; filename*=UTF-8''uns.md"
    assert original.headers["x-content-type-options"] == "nosniff"
    [passage] = packs.client.get(f"{address}/passages").json()["items"]
    assert (passage["position"], passage["section"], passage["start"]) == (1, "Über uns", 0)
    assert packs.client.get(f"{address}/figures").json() == {"items": [], "next_cursor": None}
    missing = packs.client.get(f"{address}/figures/1")
    assert (missing.status_code, missing.headers["content-type"]) == (404, PROBLEM)


@pytest.mark.req("D11")
def test_an_original_that_was_not_kept_is_not_there(voice: Served) -> None:
    from refdesk.demo.pdf import pdf
    from refdesk.demo.source import parse

    base = voice.base()
    menu = pdf(parse("menu.pdf.md", "# Menu\n\nSoup costs five.\n"))
    one = voice.add(base, menu, "Menu", type="application/pdf").json()
    assert (one["kind"], one["pages"]) == ("pdf", 1)
    refused = voice.client.get(f"/v2/knowledge-bases/{base}/documents/{one['id']}/original")
    assert (refused.status_code, refused.json()["code"]) == (404, "original_not_kept")


@pytest.mark.req("DOC7", "H2")
def test_deleting_twice(voice: Served) -> None:
    base = voice.base()
    one = voice.add(base, "# Fee\n\nThe fee is ten.\n", "Fee").json()
    address = f"/v2/knowledge-bases/{base}/documents/{one['id']}"
    assert [voice.client.delete(address).status_code for _ in range(2)] == [204, 404]
    assert [voice.client.delete(f"/v2/knowledge-bases/{base}").status_code for _ in range(2)] == [204, 404]


@pytest.mark.req("DOC3", "H4")
@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("over", [0, 1])
def test_a_size_is_checked_also_where_no_length_is_given(serve: Serve, chunked: bool, over: int) -> None:
    bases = serve("bases")  # whose files may hold more bytes than text
    base, limit = bases.base(), 20 * 1024 * 1024
    body = b"A line.\n" + b"\n" * (limit + over - 8)
    sent = bases.add(base, iter([body[:limit], body[limit:]]) if chunked else body, "long.txt",
                     type="text/plain")  # fmt: skip
    if over:
        table = sent.json()
        assert (sent.status_code, table["code"]) == (413, "too_large")
        assert (table["limit"], table["actual"]) == (limit, limit + 1)
        assert not list((bases.desk.home / "blobs").rglob("original"))
    else:
        assert sent.status_code == 201


@pytest.mark.req("D7")
def test_an_upload_that_breaks_off_leaves_nothing(voice: Served) -> None:
    import socket
    from urllib.parse import urlsplit

    base = voice.base()
    where = urlsplit(voice.address)
    key = voice.client.headers["x-api-key"]
    head = (
        f"POST /v2/knowledge-bases/{base}/documents?name=half HTTP/1.1\r\nHost: x\r\nX-Api-Key: {key}\r\n"
        "Content-Type: text/markdown\r\nContent-Length: 1000\r\n\r\n# Half of it"
    )
    with socket.create_connection((str(where.hostname), where.port or 80)) as connection:
        connection.sendall(head.encode())
    documents = f"/v2/knowledge-bases/{base}/documents"
    assert voice.client.get(documents).json()["items"] == []
    assert not list((voice.desk.home / "blobs").rglob("text"))


@pytest.mark.req("DOC8")
def test_one_pdf_at_a_time(voice: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    from refdesk.demo.pdf import pdf
    from refdesk.demo.source import parse

    base = voice.base()
    reader = voice.desk._parts.context.reader()
    menu = pdf(parse("menu.pdf.md", "# Menu\n\nSoup costs five.\n"))
    with reader._place("pdf", voice.desk.policy):
        busy = voice.add(base, menu, "Menu", type="application/pdf")
        assert (busy.status_code, busy.json()["code"]) == (503, "reader_busy")
        assert int(busy.headers["retry-after"]) > 0
        assert voice.add(base, "# Text\n\nis read meanwhile.\n").status_code == 201
    assert voice.add(base, menu, "Menu", type="application/pdf").status_code == 201


@pytest.mark.req("H6")
def test_source_url_and_metadata_come_back_and_filter(voice: Served) -> None:
    base = voice.base()
    for team, url in (("shop", "https://example.com/shop"), ("desk", "https://example.com/desk")):
        added = voice.add(base, f"# Fee of the {team}\n\nThe fee is due.\n", team, source_url=url,
                          metadata=[f"team={team}", "year=2026"])  # fmt: skip
        assert added.status_code == 201, added.text
        assert added.json()["metadata"] == {"team": team, "year": "2026"}
    voice.desk.work()
    search = f"/v2/knowledge-bases/{base}/search"
    asked = {"query": "which fee is due?", "filter": {"team": "desk"}}
    [hit] = voice.client.post(search, json=asked).json()["hits"]
    assert (hit["name"], hit["source_url"], hit["metadata"]["team"]) == (
        "desk", "https://example.com/desk", "desk",
    )  # fmt: skip
    assert len(voice.client.post(search, json={"query": "fee", "filter": {}}).json()["hits"]) == 2
    assert voice.client.post(search, json={"query": "fee", "filter": {"team": "x"}}).json()["hits"] == []
