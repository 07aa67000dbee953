"""``refdesk seed``: the demo catalog."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from refdesk.cli.call import Call, Reply
from refdesk.cli.output import say
from refdesk.cli.progress import bars
from refdesk.cli.tables import counted

if TYPE_CHECKING:
    from rich.console import Console

    from refdesk.demo.seed import Seeded
    from refdesk.desk import Desk

Reset = Annotated[
    bool,
    typer.Option("--reset", help="Remove the demo's packs, with all that is in them, and its agents first."),
]

BY_KEYWORD = "The embedding model is not here, so search is by keyword. `{}` fetches it; then seed again."


def seed(call: Call, *, reset: Reset = False) -> Reply:
    """Load the demo's packs and agents, or restore its documents and their modes."""
    from refdesk.demo.seed import reset as remove

    with call.desk() as desk:
        if reset:
            remove(desk)
        seeded = loaded(desk)
    notes = by_keyword(call, seeded)
    onwards = (call.again("agents"), call.again("bases"))
    document = {**asdict(seeded), "seconds": round(seeded.seconds, 3)}
    del document["by_meaning"]

    def show(screen: Console) -> None:
        say(screen, f"{counts(seeded)}, and {counted(seeded.agents, 'agent')}.")
        for note in notes:
            say(screen, note)
        say(screen, f"Look at them: {' · '.join(onwards)}", style="dim")

    return Reply(document, show)


def loaded(desk: Desk) -> Seeded:
    """Found by keyword within seconds, which is told at once; by meaning when this returns."""
    from refdesk.demo.seed import embed, held, load

    with bars() as progress:
        found = load(desk, progress)
    typer.echo(
        f"{counted(found.documents, 'document')} found by keyword after {found.seconds:.1f} s.", err=True
    )
    with bars() as progress:
        took = embed(desk, progress)
    seeded = held(desk, found.seconds + took)
    if seeded.by_meaning:
        typer.echo(f"By meaning as well after {seeded.seconds:.1f} s.", err=True)
    return seeded


def counts(seeded: Seeded) -> str:
    each = ((seeded.packs, "pack"), (seeded.documents, "document"), (seeded.passages, "passage"))
    return ", ".join(counted(*count) for count in each)


def by_keyword(call: Call, seeded: Seeded) -> list[str]:
    return [] if seeded.by_meaning else [BY_KEYWORD.format(call.again("models pull"))]
