"""Pipecat: the desk as a function of a voice pipeline's model."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from pipecat.adapters.llm.schemas.function_schema import FunctionSchema
from pipecat.adapters.llm.schemas.tools_schema import ToolsSchema
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.services.llm_service import FunctionCallParams
from shelf import QUESTION, evidence, handbook, passed

from refdesk import Desk
from refdesk.desk.toolbox import Toolbox


class Lookup:
    """``schema`` belongs into the context's tools; ``handler`` into ``llm.register_function``."""

    def __init__(self, desk: Desk, agent: str) -> None:
        self._toolbox = Toolbox(desk, agent=agent)
        [_, self._tool] = self._toolbox.tools()

    @property
    def schema(self) -> FunctionSchema:
        parameters = dict(self._tool.parameters)
        return FunctionSchema(
            name=self._tool.name,
            description=self._tool.description,
            properties=dict(parameters["properties"]),
            required=list(parameters["required"]),
        )

    async def handler(self, params: FunctionCallParams) -> None:
        reply = await asyncio.to_thread(self._toolbox.call, params.function_name, dict(params.arguments))
        await params.result_callback(reply.text)


async def talk() -> None:
    with handbook("voice") as desk:
        lookup = Lookup(desk, "Reception")
        context = LLMContext(
            messages=[{"role": "user", "content": QUESTION}],
            tools=ToolsSchema(standard_tools=[lookup.schema]),
        )
        assert [tool.name for tool in cast(ToolsSchema, context.tools).standard_tools] == ["search_knowledge"]
        read: list[str] = []

        async def result(text: Any, **_: Any) -> None:
            read.append(text)

        params = FunctionCallParams(
            function_name="search_knowledge",
            tool_call_id="1",
            arguments={"query": QUESTION},
            llm=cast(Any, None),
            pipeline_worker=cast(Any, None),
            context=context,
            result_callback=cast(Any, result),
        )
        await lookup.handler(params)
        evidence(read[0])


def main() -> None:
    asyncio.run(talk())
    passed("pipecat-ai", "function schema in a context, handler of a model's call")


if __name__ == "__main__":
    main()
