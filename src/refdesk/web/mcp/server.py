"""The tools as a server of the official library, for whichever transport carries its messages."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from anyio import to_thread
from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server

from refdesk.policy import Policy
from refdesk.web.mcp.tools import Tools, instructions

logging.getLogger("mcp").setLevel(logging.CRITICAL)  # its lines may quote what a message holds

Context = ServerRequestContext[Any, Any]


def server(tools_of: Callable[[Context], Tools], policy: Policy) -> Server[Any]:
    """``tools_of`` gives those of a message's sender. They work in a thread."""

    async def list_tools(context: Context, _: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        listed = await to_thread.run_sync(tools_of(context).tools)
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=tool.name,
                    description=tool.description,
                    input_schema=dict(tool.parameters),
                    annotations=types.ToolAnnotations(read_only_hint=True, open_world_hint=False),
                )
                for tool in listed
            ]
        )

    async def call_tool(context: Context, asked: types.CallToolRequestParams) -> types.CallToolResult:
        reply = await to_thread.run_sync(tools_of(context).call, asked.name, asked.arguments or {})
        structured = asked.name in ("search", "fetch") and not reply.failed
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=reply.text)],
            structured_content=json.loads(reply.text) if structured else None,
            is_error=reply.failed,
        )

    return Server(
        "refdesk",
        version=version("refdesk"),
        instructions=instructions(policy),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
