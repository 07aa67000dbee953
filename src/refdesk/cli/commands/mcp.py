"""``refdesk mcp``: the tools over stdin and stdout, for a program that starts this one."""

from __future__ import annotations

import contextlib
import sys
from typing import Annotated

import typer

from refdesk.cli.call import Call, Reply
from refdesk.errors import UsageError

Agent = Annotated[
    str | None, typer.Option("--agent", metavar="NAME", help="Search what this agent was granted.")
]
Base = Annotated[
    list[str] | None,
    typer.Option("--base", metavar="NAME", help="Or these bases, by name or id; repeatable."),
]


def mcp(call: Call, *, agent: Agent = None, base: Base = None) -> Reply:
    """Serve search and fetch as MCP tools over stdin and stdout."""
    from refdesk.desk.toolbox import Toolbox

    if (agent is None) == (not base):
        raise UsageError("Say what is searched: --agent NAME, or --base NAME for each base.")
    with call.desk() as desk:
        toolbox = Toolbox(desk, agent=agent, bases=base or ())
        toolbox.reach()  # a wrong name is told before anything is served
        from refdesk.web.mcp.stdio import serve_stdio

        with contextlib.redirect_stdout(sys.__stdout__):
            serve_stdio(desk, toolbox)
    return Reply({"agent": agent, "bases": base or []}, lambda _: None)
