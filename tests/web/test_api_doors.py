"""What holds for every address: keys, pages, replays, versions, rates, and what no log holds."""

from __future__ import annotations

import logging
import re
from typing import Any

import pytest
from tests.web.conftest import Serve, Served

PROBLEM = "application/problem+json"


@pytest.fixture
def packs(serve: Serve) -> Served:
    return serve("packs")


@pytest.mark.req("H5")
def test_a_key_works_in_a_header_alone(packs: Served, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    made = packs.desk.keys.create()
    bare = packs.anonymous()
    for headers in ({"X-Api-Key": made.secret}, {"Authorization": f"bearer {made.secret}"}):
        assert bare.get("/v2/knowledge-bases", headers=headers).status_code == 200
    for refused in (
        bare.get("/v2/knowledge-bases"),
        bare.get(f"/v2/knowledge-bases?api_key={made.secret}"),
        bare.get("/v2/knowledge-bases", headers={"X-Api-Key": f"{made.secret}x"}),
        bare.get("/v2/knowledge-bases", headers={"Authorization": "Basic eDp5"}),
    ):
        assert (refused.status_code, refused.json()["code"]) == (401, "unauthenticated")
        assert refused.headers["www-authenticate"] == "Bearer"
        assert refused.headers["content-type"] == PROBLEM
        assert made.secret not in refused.text
    packs.desk.keys.revoke(made.key.id)
    assert bare.get("/v2/knowledge-bases", headers={"X-Api-Key": made.secret}).status_code == 401
    question = "what is nobody to read in a log?"
    base = packs.base()
    packs.client.post(f"/v2/knowledge-bases/{base}/search", json={"query": question})
    packs.client.get(f"/v2/{made.secret}/nothing")
    ours = [record.getMessage() for record in caplog.records if not record.name.startswith("http")]
    assert any("route=/v2/knowledge-bases" in line for line in ours)
    assert [line for line in ours if made.secret in line or question in line] == []


@pytest.mark.req("RUN7")
def test_a_key_for_reading_changes_nothing(packs: Served) -> None:
    base = packs.base()
    reading = packs.as_key("knowledge:read")
    assert reading.get(f"/v2/knowledge-bases/{base}").status_code == 200
    refused = reading.post("/v2/knowledge-bases", json={"name": "Mine"})
    assert (refused.status_code, refused.json()["code"]) == (403, "not_permitted")
    assert reading.delete(f"/v2/knowledge-bases/{base}").status_code == 403
    assert (
        packs.as_key("knowledge:write").post("/v2/knowledge-bases", json={"name": "Mine"}).status_code == 201
    )


@pytest.mark.req("H1")
def test_lists_come_in_pages_and_show_nothing_twice(packs: Served) -> None:
    base = packs.base()
    documents = f"/v2/knowledge-bases/{base}/documents"
    ids = [packs.add(base, f"# {number}\n\nText.\n", f"{number}.md").json()["id"] for number in range(5)]
    first = packs.client.get(documents, params={"limit": 2}).json()
    packs.client.delete(f"{documents}/{ids[0]}")
    later = packs.add(base, "# late\n\nText.\n", "late.md").json()["id"]
    second = packs.client.get(documents, params={"limit": 2, "cursor": first["next_cursor"]}).json()
    third = packs.client.get(documents, params={"limit": 2, "cursor": second["next_cursor"]}).json()
    seen = [item["id"] for shown in (first, second, third) for item in shown["items"]]
    assert seen == [*ids, later]
    assert third["next_cursor"] is None
    for wrong, status in (
        ({"limit": 0}, 422),
        ({"limit": 201}, 422),
        ({"cursor": "Ω"}, 400),
        ({"cursor": "a b"}, 400),
        ({"page": 2}, 400),
    ):
        refused = packs.client.get(documents, params=wrong)
        assert (refused.status_code, refused.headers["content-type"]) == (status, PROBLEM)


@pytest.mark.req("ING1")
def test_documents_are_filtered_by_state_in_either_vocabulary(packs: Served) -> None:
    base = packs.base()
    packs.add(base, "# One\n\nText.\n", "one.md")
    packs.desk.work()
    packs.add(base, "# Two\n\nText.\n", "two.md")
    documents = f"/v2/knowledge-bases/{base}/documents"
    for states, names in (("pending", ["two.md"]), ("queued", ["two.md"]), ("completed", ["one.md"]),
                          (["ready", "pending"], ["one.md", "two.md"]), ("failed", [])):  # fmt: skip
        shown = packs.client.get(documents, params={"state": states}).json()["items"]
        assert [item["name"] for item in shown] == names
    assert packs.client.get(documents, params={"state": "lost"}).status_code == 422


@pytest.mark.req("H2")
def test_the_same_request_is_answered_once(packs: Served) -> None:
    base = packs.base()
    documents = f"/v2/knowledge-bases/{base}/documents?name=once.md"
    headers = {"Idempotency-Key": "one", "Content-Type": "text/markdown"}
    answers = [packs.client.post(documents, headers=headers, content=b"# Once\n") for _ in range(2)]
    assert [one.status_code for one in answers] == [201, 201]
    assert answers[0].json() == answers[1].json()
    assert answers[1].headers["idempotent-replay"] == "true"
    assert len(packs.client.get(f"/v2/knowledge-bases/{base}/documents").json()["items"]) == 1
    other = packs.client.post(documents, headers=headers, content=b"# Another\n")
    assert (other.status_code, other.json()["code"]) == (409, "key_reused")
    elsewhere = packs.client.post(
        "/v2/knowledge-bases", headers={"Idempotency-Key": "one"}, json={"name": "B"}
    )
    assert elsewhere.status_code == 201
    refused = packs.client.post(documents, headers={**headers, "Idempotency-Key": "two"}, content=b" ")
    assert refused.status_code == 422
    mended = packs.client.post(
        documents, headers={**headers, "Idempotency-Key": "two"}, content=b"# Mended\n"
    )
    assert mended.status_code == 201


@pytest.mark.req("H2")
def test_head_is_as_get(packs: Served) -> None:
    base = packs.base()
    got, head = (
        packs.client.get(f"/v2/knowledge-bases/{base}"),
        packs.client.head(f"/v2/knowledge-bases/{base}"),
    )
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["etag"] == got.headers["etag"]
    assert head.headers["content-length"] == got.headers["content-length"]


def test_what_two_people_edit_is_not_lost(packs: Served) -> None:
    base = f"/v2/knowledge-bases/{packs.base()}"
    seen = packs.client.get(base).headers["etag"]
    first = packs.client.patch(base, headers={"If-Match": seen}, json={"description": "mine"})
    assert first.status_code == 200
    second = packs.client.patch(base, headers={"If-Match": seen}, json={"description": "yours"})
    assert (second.status_code, second.json()["code"]) == (412, "changed_meanwhile")
    again = packs.client.patch(
        base, headers={"If-Match": first.headers["etag"]}, json={"description": "yours"}
    )
    assert again.json()["description"] == "yours"
    assert packs.client.delete(base, headers={"If-Match": seen}).status_code == 412


def test_too_many_requests_are_told_to_wait(serve: Serve) -> None:
    served = serve("packs", requests_per_minute=3)
    answers = [served.client.get("/v2/limits") for _ in range(4)]
    assert [one.status_code for one in answers] == [200, 200, 200, 429]
    assert answers[-1].json()["code"] == "rate_limited"
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 20
    assert served.as_key().get("/v2/limits").status_code == 200


@pytest.mark.req("H4", "H6")
@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"{", 400, "usage"),
        (b"[]", 400, "usage"),
        (b'{"query": "what?", "colour": 1}', 400, "usage"),
        (b'{"query": 5}', 422, "bad_value"),
        (b'{"query": "what?", "top_k": 9}', 422, "top_k_out_of_range"),
        (b'{"query": "what?", "mode": "keyword", "min_score": 0.5}', 422, "min_score_with_keyword"),
        (b'{"query": "what?", "mode": "magic"}', 422, "bad_value"),
        (b'{"query": "?!"}', 422, "empty_question"),
        (b'{"query": NaN}', 422, "bad_value"),
        (b'{"query": "what?", "top_k": 1e400}', 422, "bad_value"),
        (b'{"query": "what?", "min_score": NaN}', 422, "min_score_out_of_range"),
        (b'{"query": "what?", "deadline": Infinity}', 422, "deadline_out_of_range"),
    ],
)
def test_a_question_that_is_wrong(packs: Served, body: bytes, status: int, code: str) -> None:
    headers = {"Content-Type": "application/json"}
    search = f"/v2/knowledge-bases/{packs.base()}/search"
    refused = packs.client.post(search, headers=headers, content=body)
    assert (refused.status_code, refused.json()["code"]) == (status, code), refused.text
    assert refused.headers["content-type"] == PROBLEM


