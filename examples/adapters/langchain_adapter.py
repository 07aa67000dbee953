"""LangChain: the desk as a retriever, and as a tool of a chat model."""

from __future__ import annotations

from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.retrievers import BaseRetriever
from langchain_core.tools import StructuredTool
from shelf import ANSWER, QUESTION, evidence, handbook, passed

from refdesk import Desk
from refdesk.desk.toolbox import Toolbox


class DeskRetriever(BaseRetriever):
    """Passages of the desk's bases, by name or id. ``desk`` is a ``Desk`` or a ``refdesk.Client``."""

    desk: Any
    bases: list[str]
    top_k: int = 4

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        found = self.desk.search(query, self.bases, top_k=self.top_k)
        return [
            Document(
                page_content=hit.text,
                metadata={**hit.metadata, "base": hit.base, "title": hit.title, "where": hit.locator},
                id=f"{hit.document}#{hit.position}",
            )
            for hit in found
        ]


def tools(desk: Desk, agent: str) -> list[StructuredTool]:
    """What the agent may look up, as functions of a model."""
    toolbox = Toolbox(desk, agent=agent)

    def calling(name: str) -> Any:
        return lambda **arguments: toolbox.call(name, arguments).text

    return [
        StructuredTool.from_function(
            calling(tool.name),
            name=tool.name,
            description=tool.description,
            args_schema=dict(tool.parameters),
        )
        for tool in toolbox.tools()
    ]


def main() -> None:
    with handbook() as desk:
        [first, *_] = DeskRetriever(desk=desk, bases=["Handbook"]).invoke(QUESTION)
        assert ANSWER in first.page_content
        assert first.metadata["title"] == "Refunds"

        known = {tool.name: tool for tool in tools(desk, "Reception")}
        call = {"name": "search_knowledge", "args": {"query": QUESTION}, "id": "1", "type": "tool_call"}
        model = GenericFakeChatModel(messages=iter([AIMessage("", tool_calls=[call])]))
        [asked] = model.invoke(QUESTION).tool_calls
        reply = known[asked["name"]].invoke(asked)
        evidence(reply.content)
    passed("langchain-core", "retriever, tool called by a fake chat model")


if __name__ == "__main__":
    main()
