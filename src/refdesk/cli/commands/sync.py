"""``refdesk sync``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from refdesk.cli.additions import say_queued
from refdesk.cli.call import Call, Reply
from refdesk.cli.commands.shared import OneBase
from refdesk.cli.output import printable, say
from refdesk.cli.progress import bars

if TYPE_CHECKING:
    from rich.console import Console

    from refdesk.results.synced import Synced

Folder = Annotated[
    Path, typer.Argument(metavar="DIR", help="The folder that the base is to equal.", show_default=False)
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would change, and change nothing.")]
Wait = Annotated[bool, typer.Option("--wait", help="Return when the documents can be found.")]
DeleteAll = Annotated[
    bool, typer.Option("--delete-all", help="Also where the folder leaves nothing of the base.")
]


def sync(
    call: Call,
    *,
    folder: Folder,
    base: OneBase,
    dry_run: DryRun = False,
    wait: Wait = False,
    delete_all: DeleteAll = False,
) -> Reply:
    """Make a base equal a folder. A base that does not exist yet is made."""
    with call.desk() as desk, bars() as progress:
        synced = desk.bases.sync(
            base, folder, dry_run=dry_run, wait=wait, delete_all=delete_all, progress=progress
        )
    exit_code = 3 if synced.refused else int(synced.failed)
    return Reply(synced.to_dict(), lambda screen: _show(screen, call, base, synced, dry_run), exit_code)


def _show(screen: Console, call: Call, base: str, synced: Synced, dry_run: bool) -> None:
    from rich.text import Text

    for what, name in _lines(synced):
        screen.print(Text.assemble((f"{what:<9} ", "dim"), printable(name)))
    for document in synced.documents:
        if document.error:
            screen.print(Text.assemble((f"{document.state}  ", "bold red"), printable(document.name)))
            screen.print(Text(printable(document.error)), style="dim")
    for note in synced.notes:
        say(screen, note, style="dim")
    counts = {**synced.to_dict(), "refused": len(synced.refused)}
    parts = [f"{count:,} {word}" for word, count in counts.items() if count] or ["nothing to do"]
    said = f"{base}: {', '.join(parts)}"
    say(screen, f"{said} if it were run." if dry_run else f"{said} in {synced.seconds:.1f} s.")
    say_queued(screen, call, synced.documents)


def _lines(synced: Synced) -> Iterator[tuple[str, str]]:
    """What changes, one line each."""
    for old, new in synced.renamed:
        yield "renamed", f"{old} → {new}"
    for what, names in (
        ("deleted", synced.deleted),
        ("replaced", synced.replaced),
        ("added", synced.added),
    ):
        for name in names:
            yield what, name
