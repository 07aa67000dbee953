"""``refdesk demo``: from nothing to cited answers."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from refdesk.cli import receipts
from refdesk.cli.call import Call, Reply
from refdesk.cli.commands import serve
from refdesk.cli.output import printable, say
from refdesk.cli.progress import bars
from refdesk.cli.tables import counted

if TYPE_CHECKING:
    from rich.console import Console

    from refdesk.answer.model import Run
    from refdesk.demo.seed import Seeded

NoServe = Annotated[bool, typer.Option("--no-serve", help="End after the answers.")]

BY_KEYWORD = (
    "The embedding model is not here, so search is by keyword. `{}` fetches it; then run the demo again."
)


def demo(call: Call, *, no_serve: NoServe = False) -> Reply:
    """Load the demo's packs, ask three questions, print the cited answers, and serve."""
    from refdesk.demo.catalog import PACKS, questions
    from refdesk.demo.seed import seed

    names = {pack.slug: pack.name for pack in PACKS}
    asked = [(question.text, names[question.pack]) for question in questions() if question.shown]
    with call.desk() as desk, bars() as progress:
        seeded = seed(desk, progress)
        if sum(desk.bases.get(pack).reindex() for pack in names.values()):  # the weights came since
            desk.work(progress=progress)
        runs = []
        for number, (question, pack) in enumerate(asked, start=1):
            runs.append(desk.ask(question, [pack]))
            progress("ask", question, number, len(asked))
        by_keyword = any(desk.bases.get(pack).embedding_account_id is None for pack in names.values())
    notes = [BY_KEYWORD.format(call.again("models pull"))] if by_keyword else []
    answers = [
        {
            "question": run.question,
            "answer": run.answer,
            "citations": [asdict(citation) for citation in run.citations],
        }
        for run in runs
    ]
    document = {**asdict(seeded), "seconds": round(seeded.seconds, 3), "answers": answers}
    onwards = call.again('ask "{}" --base "{}"'.format(*asked[0]))
    return Reply(
        document,
        lambda screen: _show(screen, seeded, runs, [*notes, f"Go on: {onwards}"]),
        then=None if no_serve else lambda: _serve(call),
    )


def _serve(call: Call) -> None:
    with call.desk() as desk:
        serve.run(desk)


def _show(screen: Console, seeded: Seeded, runs: list[Run], notes: list[str]) -> None:
    from rich.text import Text

    counts = ((seeded.packs, "pack"), (seeded.documents, "document"), (seeded.passages, "passage"))
    say(screen, f"{', '.join(counted(*count) for count in counts)} in {seeded.seconds:.1f} s.", style="dim")
    for run in runs:
        screen.print()
        screen.print(Text(printable(run.question), style="bold"))
        receipts.show_answer(screen, run)
        receipts.show_sources(screen, run)
    screen.print()
    for note in notes:
        say(screen, note)
