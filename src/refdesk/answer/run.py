"""One run: what was found goes to the model, and what it says is held to what it was given (RUN2)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from refdesk.answer.ground import Ground, Issued, LookedUp, Looking, given, unheard
from refdesk.answer.model import AskedAgent, ChatModel, Picture, Prompt, Run, Said
from refdesk.answer.outcome import NOT_COVERED, Result, Spent
from refdesk.answer.outcome import asked as ask
from refdesk.answer.prompt import build, to_look_up
from refdesk.answer.receipt import sealed
from refdesk.errors import Failed
from refdesk.ids import new_id
from refdesk.policy import Policy
from refdesk.policy.model import Grounding
from refdesk.search import Found


class Unanswered(Failed):
    """The model could not be used; ``run`` is the record of that."""

    def __init__(self, run: Run, error: Failed) -> None:
        super().__init__(
            error.message,
            code=error.code,
            limit=error.limit,
            actual=error.actual,
            retry_after=error.retry_after,
        )
        self.run = run


@dataclass(frozen=True, slots=True)
class Asked:
    """What a run is asked, and by whom. ``agent``: whose whole texts stand in its prompt, where it has some;
    what was found then tells whether they cover the question. ``judge`` weighs the support of citations."""

    question: str
    grounding: Grounding
    model: ChatModel
    policy: Policy
    person: str
    agent: AskedAgent | None = None
    judge: ChatModel | None = None


def answer(
    question: str,
    found: Found,
    *,
    grounding: Grounding,
    model: ChatModel,
    policy: Policy,
    person: str,
    agent: AskedAgent | None = None,
    issued: Issued = unheard,
    said: Said | None = None,
) -> Run:
    """Asks ``model`` on the ground of ``found``. ``required`` stops before the model where nothing acceptable
    was found. ``issued`` is told the references before the model is asked. Raises ``Unanswered``."""
    asked = Asked(question, grounding, model, policy, person, agent)
    return on_ground(asked, given(question, found, agent.texts if agent else ()), issued, said)


def on_ground(
    asked: Asked,
    ground: Ground,
    issued: Issued = unheard,
    said: Said | None = None,
    pictures: Sequence[Picture] = (),
) -> Run:
    """As ``answer``; ``pictures`` of the references' figures for a model that sees."""
    covered = ground.coverage or "empty"
    issued(ground.references)
    if asked.grounding == "required" and covered != "found":
        result = Result("not_covered", message=NOT_COVERED[covered])
        return _run(asked, ground, Spent(), result, time.monotonic())
    prompt = build(
        asked.question,
        ground.references,
        coverage=covered,
        grounding=asked.grounding,
        answers=asked.policy.answers,
        instructions=asked.agent.prompt if asked.agent else "",
        pictures=pictures,
    )
    return _tried(asked, ground, prompt, said)


def looked_up(asked: Asked, looking: Looking, issued: Issued = unheard, said: Said | None = None) -> Run:
    """As ``answer``, for a model that looks things up itself. Grounding is not ``required``: that is decided
    before a model is asked. ``issued`` is told the references whenever there are more."""
    ground = LookedUp(looking, asked.policy, issued)
    prompt = to_look_up(
        asked.question,
        looking.tool,
        grounding=asked.grounding,
        answers=asked.policy.answers,
        instructions=asked.agent.prompt if asked.agent else "",
    )
    return _tried(asked, ground, prompt, said)


def _tried(asked: Asked, ground: Ground, prompt: Prompt, said: Said | None) -> Run:
    started = time.monotonic()
    spent = Spent(said)
    try:
        result = ask(prompt, asked.model, asked.grounding, spent, ground, judge=asked.judge)
    except Failed as error:
        failed = Result("failed", message=error.message)
        raise Unanswered(_run(asked, ground, spent, failed, started), error) from error
    return _run(asked, ground, spent, result, started)


def _run(asked: Asked, ground: Ground, spent: Spent, result: Result, started: float) -> Run:
    agent = asked.agent
    before = 0.0 if ground.delivery == "tool" else ground.took_ms
    run = Run(
        id=new_id("run"),
        question=asked.question,
        grounding=asked.grounding,
        outcome=result.outcome,
        answer=result.answer,
        message=result.message,
        references=ground.references,
        citations=result.citations,
        warnings=(*ground.notes, *result.warnings),
        model=asked.model.name,
        cost=spent.cost,
        input_tokens=spent.input_tokens,
        output_tokens=spent.output_tokens,
        timings={
            "search_ms": round(ground.took_ms, 2),
            "model_ms": round(spent.ms, 2),
            **({"judge_ms": round(spent.judge_ms, 2)} if spent.judge_ms else {}),
            "total_ms": round(before + (time.monotonic() - started) * 1000, 2),
        },
        person=asked.person,
        created_at=datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        agent=agent.id if agent else None,
        agent_version=agent.version if agent else None,
        knowledge=agent.bases if agent else None,
        knowledge_mode=agent.mode if agent else None,
        delivery=ground.delivery,
        searches=ground.searches,
        rejected=tuple(spent.rejected),
    )
    return replace(run, receipt=sealed(run))
