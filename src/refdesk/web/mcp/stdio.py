"""The tools over stdin and stdout, for a program that starts this one."""

from __future__ import annotations

import asyncio

from mcp.server.stdio import stdio_server

from refdesk.desk import Desk
from refdesk.desk.toolbox import Toolbox
from refdesk.web.doors import API
from refdesk.web.mcp.server import server
from refdesk.web.mcp.tools import Tools


def serve_stdio(desk: Desk, toolbox: Toolbox) -> None:
    """Until stdin ends."""
    own = f"{desk.settings.public_url.rstrip('/')}{API}" if desk.settings.public_url else "refdesk:"
    tools = Tools(toolbox, lambda id_: f"{own}/documents/{id_}")
    served = server(lambda _: tools, desk.policy)

    async def run() -> None:
        async with stdio_server() as (incoming, outgoing):
            await served.run(incoming, outgoing, served.create_initialization_options())

    asyncio.run(run())
