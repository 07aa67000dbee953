"""``refdesk agents``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from refdesk.cli.call import Call, Reply
from refdesk.cli.commands.shared import GroundingName
from refdesk.cli.output import printable, say
from refdesk.cli.tables import Column, counted, table
from refdesk.errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from refdesk.catalog.agents import AgentVersion
    from refdesk.desk import Agent

KindName = Literal["text", "realtime"]  # as refdesk.policy.model's are in shared

Name = Annotated[str, typer.Argument(metavar="NAME", help="What the agent is called.", show_default=False)]
Which = Annotated[str, typer.Argument(metavar="AGENT", help="The agent, by name or id.", show_default=False)]
NewName = Annotated[str | None, typer.Option("--name", metavar="N", help="Another name.")]
Prompt = Annotated[str | None, typer.Option("--prompt", metavar="TEXT", help="What the agent is told to be.")]
Model = Annotated[
    str | None,
    typer.Option("--model", metavar="M", help="`provider:model`, or `quoting`. Else the quoting model."),
]
Kind = Annotated[KindName | None, typer.Option("--kind", help="Text unless told; realtime cannot search.")]
Grounding = Annotated[
    GroundingName | None, typer.Option("--grounding", help="Whether it must cite. Else what the policy says.")
]
Granted = Annotated[
    list[str] | None,
    typer.Option("--base", metavar="NAME", help="A base that it reads, by name or id; repeatable."),
]
NoBase = Annotated[bool, typer.Option("--no-base", help="It reads no base any more.")]

_COLUMNS = (
    Column("name", "name"),
    Column("id", "id", whole=True),
    Column("version", "version", number=True),
    Column("bases", "bases", number=True),
    Column("kind", "kind"),
    Column("grounding", "grounding"),
    Column("model", "model"),
)
_MODES = {
    "inline": "The whole text of its bases stands in its prompt.",
    "search": "It searches its bases.",
    "none": "It knows nothing: it has no base, nothing is ready, or it cannot search what it has.",
}


def list_agents(call: Call) -> Reply:
    """List the agents of the project."""
    with call.desk() as desk:
        items = [agent.to_dict() for agent in desk.agents.list()]

    def show_items(screen: Console) -> None:
        if items:
            rows = [{**item, "bases": len(item["knowledge_base_ids"])} for item in items]
            table(screen, None, _COLUMNS, rows)
        else:
            make = call.again("agents create NAME --base BASE")
            say(screen, "There are no agents yet.", f"`{make}` makes one.")

    return Reply({"items": items}, show_items)


def create(
    call: Call,
    *,
    name: Name,
    prompt: Prompt = None,
    model: Model = None,
    kind: Kind = None,
    grounding: Grounding = None,
    base: Granted = None,
) -> Reply:
    """Make an agent, which reads the bases that are named."""
    with call.desk() as desk:
        agent = desk.agents.create(
            name, prompt=prompt or "", model=model, kind=kind or "text", grounding=grounding, bases=base or ()
        )
        history = desk.agents.history(agent.id)
    return _told(agent, history)


def show_agent(call: Call, agent: Which) -> Reply:
    """Show an agent, and what it knew at each of its versions."""
    with call.desk() as desk:
        found = desk.agents.get(agent)
        history = desk.agents.history(found.id)
    return _told(found, history)


def update(
    call: Call,
    *,
    agent: Which,
    name: NewName = None,
    prompt: Prompt = None,
    model: Model = None,
    kind: Kind = None,
    grounding: Grounding = None,
    base: Granted = None,
    no_base: NoBase = False,
) -> Reply:
    """Change what is given; bases that are named replace those that it has. Each change is a version."""
    if base and no_base:
        raise UsageError("--base names bases and --no-base takes all away: give one of the two.")
    given = {"name": name, "prompt": prompt, "model": model, "kind": kind, "grounding": grounding}
    changes: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    if base or no_base:
        changes["bases"] = base or ()
    with call.desk() as desk:
        changed = desk.agents.update(agent, **changes)
        history = desk.agents.history(changed.id)
    return _told(changed, history)


def delete(call: Call, agent: Which) -> Reply:
    """Delete an agent, and revoke the keys that are bound to it."""
    with call.desk() as desk:
        found = desk.agents.get(agent)
        desk.agents.delete(found.id)
    sentence = f"Deleted the agent {found.name}."
    return Reply({"deleted": found.id}, lambda screen: say(screen, sentence))


def _told(agent: Agent, history: Sequence[AgentVersion]) -> Reply:
    def show(screen: Console) -> None:
        from rich.text import Text

        facts = [agent.id, agent.kind, f"grounding {agent.grounding}", f"model {agent.model or 'quoting'}"]
        screen.print(Text(printable(agent.name), style="bold"))
        say(screen, " · ".join(facts), style="dim")
        say(screen, _MODES[agent.knowledge_mode or "none"])
        if agent.prompt:
            say(screen, agent.prompt)
        rows = [
            {
                "version": one.version,
                "at": one.at[:16].replace("T", " "),
                "person": one.person,
                "bases": [base.name for base in one.bases],
                "prompt": counted(len(one.prompt), "character"),
            }
            for one in history
        ]
        columns = (
            Column("version", "version", number=True),
            Column("since", "at", whole=True),
            Column("by", "person"),
            Column("bases", "bases"),
            Column("prompt", "prompt"),
        )
        table(screen, None, columns, rows)

    return Reply(agent.to_dict(), show)
