"""``refdesk demo``: from nothing to cited answers."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from refdesk.cli import receipts
from refdesk.cli.call import Call, Reply
from refdesk.cli.commands import serve
from refdesk.cli.commands.seed import by_keyword, counts, loaded
from refdesk.cli.output import printable, say
from refdesk.cli.progress import bars
from refdesk.cli.tables import counted

if TYPE_CHECKING:
    from rich.console import Console

    from refdesk.answer.model import Run
    from refdesk.demo.seed import Seeded

NoServe = Annotated[bool, typer.Option("--no-serve", help="End after the answers.")]


WORLD = "The documents tell of an invented SAP landscape: incidents, specifications, calendars, runbooks."


def demo(call: Call, *, no_serve: NoServe = False) -> Reply:
    """Load the demo, ask three of its agents, print the cited answers, and serve."""
    from refdesk.demo.catalog import SHOWN

    with call.desk() as desk:
        seeded = loaded(desk)
        runs = []
        with bars() as progress:
            for number, shown in enumerate(SHOWN, start=1):
                runs.append(desk.ask(shown.question, agent=shown.agent))
                progress("ask", shown.question, number, len(SHOWN))
    answers = [
        {
            "question": run.question,
            "answer": run.answer,
            "citations": [asdict(citation) for citation in run.citations],
        }
        for run in runs
    ]
    document = {
        "packs": seeded.packs,
        "documents": seeded.documents,
        "passages": seeded.passages,
        "seconds": round(seeded.seconds, 3),
        "answers": answers,
    }
    first = SHOWN[0]
    onwards = f'ask "{first.question}" --agent {first.agent}'
    notes = [
        *by_keyword(call, seeded),
        f"The agents and what they read: {call.again('agents')}",
        f"Ask on: {call.again(onwards)}",
    ]
    return Reply(
        document,
        lambda screen: _show(screen, seeded, runs, notes),
        then=None if no_serve else lambda: _serve(call),
    )


def _serve(call: Call) -> None:
    with call.desk() as desk:
        serve.run(call, desk)


def _show(screen: Console, seeded: Seeded, runs: list[Run], notes: list[str]) -> None:
    from rich.text import Text

    from refdesk.demo.catalog import SHOWN

    say(
        screen,
        f"{counts(seeded)}, {counted(seeded.agents, 'agent')} in {seeded.seconds:.1f} s.",
        style="dim",
    )
    say(screen, WORLD, style="dim")
    for shown, run in zip(SHOWN, runs, strict=True):
        screen.print()
        screen.print(Text.assemble((f"{shown.agent}: ", "dim"), (printable(run.question), "bold")))
        receipts.show_answer(screen, run)
        receipts.show_sources(screen, run)
    screen.print()
    for note in notes:
        say(screen, note)
