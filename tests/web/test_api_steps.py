"""The steps that the voice team's guide has a reader do, with the program that it has them use: curl."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import need
from tests.web.conftest import Serve

pytestmark = pytest.mark.req("KB1", "KB5", "ING1", "SRCH2", "SRCH4", "DOC1", "KB2", "KB3", "RUN1")


def curl(*arguments: str) -> tuple[int, Any]:
    call = ["curl", "-sS", "-w", "\n%{http_code}", *arguments]
    done = subprocess.run(call, capture_output=True, text=True, check=True)
    body, _, status = done.stdout.rpartition("\n")
    return int(status), json.loads(body) if body else None


def test_a_base_a_document_a_question_and_an_agent(serve: Serve, tmp_path: Path) -> None:
    need(shutil.which("curl") is not None, "curl is not installed")
    served = serve("voice")
    key = f"X-Api-Key: {served.desk.keys.create(scopes=['voice:read', 'voice:write']).secret}"
    api, as_json = f"{served.address}/v2", "Content-Type: application/json"

    status, base = curl("-X", "POST", f"{api}/knowledge-bases", "-H", key, "-H", as_json,
                        "-d", '{"name": "Prices and policies"}')  # fmt: skip
    assert status == 201
    assert (base["name"], base["embedding_account_id"], base["documents"]) == ("Prices and policies", None, 0)
    assert (base["ready_chars"], base["total_chars"]) == (0, 0)

    prices = tmp_path / "prices.md"
    prices.write_text("# Prices\n\nA haircut costs 30.\n\n# Hours\n\nOn Saturday we open at nine.\n")
    documents = f"{api}/knowledge-bases/{base['id']}/documents"
    status, document = curl("-X", "POST", f"{documents}?name=Prices", "-H", key,
                            "-H", "Content-Type: text/markdown", "--data-binary", f"@{prices}")  # fmt: skip
    assert status == 201
    assert (document["name"], document["kind"], document["state"]) == ("Prices", "markdown", "queued")

    status, listed = curl(documents, "-H", key)
    assert (status, [one["state"] for one in listed["items"]]) == (200, ["queued"])
    served.desk.work()
    status, listed = curl(documents, "-H", key)
    assert [(one["state"], one["indexed_version"], one["error"]) for one in listed["items"]] == [
        ("ready", 1, None)
    ]

    status, found = curl("-X", "POST", f"{api}/knowledge-bases/{base['id']}/search", "-H", key,
                         "-H", as_json, "-d", '{"query": "What time do you open on Saturday?"}')  # fmt: skip
    assert status == 200
    assert (found["mode"], found["answered_by"]) == ("keyword", "keyword")
    assert found["took_ms"] < 900
    best = found["hits"][0]
    assert (best["number"], best["section"], best["name"]) == (1, "Hours", "Prices")
    assert "open at nine" in best["text"]

    status, base = curl(f"{api}/knowledge-bases/{base['id']}", "-H", key)
    assert base["ready_chars"] == base["total_chars"] == len(prices.read_text())

    status, agent = curl("-X", "POST", f"{api}/agents", "-H", key, "-H", as_json, "-d", '{"name": "Salon"}')
    assert (status, agent["knowledge_base_ids"], agent["knowledge_mode"]) == (201, [], "none")
    for bases, mode, version in (([base["id"]], "inline", 2), ([], "none", 3)):
        status, agent = curl("-X", "PATCH", f"{api}/agents/{agent['id']}", "-H", key, "-H", as_json,
                             "-d", json.dumps({"knowledge_base_ids": bases}))  # fmt: skip
        assert (status, agent["knowledge_base_ids"]) == (200, bases)
        assert (agent["knowledge_mode"], agent["version"]) == (mode, version)

    written = '{"name": "Returns", "kind": "markdown", "content": "# Returns\\nWithin 30 days..."}'
    status, other = curl("-X", "POST", documents, "-H", key, "-H", as_json, "-d", written)
    assert (status, other["name"], other["kind"]) == (201, "Returns", "markdown")