@pytest.mark.req("H4")
@pytest.mark.parametrize("text", [r"\ud800", r"a\u0000b"])
def test_a_description_that_is_no_text_is_refused(packs: Served, text: str) -> None:
    headers, body = {"Content-Type": "application/json"}, f'{{"name": "Notes", "description": "{text}"}}'
    made = packs.client.post("/v2/knowledge-bases", headers=headers, content=body)
    assert (made.status_code, made.json()["code"]) == (422, "bad_value")
    changed = packs.client.patch(
        f"/v2/knowledge-bases/{packs.base()}", headers=headers, content=f'{{"description": "{text}"}}'
    )
    assert (changed.status_code, changed.json()["code"]) == (422, "bad_value")


@pytest.mark.req("H4")
@pytest.mark.parametrize("sent", [lambda body: body, lambda body: iter([body[:99], body[99:]])])
def test_a_body_that_is_no_document_has_a_limit_of_its_own(packs: Served, sent: Any) -> None:
    headers = {"Content-Type": "application/json", "Idempotency-Key": "once"}
    search = f"/v2/knowledge-bases/{packs.base()}/search"
    question = b'{"query": "what?"}'
    just = packs.client.post(
        search, headers=headers, content=sent(question + b" " * (2_097_152 - len(question)))
    )
    assert just.status_code == 200
    over = packs.client.post(search, content=sent(question + b" " * (2_097_153 - len(question))))
    assert (over.status_code, over.headers["content-type"]) == (413, PROBLEM)
    assert (over.json()["code"], over.json()["limit"]) == ("too_large", 2_097_152)
    document = packs.add(
        packs.base("Large"), sent(b"Opening hours of a town.\n" * 60_000), "large.txt", type="text/plain"
    )
    assert document.json()["code"] == "too_many_characters"


