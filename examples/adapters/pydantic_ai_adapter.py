"""pydantic-ai: the desk as tools of an agent."""

from __future__ import annotations

from typing import Any

from pydantic_ai import Agent, Tool, models
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from shelf import QUESTION, evidence, handbook, passed

from refdesk import Desk
from refdesk.desk.toolbox import Toolbox

models.ALLOW_MODEL_REQUESTS = False  # nothing here asks a service


def tools(desk: Desk, agent: str) -> list[Tool]:
    toolbox = Toolbox(desk, agent=agent)

    def calling(name: str) -> Any:
        return lambda **arguments: toolbox.call(name, arguments).text

    return [
        Tool.from_schema(
            calling(tool.name),
            name=tool.name,
            description=tool.description,
            json_schema=dict(tool.parameters),
        )
        for tool in toolbox.tools()
    ]


def fake(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """A model that looks the question up, and then says what it read."""
    assert {tool.name for tool in info.function_tools} == {"knowledge_search", "search_knowledge"}
    read = [part for part in messages[-1].parts if isinstance(part, ToolReturnPart)]
    if read:
        return ModelResponse(parts=[TextPart(str(read[0].content))])
    return ModelResponse(parts=[ToolCallPart("knowledge_search", {"query": QUESTION, "top_k": 2})])


def main() -> None:
    with handbook() as desk:
        agent = Agent(FunctionModel(fake), tools=tools(desk, "Reception"))
        evidence(agent.run_sync(QUESTION).output)
    passed("pydantic-ai-slim", "tools of an agent with a function model")


if __name__ == "__main__":
    main()
