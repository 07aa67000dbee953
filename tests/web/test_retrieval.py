"""External knowledge at ``/retrieval``."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest
from tests.web.conftest import Serve, Served

from refdesk.testing import WordEmbedder

REFUNDS = "# Refunds\n\nA refund arrives within five to seven working days.\n"
QUESTION = "When does a refund arrive?"


@pytest.fixture
def served(serve: Serve) -> Served:
    served = serve("packs", embedder=WordEmbedder())
    base = served.base(kind="generic")
    served.add(base, REFUNDS, "refunds.md", metadata="year=2026", source_url="https://example.org/refunds")
    served.add(base, "# Returns\n\nA refund needs the receipt.\n", "returns.md", metadata="year=2025")
    served.desk.work()
    return served


def ask(served: Served, base: str, client: httpx2.Client | None = None, **more: Any) -> httpx2.Response:
    asked = {"knowledge_id": base, "query": QUESTION, **more}
    return (client or served.client).post("/retrieval", json=asked)


@pytest.mark.req("SRCH2", "SRCH5")
def test_records_have_what_the_protocol_names(served: Served) -> None:
    base = served.desk.bases.get("Handbook")
    setting = {"top_k": 2, "score_threshold": 0.0}
    answer = ask(served, base.id, retrieval_setting=setting)
    assert answer.status_code == 200, answer.text
    first, second = answer.json()["records"]
    assert (first["title"], first["content"]) == ("Refunds", REFUNDS.strip())
    assert 0 < first["score"] <= 1
    assert first["metadata"]["path"] == "https://example.org/refunds"
    assert first["metadata"]["year"] == "2026"
    assert second["metadata"]["path"] == "returns.md"
    assert len(ask(served, "Handbook", retrieval_setting={"top_k": 1}).json()["records"]) == 1
    served.add(base.id, "# Parking\n\nCars stand behind the house.\n", "parking.md")
    served.desk.work()

    def titles(threshold: float) -> set[str]:
        setting = {"top_k": 3, "score_threshold": threshold}
        return {one["title"] for one in ask(served, base.id, retrieval_setting=setting).json()["records"]}

    assert titles(0.0) - titles(0.99) == {"Parking"}


def test_conditions_select_by_equal_metadata(served: Served) -> None:
    def conditions(*given: tuple[str, str, str], by: str = "and") -> dict[str, Any]:
        listed = [{"name": [name], "comparison_operator": how, "value": value} for name, how, value in given]
        return {"logical_operator": by, "conditions": listed}

    only = ask(served, "Handbook", metadata_condition=conditions(("year", "is", "2025"))).json()["records"]
    assert [one["title"] for one in only] == ["Returns"]
    for wrong in (
        conditions(("year", "contains", "20")),
        conditions(("year", "is", "2025"), ("year", "is", "2026"), by="or"),
    ):
        refused = ask(served, "Handbook", metadata_condition=wrong)
        assert (refused.status_code, refused.json()["error_code"]) == (422, 422)


@pytest.mark.req("RUN7", "KB2", "SRCH3")
def test_errors_are_the_protocols(served: Served) -> None:
    stranger = served.anonymous({"Authorization": "Bearer rd_nobody"})
    served.base("Secret", kind="generic")
    agent = served.desk.agents.create("Reception", bases=["Handbook"])
    bound = served.as_key(agent=agent.id)
    assert ask(served, "Handbook", bound).status_code == 200
    for answer, status, code in (
        (ask(served, "Handbook", served.anonymous()), 403, 1001),
        (ask(served, "Handbook", stranger), 403, 1002),
        (ask(served, "Nothing"), 404, 2001),
        (ask(served, "Secret", bound), 404, 2001),
        (ask(served, "Handbook", retrieval_setting={"top_k": 9}), 422, 422),
        (served.client.post("/retrieval", content=b"{"), 400, 400),
        (served.client.post("/retrieval", json={"query": QUESTION}), 400, 400),
    ):
        assert (answer.status_code, answer.json()["error_code"]) == (status, code), answer.text
        assert answer.json()["error_msg"]
