"""``refdesk work``: the queue, in processes of its own."""

from __future__ import annotations

from typing import Annotated

import typer

from refdesk.cli.call import Call, Reply
from refdesk.cli.output import say
from refdesk.cli.progress import bars
from refdesk.cli.tables import counted

Once = Annotated[bool, typer.Option("--once", help="End when nothing is queued.")]
Processes = Annotated[
    int | None,
    typer.Option(
        "--processes", min=1, help="How many work at once; REFDESK_WORKERS unless told.", show_default=False
    ),
]


def work(call: Call, *, once: Once = False, processes: Processes = None) -> Reply:
    """Do the work of the queue until stopped; any number of machines may."""
    return _once(call) if once else _until_stopped(call, processes)


def _once(call: Call) -> Reply:
    with call.desk() as desk, bars() as progress:
        done = desk.work(progress=progress)
    sentence = f"{counted(done, 'document')} done." if done else "Nothing was queued."
    return Reply({"documents": done}, lambda screen: say(screen, sentence))


def _until_stopped(call: Call, processes: int | None) -> Reply:
    with call.desk() as desk, desk.workers(processes) as pool:
        running = len(pool.processes)
        typer.echo(f"{counted(running, 'worker')} at work; Ctrl-C or SIGTERM ends them.", err=True)
        pool.until_stopped()
    return Reply(
        {"processes": running}, lambda screen: say(screen, "Stopped; what was begun is queued again.")
    )