def test_health_metrics_and_where_to_look(packs: Served) -> None:
    bare = packs.anonymous()
    assert (bare.get("/livez").json(), bare.get("/readyz").json()) == ({"status": "ok"}, {"status": "ok"})
    packs.client.get("/v2/limits")
    assert 'route="/v2/limits",status="200"' in bare.get("/metrics").text
    assert bare.get("/").headers["location"] == "/docs"
    docs = bare.get("/docs")
    assert "/v2/knowledge-bases/{base_id}/search" in docs.text
    assert not re.search(r"(?:src|href)=.?https?:", docs.text)  # nothing is loaded from elsewhere
    assert docs.headers["content-security-policy"].startswith("default-src 'none'")
    assert bare.get("/nowhere").json()["code"] == "not_found"
    assert bare.put("/livez").json()["code"] == "method_not_allowed"
    assert bare.put("/v2/knowledge-bases").headers["allow"] == "GET, HEAD, POST"
    assert bare.get("/openapi.json").json()["openapi"].startswith("3.1")


@pytest.mark.req("RUN7")
def test_signing_in_with_a_link_once_and_out(packs: Served) -> None:
    link = packs.desk.people.first_link()
    assert link is not None
    person = packs.anonymous()
    assert "Sign in" in person.get(link.path).text
    entered = person.post(link.path)
    assert entered.status_code == 303
    assert "httponly" in entered.headers["set-cookie"].lower()
    project = packs.desk.projects.get("default").id
    bases = f"/console/v2/projects/{project}/knowledge-bases"
    assert person.get(bases).status_code == 200
    assert person.post(bases, json={"name": "Mine"}).status_code == 201
    forged = person.post(bases, json={"name": "Forged"}, headers={"Origin": "https://evil.example"})
    assert forged.status_code == 400
    assert packs.anonymous().get(bases).status_code == 401
    assert person.get("/console/v2/projects/prj_none/knowledge-bases").status_code == 404
    assert packs.anonymous().post(link.path).status_code == 410
    assert person.post("/console/sign-out").status_code == 204
    assert person.get(bases).status_code == 401
