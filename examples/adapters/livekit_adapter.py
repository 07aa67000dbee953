"""LiveKit Agents: a call of the desk, with its prompt, its documents or its tool, and its budget."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from livekit.agents import Agent, function_tool
from livekit.agents.llm import FunctionToolCall, ToolContext
from livekit.agents.llm.utils import execute_function_call
from shelf import QUESTION, evidence, handbook, passed

from refdesk import Desk
from refdesk.desk.toolbox import Toolbox


def tool(desk: Desk, agent: str) -> Any:
    toolbox = Toolbox(desk, agent=agent)
    [_, search] = toolbox.tools()

    async def look_up(raw_arguments: dict[str, object]) -> str:
        reply = await asyncio.to_thread(toolbox.call, search.name, raw_arguments)
        return reply.text

    return function_tool(look_up, raw_schema=search.to_dict()["function"])


def agent_of(desk: Desk, name: str) -> Agent:
    """What the desk's agent knows is measured when the call begins: small bases stand in the instructions,
    larger ones are searched."""
    started = desk.calls.start(name)
    instructions = "\n\n".join(part for part in (started.prompt, started.text) if part)
    return Agent(instructions=instructions, tools=[tool(desk, name)] if started.tools else [])


async def talk() -> None:
    with handbook("voice") as desk:
        inline = agent_of(desk, "Reception")
        evidence(str(inline.instructions))
        call = FunctionToolCall(
            name="search_knowledge", arguments=json.dumps({"query": QUESTION}), call_id="1"
        )
        result = await execute_function_call(call, ToolContext([tool(desk, "Reception")]))
        evidence(str(result.raw_output))


def main() -> None:
    asyncio.run(talk())
    passed("livekit-agents", "instructions of an agent, tool executed as a model's call")


if __name__ == "__main__":
    main()
