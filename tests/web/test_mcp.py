"""The official MCP client against a running server, and against ``refdesk mcp`` over stdio."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, TextContent
from tests.web.conftest import Serve, Served

from refdesk import Desk
from refdesk.settings import Settings

QUESTION = "When does a refund arrive?"
REFUNDS = "# Refunds\n\nA refund arrives within five to seven working days.\n"
PRICES = "# Prices\n\nA battery costs 49 EUR.\n"

Talk = Callable[[Client], Awaitable[Any]]


@pytest.fixture
def served(serve: Serve) -> Served:
    served = serve("packs")
    handbook, prices = (served.base(name, kind="generic") for name in ("Handbook", "Prices"))
    served.add(handbook, REFUNDS, "refunds.md", source_url="https://example.org/refunds")
    served.add(prices, PRICES, "prices.md", metadata="year=2026")
    served.desk.work()
    return served


def talk(served: Served, secret: str, talking: Talk, mode: str = "auto") -> Any:
    async def run() -> Any:
        headers = {"Authorization": f"Bearer {secret}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as http,
            Client(streamable_http_client(f"{served.address}/mcp", http_client=http), mode=mode) as client,
        ):
            return await talking(client)

    return asyncio.run(run())


def text(result: CallToolResult) -> str:
    [content] = result.content
    assert isinstance(content, TextContent)
    return content.text


@pytest.mark.req("SRCH6")
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_client_finds_a_document_and_reads_it(served: Served, mode: str) -> None:
    async def reading(client: Client) -> tuple[list[str], str | None, CallToolResult, CallToolResult]:
        tools = await client.list_tools()
        found = await client.call_tool("search", {"query": QUESTION})
        first = json.loads(text(found))["results"][0]
        read = await client.call_tool("fetch", {"id": first["id"]})
        return [tool.name for tool in tools.tools], client.instructions, found, read

    names, told, found, read = talk(served, served.desk.keys.create().secret, reading, mode)
    assert names == ["search", "fetch", "knowledge_search"]
    assert "say plainly that the documents do not cover it" in str(told)
    first, second = json.loads(text(found))["results"]
    assert first == {"id": first["id"], "title": "Refunds", "url": "https://example.org/refunds"}
    assert second["url"] == f"{served.address}/v2/documents/{second['id']}"
    assert found.structured_content == json.loads(text(found))
    document = json.loads(text(read))
    assert (document["id"], document["text"].strip()) == (first["id"], REFUNDS.strip())
    assert document["metadata"] == {"base": "Handbook", "name": "refunds.md", "kind": "markdown"}


@pytest.mark.req("KB2", "SRCH7", "RUN7")
def test_a_key_of_an_agent_sees_only_its_bases(served: Served) -> None:
    prices = served.desk.bases.get("Prices")
    [priced] = prices.list_documents()
    agent = served.desk.agents.create("Reception", bases=["Handbook"])
    secret = served.desk.keys.create(agent=agent.id).secret

    async def asking(client: Client) -> list[CallToolResult]:
        return [
            await client.call_tool("search", {"query": "What does a battery cost?"}),
            await client.call_tool("fetch", {"id": priced.id}),
            await client.call_tool("knowledge_search", {"query": "battery", "kb_id": prices.id}),
            await client.call_tool("knowledge_search", {"query": QUESTION, "top_k": 1}),
        ]

    found, fetched, named, read = talk(served, secret, asking)
    assert priced.id not in text(found)
    assert fetched.is_error
    assert "49" not in text(fetched)
    assert named.is_error
    assert "From: Handbook › Refunds" in text(read)
    assert "may still not answer" in text(read)


@pytest.mark.req("H5", "RUN7")
def test_without_a_key_there_is_nothing_and_no_log_has_the_question(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    headers = {"Accept": "application/json, text/event-stream"}
    refused = served.anonymous(headers).post("/mcp", json=message)
    assert (refused.status_code, refused.json()["code"]) == (401, "unauthenticated")
    assert served.client.get("/mcp").status_code == 405
    assert served.client.post("/mcp", json=message, headers=headers).json()["result"]["tools"]
    asked = {**message, "method": "tools/call"}
    for arguments in ({"query": QUESTION}, {"query": [QUESTION]}, QUESTION):
        params = {"name": "knowledge_search", "arguments": arguments}
        served.client.post("/mcp", json={**asked, "params": params}, headers=headers)
    served.client.post(
        "/mcp", content=f'{{"{QUESTION}', headers={**headers, "Content-Type": "application/json"}
    )
    ours = [record.getMessage() for record in caplog.records if record.name.startswith(("refdesk", "mcp"))]
    assert any("route=/mcp" in line for line in ours)
    assert [line for line in ours if QUESTION in line] == []


def test_requests_are_counted_as_everywhere(serve: Serve) -> None:
    served = serve("packs", requests_per_minute=1)
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    headers = {"Accept": "application/json, text/event-stream"}
    statuses = [served.client.post("/mcp", json=message, headers=headers).status_code for _ in range(2)]
    assert statuses == [200, 429]


@pytest.mark.req("KB2")
@pytest.mark.parametrize("reach", [["--agent", "Reception"], ["--base", "Handbook"]])
def test_over_stdio_a_program_searches_what_it_was_started_for(tmp_path: Path, reach: list[str]) -> None:
    (tmp_path / "refunds.md").write_text(REFUNDS)
    (tmp_path / "prices.md").write_text(PRICES)
    with Desk.open(tmp_path / "desk", settings=Settings(cache=tmp_path / "cache")) as desk:
        for base, name in (("Handbook", "refunds.md"), ("Prices", "prices.md")):
            desk.bases.create(base).add(tmp_path / name, wait=True)
        desk.agents.create("Reception", bases=["Handbook"])
        [priced] = desk.bases.get("Prices").list_documents()
    command = ["-m", "refdesk", "mcp", *reach, "--home", str(tmp_path / "desk")]

    async def run() -> tuple[CallToolResult, CallToolResult, CallToolResult]:
        started = StdioServerParameters(
            command=sys.executable, args=command, env={"REFDESK_CACHE": str(tmp_path / "cache")}
        )
        async with Client(stdio_client(started)) as client:
            found = await client.call_tool("search", {"query": "refund or battery"})
            read = await client.call_tool("knowledge_search", {"query": QUESTION})
            return found, read, await client.call_tool("fetch", {"id": priced.id})

    found, read, fetched = asyncio.run(run())
    [result] = json.loads(text(found))["results"]
    assert result["title"] == "Refunds"
    assert result["url"] == f"refdesk:/documents/{result['id']}"
    assert "five to seven working days" in text(read)
    assert fetched.is_error
