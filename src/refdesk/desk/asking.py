"""A question to bases, or to an agent: one run, kept as a receipt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from refdesk.answer import run as runs
from refdesk.answer.ground import Issued, Looking, given, unheard
from refdesk.answer.model import QUOTING, AskedAgent, ChatModel, Picture, Said
from refdesk.answer.tools import knowledge_search
from refdesk.catalog.agents import AgentRow
from refdesk.catalog.asked import Located
from refdesk.desk.figured import figured, shown
from refdesk.desk.knowing import agent_to_ask, measured, readable
from refdesk.desk.models import judge_of, model_named
from refdesk.desk.parts import Parts
from refdesk.desk.runs import keep
from refdesk.desk.searching import find_in, located
from refdesk.errors import NotFound, NotPermitted, UsageError
from refdesk.policy.model import Grounding
from refdesk.search import Found
from refdesk.search.question import checked_question

if TYPE_CHECKING:
    from refdesk.answer.model import Run
    from refdesk.desk.bases import Base

_GROUNDINGS: dict[str, Grounding] = {"open": "open", "preferred": "preferred", "required": "required"}
_STRENGTH = tuple(_GROUNDINGS)  # the weakest first


@dataclass(frozen=True, slots=True)
class Asked:
    """What a caller said; ``None``: as the agent or the policy has it."""

    question: str
    grounding: Grounding | None = None
    model: str | None = None
    issued: Issued = unheard
    said: Said | None = None


def ask_bases(parts: Parts, asked: Asked, bases: Sequence[Base | str]) -> Run:
    parts.authorize("base.ask")
    asked, model = _checked(parts, asked)
    return _answered(parts, asked, model, located(parts, bases), None)


def ask_agent(parts: Parts, asked: Asked, agent: str, bases: Sequence[Base | str]) -> Run:
    row = agent_to_ask(parts, agent, "run.create")
    if bases:
        raise UsageError("Name the agent to ask, or bases to ask without one, and not both.")
    _check_may_tell(parts, asked, row)
    grounding = asked.grounding or _GROUNDINGS[row.grounding]
    asked = replace(asked, grounding=grounding, model=asked.model or row.model)
    asked, model = _checked(parts, asked)
    knowing = measured(parts, row)
    known = () if knowing.mode == "none" else [base.id for base in knowing.bases]
    return _answered(parts, asked, model, readable(parts, knowing.id, known), knowing)


def _check_may_tell(parts: Parts, asked: Asked, agent: AgentRow) -> None:
    """Another model or a weaker grounding is said by who may make agents, or ask without one."""
    if parts.permits("agent.write") or parts.permits("base.ask"):
        return
    if asked.model is not None and asked.model != agent.model:
        raise NotPermitted(
            f"{parts.principal.name} may not name a model for the agent {agent.name}: leave model out, and "
            "the agent's own answers."
        )
    least = _GROUNDINGS[agent.grounding]
    if asked.grounding is not None and _STRENGTH.index(asked.grounding) < _STRENGTH.index(least):
        raise NotPermitted(
            f"{parts.principal.name} may not weaken the grounding of the agent {agent.name} from {least} to "
            f"{asked.grounding}: leave grounding out, or ask for a stricter one."
        )


def _checked(parts: Parts, asked: Asked) -> tuple[Asked, ChatModel]:
    """Before anything is measured or searched; as a question is searched, so it is kept."""
    model = model_named(parts, asked.model)
    return replace(asked, question=checked_question(asked.question, parts.policy.search)), model


def _answered(
    parts: Parts, said: Asked, model: ChatModel, bases: Sequence[Located], agent: AskedAgent | None
) -> Run:
    asked = runs.Asked(
        question=said.question,
        grounding=said.grounding or parts.policy.agents.grounding,
        model=model,
        policy=parts.policy,
        person=parts.principal.name,
        agent=agent,
        judge=judge_of(parts) if model.name != QUOTING else None,
    )
    try:
        if _looks_up(parts, asked, bases):
            run = runs.looked_up(asked, _looking(parts, bases), said.issued, said.said)
        else:
            run = _on_ground(parts, asked, bases, said)
    except runs.Unanswered as broken:
        keep(parts, broken.run)
        raise
    keep(parts, run)
    return run


def _looks_up(parts: Parts, asked: runs.Asked, bases: Sequence[Located]) -> bool:
    """Whether the model finds its passages itself: not where it cannot, where it has them whole, and where it
    is decided before it is asked whether there are any."""
    if parts.policy.answers.delivery != "tool" or not getattr(asked.model, "calls_tools", False) or not bases:
        return False
    return asked.grounding != "required" and not (asked.agent and asked.agent.texts)


def _on_ground(parts: Parts, asked: runs.Asked, bases: Sequence[Located], said: Asked) -> Run:
    found = find_in(parts, asked.question, bases, top_k=parts.policy.answers.references)
    ground = given(asked.question, found, asked.agent.texts if asked.agent else ())
    ground.references = figured(parts, ground.references)
    pictures: Sequence[Picture] = ()
    if parts.policy.figures.shown and getattr(asked.model, "sees", False):
        ground.references, pictures = shown(parts, ground.references)
    return runs.on_ground(asked, ground, said.issued, said.said, pictures)


def _looking(parts: Parts, bases: Sequence[Located]) -> Looking:
    names = {base.id: base.name for base in bases}

    def find(query: str, top_k: int | None = None, kb_id: str | None = None) -> Found:
        if kb_id is not None and kb_id not in names:
            raise NotFound(f"There is no base {kb_id[:80]!r} here; there are {', '.join(names)}.")
        wanted = [base for base in bases if kb_id in {None, base.id}]
        return find_in(parts, query, wanted, top_k=top_k)

    return Looking(
        tool=knowledge_search(parts.policy, names),
        find=find,
        most=parts.policy.answers.searches,
        figured=lambda references: figured(parts, references),
    )
