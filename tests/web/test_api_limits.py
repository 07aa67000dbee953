"""The limits of the guides: what just fits is taken; what is just over is refused, and nothing of it kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from tests.web.conftest import Serve, Served

MB = 1024 * 1024


def lines(characters: int) -> str:
    """Text of exactly so many characters, whose lines are short and whose sentences end."""
    line = f"{'A line of text that says little'.ljust(98, '.')}\n"
    return (line * (characters // len(line) + 1))[: characters - 1] + "\n"


@dataclass(frozen=True)
class Limit:
    """``content(limit)`` just fits and ``content(limit + 1)`` does not."""

    policy: str
    limit: int
    code: str
    content: Callable[[int], str]

    def __str__(self) -> str:
        return f"{self.policy}-{self.code}-{self.limit}"


def padded(size: int) -> str:
    """So many bytes, few of which are left when the text is read."""
    return "A line.\n".ljust(size, "\a")


def sections(count: int) -> str:
    """So many passages in the voice policy, each a section of its own that is packed with no other."""
    return "".join(
        f"# Part {number}\n\n{'Words that fill a part of their own. ' * 17}\n\n" for number in range(count)
    )


LIMITS = (
    Limit("packs", 4 * MB, "too_large", padded),
    Limit("packs", 400_000, "too_many_characters", lines),
    Limit("voice", 2 * MB, "too_large", padded),
    Limit("voice", 500_000, "too_many_characters", lines),
    Limit("voice", 3_800, "line_too_long", lambda size: "word " * (size // 5) + "x" * (size % 5)),
    Limit("voice", 400, "too_many_passages", sections),
)


@pytest.mark.req("DOC3", "DOC5", "KB4")
@pytest.mark.parametrize("case", LIMITS, ids=str)
def test_a_document_at_its_limit_and_over_it(serve: Serve, case: Limit) -> None:
    served = serve(case.policy)
    base = served.base()
    documents = f"/v2/knowledge-bases/{base}/documents"
    over = served.add(base, case.content(case.limit + 1), "over.md")
    assert over.status_code in (413, 422), over.text
    told = over.json()
    assert (told["code"], told["limit"], told["actual"]) == (case.code, case.limit, case.limit + 1)
    assert f"{case.limit:,}" in told["detail"] or str(case.limit) in told["detail"] or "MB" in told["detail"]
    assert served.client.get(documents).json()["items"] == []
    assert not [path for path in (served.desk.home / "blobs").rglob("*") if path.is_file()]
    within = served.add(base, case.content(case.limit), "within.md")
    assert within.status_code == 201, within.text


@pytest.mark.req("KB4")
def test_bases_of_a_voice_project(serve: Serve) -> None:
    served = serve("voice")
    ids = [served.base(f"Base {number}") for number in range(10)]
    over = served.client.post("/v2/knowledge-bases", json={"name": "One more"})
    assert (over.status_code, over.json()["code"], over.json()["limit"]) == (422, "too_many_bases", 10)
    served.client.delete(f"/v2/knowledge-bases/{ids[0]}")
    assert served.base("One more")


@pytest.mark.req("KB4")
def test_documents_of_a_voice_base(serve: Serve) -> None:
    served = serve("voice")
    base = served.base()
    for number in range(50):
        assert served.add(base, f"# {number}\n", f"{number}.md").status_code == 201
    over = served.add(base, "# One more\n", "more.md")
    assert (over.status_code, over.json()["code"], over.json()["limit"]) == (422, "too_many_documents", 50)
    first = served.client.get(f"/v2/knowledge-bases/{base}/documents").json()["items"][0]
    replaced = served.client.put(
        f"/v2/knowledge-bases/{base}/documents/{first['id']}", json={"content": "# New\n"}
    )
    assert replaced.status_code == 200


@pytest.mark.req("KB4", "KB5")
def test_characters_of_a_voice_project(serve: Serve) -> None:
    served = serve("voice")
    bases = [served.base("One"), served.base("Two")]
    for number in range(10):
        text = lines(500_000 - (number == 9))
        assert served.add(bases[number % 2], text, f"{number}.md").status_code == 201
    over = served.add(bases[0], "ab", "over.md")
    told = over.json()
    assert (over.status_code, told["code"]) == (422, "project_too_large")
    assert (told["limit"], told["actual"]) == (5_000_000, 5_000_001)
    assert served.add(bases[0], "a", "within.md").status_code == 201
    total = sum(served.client.get(f"/v2/knowledge-bases/{base}").json()["total_chars"] for base in bases)
    assert total == 5_000_000


@pytest.fixture
def asked(serve: Serve, request: pytest.FixtureRequest) -> tuple[Served, str]:
    served = serve(request.param)
    return served, f"/v2/knowledge-bases/{served.base()}/search"


@pytest.mark.req("W8", "SRCH3")
@pytest.mark.parametrize(
    ("asked", "query", "status", "code"),
    [
        ("voice", "ab", 200, None),
        ("voice", "a", 422, "question_too_short"),
        ("voice", " a ", 422, "question_too_short"),
        ("voice", "a" * 500, 200, None),
        ("voice", "a" * 501, 422, "question_too_long"),
        ("voice", f" {'a' * 500} ", 200, None),
        ("packs", "a", 200, None),
        ("packs", "é" * 2_000, 200, None),
        ("packs", "é" * 2_001, 422, "question_too_long"),
        ("packs", "", 422, "empty_question"),
    ],
    indirect=["asked"],
)
def test_a_question_at_its_limits(
    asked: tuple[Served, str], query: str, status: int, code: str | None
) -> None:
    served, search = asked
    got = served.client.post(search, json={"query": query})
    assert (got.status_code, got.json().get("code")) == (status, code)


@pytest.mark.req("SRCH3")
@pytest.mark.parametrize(("asked", "most"), [("packs", 8), ("bases", 20), ("voice", 4)], indirect=["asked"])
def test_how_many_passages_may_be_asked_for(asked: tuple[Served, str], most: int) -> None:
    served, search = asked
    assert served.client.post(search, json={"query": "what?", "top_k": most}).status_code == 200
    for wrong in (most + 1, 0):
        refused = served.client.post(search, json={"query": "what?", "top_k": wrong}).json()
        assert (refused["code"], refused["actual"]) == ("top_k_out_of_range", wrong)
