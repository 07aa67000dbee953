"""A question to bases, or to an agent: one run, kept as a receipt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from refdesk.answer.ground import Issued, unheard
from refdesk.answer.model import AskedAgent
from refdesk.answer.models import open_model
from refdesk.answer.run import answer
from refdesk.desk.knowing import agent_to_ask, measured, readable
from refdesk.desk.parts import Parts
from refdesk.desk.runs import keep
from refdesk.desk.searching import find, find_in
from refdesk.errors import UsageError
from refdesk.policy.model import Grounding
from refdesk.search import Found
from refdesk.search.question import checked_question

if TYPE_CHECKING:
    from refdesk.answer.model import Run
    from refdesk.desk.bases import Base

_GROUNDINGS: dict[str, Grounding] = {"open": "open", "preferred": "preferred", "required": "required"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What a caller said; ``None``: as the agent or the policy has it."""

    question: str
    grounding: Grounding | None = None
    model: str | None = None
    issued: Issued = unheard


def ask_bases(parts: Parts, asked: Asked, bases: Sequence[Base | str]) -> Run:
    parts.authorize("base.ask")
    asked = _checked(parts, asked)
    found = find(parts, asked.question, bases, top_k=parts.policy.answers.references)
    return _answered(parts, asked, found, None)


def ask_agent(parts: Parts, asked: Asked, agent: str, bases: Sequence[Base | str]) -> Run:
    row = agent_to_ask(parts, agent, "run.create")
    if bases:
        raise UsageError("Name the agent to ask, or bases to ask without one, and not both.")
    grounding = asked.grounding or _GROUNDINGS[row.grounding]
    asked = _checked(parts, replace(asked, grounding=grounding, model=asked.model or row.model))
    knowing = measured(parts, row)
    return _answered(parts, asked, _found(parts, asked.question, knowing), knowing)


def _checked(parts: Parts, asked: Asked) -> Asked:
    """Before anything is measured or searched; as a question is searched, so it is kept."""
    open_model(asked.model)
    return replace(asked, question=checked_question(asked.question, parts.policy.search))


def _found(parts: Parts, question: str, agent: AskedAgent) -> Found:
    """Of an agent with whole texts in its prompt it tells whether they cover the question."""
    known = () if agent.mode == "none" else [base.id for base in agent.bases]
    return find_in(parts, question, readable(parts, agent.id, known), top_k=parts.policy.answers.references)


def _answered(parts: Parts, asked: Asked, found: Found, agent: AskedAgent | None) -> Run:
    run = answer(
        asked.question,
        found,
        grounding=asked.grounding or parts.policy.agents.grounding,
        model=open_model(asked.model),
        policy=parts.policy,
        person=parts.principal.name,
        agent=agent,
        issued=asked.issued,
    )
    keep(parts, run)
    return run
