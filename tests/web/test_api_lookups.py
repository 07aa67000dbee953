"""Finding a base, a document or an agent by what a program knows of it, and asking several bases at once."""

from __future__ import annotations

import hashlib

import pytest
from tests.web.conftest import Serve, Served


@pytest.fixture
def packs(serve: Serve) -> Served:
    return serve("packs")


def names(served: Served, path: str, **query: str) -> list[str]:
    answer = served.client.get(f"/v2/{path}", params=query)
    assert answer.status_code == 200, answer.text
    return [item["name"] for item in answer.json()["items"]]


@pytest.mark.req("D6", "H1")
def test_lists_give_the_one_of_a_name(packs: Served) -> None:
    base = packs.base("Straße")
    packs.base("Other")
    for name in ("Straße", "STRASSE", base):
        assert names(packs, "knowledge-bases", name=name) == ["Straße"]
    assert names(packs, "knowledge-bases", name="Stra") == []
    for name in ("Front desk", "Back desk"):
        assert packs.client.post("/v2/agents", json={"name": name}).status_code == 201
    assert names(packs, "agents", name="front DESK") == ["Front desk"]
    assert names(packs, "agents", name="desk") == []


@pytest.mark.req("D3", "CLS1")
def test_documents_are_found_by_the_name_and_the_bytes_of_their_file(packs: Served) -> None:
    base, content = packs.base(), "# Fee\n\nThe fee is ten.\n"
    packs.add(base, content, "fee.md")
    packs.add(base, content, "copy.md")
    packs.add(base, "# Fee\n\nAnother of the name.\n", "fee.md")
    packs.add(base, "Of no interest.\n", "password=Vq7xKd29mPz4Ltw.md")
    path, sha256 = f"knowledge-bases/{base}/documents", hashlib.sha256(content.encode()).hexdigest()
    assert names(packs, path, name="fee.md") == ["fee.md", "fee.md"]
    assert names(packs, path, sha256=sha256) == ["fee.md", "copy.md"]
    assert names(packs, path, name="copy.md", sha256=sha256) == ["copy.md"]
    [stored] = names(packs, path, name="password=Vq7xKd29mPz4Ltw.md")
    assert "Vq7xKd29mPz4Ltw" not in stored
    assert packs.client.get(f"/v2/{path}", params={"sha256": "ab"}).json()["code"] == "bad_value"


@pytest.mark.req("H1")
def test_a_document_is_found_by_its_id_alone(packs: Served) -> None:
    base = packs.base()
    one = packs.add(base, "# Fee\n\nThe fee is ten.\n", "fee.md").json()
    found = packs.client.get(f"/v2/documents/{one['id']}")
    own = packs.client.get(found.headers["content-location"])
    assert found.json() == own.json() == one
    assert found.headers["etag"] == own.headers["etag"]
    assert packs.client.get("/v2/documents/fee.md").status_code == 404


@pytest.mark.req("SRCH2")
def test_several_bases_are_asked_at_once(packs: Served) -> None:
    first, second = packs.base("Fees"), packs.base("Fines")
    packs.add(first, "# Fee\n\nThe fee is ten.\n", "fee.md")
    packs.add(second, "# Fine\n\nThe fine is a fee of twenty.\n", "fine.md")
    packs.desk.work()
    asked = {"query": "what is the fee?", "bases": [first, "fines"], "top_k": 2}
    found = packs.client.post("/v2/search", json=asked).json()
    assert {hit["base"] for hit in found["hits"]} == {"Fees", "Fines"}
    one = packs.client.post("/v2/search", json={**asked, "bases": ["Fines"]}).json()
    alone = packs.client.post(
        f"/v2/knowledge-bases/{second}/search", json={"query": asked["query"], "top_k": 2}
    )
    assert one["hits"] == alone.json()["hits"]
    unknown = packs.client.post("/v2/search", json={**asked, "bases": ["Fairs"]})
    assert (unknown.status_code, unknown.json()["code"]) == (404, "not_found")
    assert packs.client.post("/v2/search", json={**asked, "bases": []}).json()["code"] == "bad_value"
