"""``refdesk search`` and ``refdesk ask``."""

from __future__ import annotations

from typing import Annotated

import typer

from refdesk.cli.call import Call, Reply
from refdesk.cli.commands.shared import GroundingName, Mode, Question, SomeBases, TopK
from refdesk.cli.hits import show_found
from refdesk.cli.receipts import show_asked
from refdesk.errors import UsageError

MinScore = Annotated[
    float | None,
    typer.Option("--min-score", metavar="S", help="Drop what meaning finds below this similarity, 0 to 1."),
]
Deadline = Annotated[
    float | None,
    typer.Option(
        "--deadline", metavar="SECONDS", help="When keyword answers alone. Else what the policy says."
    ),
]
Grounding = Annotated[
    GroundingName | None,
    typer.Option(
        "--grounding", help="How strictly the answer must rest on passages. Else the agent's or policy's."
    ),
]
Model = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="MODEL",
        help="provider:model, such as openai:gpt-5, ACCOUNT:model, or provider:model@http://… for a server "
        "of your own. Else the agent's, or `quoting`, which quotes the passages.",
    ),
]

Agent = Annotated[
    str | None,
    typer.Option(
        "--agent", metavar="NAME", help="The agent to ask, by name or id: it answers from what it reads."
    ),
]
AskedBases = Annotated[
    list[str] | None,
    typer.Option("--base", metavar="NAME", help="A base to ask without an agent; repeatable."),
]

_REFUSED = ("not_covered", "not_accepted")


def search(
    call: Call,
    *,
    question: Question,
    base: SomeBases,
    mode: Mode = None,
    top_k: TopK = None,
    min_score: MinScore = None,
    deadline: Deadline = None,
) -> Reply:
    """Find passages: what an agent's search gets."""
    with call.desk() as desk:
        found = desk.search(question, base, mode=mode, top_k=top_k, min_score=min_score, deadline=deadline)
    return Reply(found.to_dict(), lambda screen: show_found(screen, question, found))


def ask(
    call: Call,
    *,
    question: Question,
    agent: Agent = None,
    base: AskedBases = None,
    grounding: Grounding = None,
    model: Model = None,
) -> Reply:
    """Answer a question with numbered citations, and keep the receipt."""
    if bool(agent) == bool(base):
        raise UsageError("Name the agent to ask with --agent, or bases with --base, and not both.")
    with call.desk() as desk:
        run = desk.ask(question, base or (), agent=agent, grounding=grounding, model=model)
    receipt = f"Receipt: {call.again(f'show {run.id}')}"
    exit_code = 3 if run.outcome in _REFUSED else 0
    return Reply(run.to_dict(), lambda screen: show_asked(screen, run, receipt), exit_code)
