"""A question to an agent: looked up in its bases, answered by its model, held to what it was given."""

from __future__ import annotations

from typing import Any

from refdesk.answer.model import AskedAgent
from refdesk.answer.models import open_model
from refdesk.answer.run import answer
from refdesk.package.compiled import POLICY
from refdesk.package.manifest import Agent
from refdesk.package.worker.lookups import Lookups
from refdesk.policy import load_policy
from refdesk.search.model import Found
from refdesk.search.question import checked_question

PERSON = "worker"


def ask(lookups: Lookups, agent: Agent, question: str) -> dict[str, Any]:
    """The run, as ``refdesk ask --json`` prints it; nothing of it is kept. Raises ``Refusal``, ``Failed``."""
    policy = load_policy(POLICY)
    asked = checked_question(question, policy.search)
    found = lookups.find(agent, asked)
    run = answer(
        asked,
        _NOTHING if found is None else found,
        grounding=agent.grounding,
        model=open_model(agent.model),
        policy=policy,
        person=PERSON,
        agent=_asked(agent),
    )
    return run.to_dict()


_NOTHING = Found(mode="keyword", answered_by="keyword", took_ms=0.0, hits=(), notes=())


def _asked(agent: Agent) -> AskedAgent:
    return AskedAgent(agent.name, 1, agent.prompt, (), "search")
