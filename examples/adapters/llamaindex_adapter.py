"""LlamaIndex: the desk as a retriever in a query engine, and as a tool."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.llms.mock import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from llama_index.core.tools import FunctionTool
from shelf import ANSWER, QUESTION, evidence, handbook, passed

from refdesk import Desk
from refdesk.desk.toolbox import Toolbox


class DeskRetriever(BaseRetriever):
    """Passages of the desk's bases. A hit that only keyword found has no score."""

    def __init__(self, desk: Any, bases: Sequence[str], top_k: int = 4) -> None:
        super().__init__()
        self._desk, self._bases, self._top_k = desk, bases, top_k

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        found = self._desk.search(query_bundle.query_str, self._bases, top_k=self._top_k)
        return [
            NodeWithScore(
                node=TextNode(
                    id_=f"{hit.document}#{hit.position}",
                    text=hit.text,
                    metadata={**hit.metadata, "base": hit.base, "title": hit.title, "where": hit.locator},
                ),
                score=hit.similarity,
            )
            for hit in found
        ]


def tool(desk: Desk, agent: str) -> FunctionTool:
    toolbox = Toolbox(desk, agent=agent)
    [_, search] = toolbox.tools()

    def search_knowledge(query: str) -> str:
        return toolbox.call(search.name, {"query": query}).text

    return FunctionTool.from_defaults(search_knowledge, name=search.name, description=search.description)


def main() -> None:
    with handbook() as desk:
        engine = RetrieverQueryEngine.from_args(DeskRetriever(desk, ["Handbook"]), llm=MockLLM())
        response = engine.query(QUESTION)
        assert ANSWER in response.source_nodes[0].node.get_content()
        assert ANSWER in str(response)  # the mock model repeats its prompt
        evidence(str(tool(desk, "Reception").call(query=QUESTION)))
    passed("llama-index-core", "retriever in a query engine with a mock model, tool")


if __name__ == "__main__":
    main()
