"""Haystack: the desk as a component of a pipeline, and as a tool that is invoked for a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from haystack import Document, Pipeline, component
from haystack.components.builders import PromptBuilder
from haystack.tools import Tool
from shelf import ANSWER, QUESTION, evidence, handbook, passed

from refdesk import Desk
from refdesk.desk.toolbox import Toolbox


@component
class DeskRetriever:
    """Passages of the desk's bases as documents."""

    def __init__(self, desk: Any, bases: Sequence[str], top_k: int = 4) -> None:
        self._desk, self._bases, self._top_k = desk, bases, top_k

    @component.output_types(documents=list[Document])
    def run(self, query: str) -> dict[str, list[Document]]:
        found = self._desk.search(query, self._bases, top_k=self._top_k)
        documents = [
            Document(
                id=f"{hit.document}#{hit.position}",
                content=hit.text,
                score=hit.similarity,
                meta={**hit.metadata, "base": hit.base, "title": hit.title, "where": hit.locator},
            )
            for hit in found
        ]
        return {"documents": documents}


def tools(desk: Desk, agent: str) -> list[Tool]:
    toolbox = Toolbox(desk, agent=agent)

    def calling(name: str) -> Any:
        return lambda **arguments: toolbox.call(name, arguments).text

    return [
        Tool(
            name=tool.name,
            description=tool.description,
            parameters=dict(tool.parameters),
            function=calling(tool.name),
        )
        for tool in toolbox.tools()
    ]


def main() -> None:
    with handbook() as desk:
        pipeline = Pipeline()
        pipeline.add_component("desk", DeskRetriever(desk, ["Handbook"]))
        template = "{% for one in documents %}{{ one.content }}{% endfor %} Question: {{ question }}"
        pipeline.add_component(
            "prompt", PromptBuilder(template, required_variables=["documents", "question"])
        )
        pipeline.connect("desk.documents", "prompt.documents")
        made = pipeline.run({"desk": {"query": QUESTION}, "prompt": {"question": QUESTION}})
        assert ANSWER in made["prompt"]["prompt"]
        known = {tool.name: tool for tool in tools(desk, "Reception")}
        evidence(known["search_knowledge"].invoke(query=QUESTION))
    passed("haystack-ai", "component of a pipeline, tool")


if __name__ == "__main__":
    main()
