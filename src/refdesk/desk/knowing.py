"""What an agent knows at the start of a run or call: its live grants, measured then (RUN1)."""

from __future__ import annotations

from collections.abc import Sequence

from refdesk.answer.delivery import knowledge_mode
from refdesk.answer.model import AskedAgent, KnownBase, Reference
from refdesk.catalog.agents import AgentRow
from refdesk.catalog.asked import Located
from refdesk.catalog.texts import ServedText
from refdesk.desk.parts import Parts
from refdesk.errors import Failed
from refdesk.results.agents import KnowledgeMode

LOOKS = 3  # at texts that are replaced or deleted while they are read


def agent_to_ask(parts: Parts, name_or_id: str, action: str) -> AgentRow:
    """Authorizes ``action``; raises ``NotFound``."""
    row = parts.catalog.agents.find(parts.project, name_or_id)
    parts.authorize(action, agent=row.id if row else None)
    return row or parts.catalog.agents.missing(parts.project, name_or_id)


def measured(parts: Parts, agent: AgentRow, tools: int = 0) -> AskedAgent:
    """``tools``: the characters of what else stands in the agent's prompt."""
    bases = readable(parts, agent.id, agent.bases)
    texts: Sequence[Reference] | None = ()
    for _ in range(LOOKS):
        mode = mode_of(parts, agent, tools)
        texts = _texts(parts, bases) if mode == "inline" else ()
        if texts is not None:
            known = tuple(KnownBase(base.id, base.name) for base in bases)
            return AskedAgent(agent.id, agent.version, agent.prompt, known, mode, tuple(texts))
    raise Failed(f"The documents of the agent {agent.name} are being replaced just now: try again.")


def mode_of(parts: Parts, agent: AgentRow, tools: int = 0) -> KnowledgeMode:
    return knowledge_mode(
        "realtime" if agent.kind == "realtime" else "text",
        parts.policy.agents,
        granted=bool(agent.bases),
        prompt=len(agent.prompt),
        text=parts.catalog.agents.ready_chars(agent.id),
        tools=tools,
    )


def readable(parts: Parts, agent: str, known: Sequence[str]) -> Sequence[Located]:
    """Those of the bases ``known`` that the agent is granted still."""
    granted = parts.catalog.asked.bases.granted(parts.project, agent)
    return [base for base in granted if base.id in known]


def _texts(parts: Parts, bases: Sequence[Located]) -> Sequence[Reference] | None:
    """``None`` where one of them has gone meanwhile."""
    references = []
    for number, one in enumerate(parts.catalog.texts.served([base.id for base in bases]), 1):
        text = parts.blobs.get(one.document, one.files, "text")
        if text is None:
            return None
        references.append(_reference(number, one, text.decode()))
    return references


def _reference(number: int, served: ServedText, text: str) -> Reference:
    return Reference(
        number=number,
        base=served.base,
        document=served.document,
        version=served.version,
        name=served.name,
        title=served.title,
        source_url=served.source_url,
        section=None,
        page=None,
        position=1,
        text=text,
        metadata=served.metadata,
    )
