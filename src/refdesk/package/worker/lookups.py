"""Lookups: an agent's tools, each over one base, and what a model reads back from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from refdesk.answer.grounding import coverage
from refdesk.answer.guarded import ToolReply, checked, guarded
from refdesk.answer.references import references_of
from refdesk.answer.tools import reply_of, search_knowledge
from refdesk.errors import NotFound
from refdesk.package.compiled import Compiled
from refdesk.package.manifest import Agent, Tool
from refdesk.package.worker.knowledge import OpenBase
from refdesk.policy.model import Policy
from refdesk.search.model import Found


@dataclass(frozen=True, slots=True)
class Lookup:
    """``found`` is ``None`` where there is no result: then ``reply`` says why, or that it is unavailable.
    ``announce`` is what a voice says while it looks something up."""

    tool: Tool
    reply: ToolReply
    found: Found | None

    def to_dict(self) -> dict[str, Any]:
        said = {
            "tool": self.tool.name,
            "announce": self.tool.announce,
            "interruption": self.tool.interruption,
            "text": self.reply.text,
            "failed": self.reply.failed,
        }
        return said | dict(self.found.to_dict() if self.found is not None else {})


class Lookups:
    def __init__(self, compiled: Compiled, bases: Mapping[str, OpenBase]) -> None:
        self._compiled = compiled
        self._bases = bases

    def agents(self) -> Sequence[Agent]:
        return list(self._compiled.agents.values())

    def agent(self, name: str) -> Agent:
        """Raises ``NotFound``."""
        found = self._compiled.agents.get(name)
        if found is None:
            raise NotFound(
                f"There is no agent {name[:80]!r}; the agents are {', '.join(self._compiled.agents)}."
            )
        return found

    def tools(self, agent: Agent) -> Sequence[Tool]:
        return [self._compiled.tools[name] for name in agent.tools]

    def parameters(self, tool: Tool) -> Mapping[str, Any]:
        """The JSON schema of what the tool takes: one string, the caller's question."""
        return search_knowledge(self._bases[tool.base].policy).parameters

    def call(self, agent: Agent, name: str, arguments: Mapping[str, Any]) -> Lookup:
        """Raises ``NotFound`` for a tool that the agent was not given; whatever else happens is told in the
        reply (SRCH8)."""
        tool = self._given(agent, name)
        found: list[Found] = []

        def work() -> str:
            query = checked(arguments, {"query": str})["query"]
            base = self._bases[tool.base]
            found.append(base.find(query))
            return _read_back(query, found[0], base.policy)

        reply = guarded(name, work)
        return Lookup(tool, reply, found[0] if found and not reply.failed else None)

    def find(self, agent: Agent, question: str) -> Found | None:
        """The best of every base that the agent has a tool for; ``None`` where it has none. Raises
        ``Refusal`` and ``Failed``."""
        bases = dict.fromkeys(tool.base for tool in self.tools(agent))
        found = [self._bases[key].find(question) for key in bases]
        return _together(found) if found else None

    def _given(self, agent: Agent, name: str) -> Tool:
        if name not in agent.tools:
            given = ", ".join(agent.tools) or "none"
            raise NotFound(f"The agent {agent.name} has no tool {name[:80]!r}; it has {given}.")
        return self._compiled.tools[name]


def _read_back(query: str, found: Found, policy: Policy) -> str:
    """Each passage under its file's name, with its relevance where a vector was compared."""
    scores = {hit.number: hit.similarity for hit in found}
    named = [
        replace(one, title=_labelled(one.title, one.name, scores.get(one.number)))
        for one in references_of(found)
    ]
    return reply_of(query, named, coverage(query, found), policy)


def _labelled(title: str, name: str, similarity: float | None) -> str:
    relevance = "" if similarity is None else f", relevance {similarity:.2f}"
    return f"{title} ({name}{relevance})"


def _together(found: Sequence[Found]) -> Found:
    """One after the other of each base's best: their scores are of different passages and modes."""
    if len(found) == 1:
        return found[0]
    places = max(len(one.hits) for one in found)
    hits = [one.hits[place] for place in range(places) for one in found if place < len(one.hits)]
    return replace(
        found[0],
        answered_by="hybrid" if any(one.answered_by != "keyword" for one in found) else "keyword",
        took_ms=sum(one.took_ms for one in found),
        hits=tuple(replace(hit, number=number) for number, hit in enumerate(hits, start=1)),
        notes=tuple(dict.fromkeys(note for one in found for note in one.notes)),
        dropped=sum(one.dropped for one in found),
        passages=sum(one.passages for one in found),
        words=_words(found),
        languages=tuple(dict.fromkeys(language for one in found for language in one.languages)),
    )


def _words(found: Sequence[Found]) -> tuple[Any, ...]:
    """The question's words, each with how many passages of all bases hold it."""
    counted: dict[str, Any] = {}
    for one in found:
        for word in one.words:
            before = counted.get(word.word)
            counted[word.word] = (
                word if before is None else replace(word, holding=word.holding + before.holding)
            )
    return tuple(counted.values())
