"""``refdesk read``: what reading one file gives, without keeping anything."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from refdesk.cli.call import Call, Reply
from refdesk.cli.commands.shared import must_exist
from refdesk.cli.output import printable
from refdesk.cli.tables import counted
from refdesk.errors import Refusal, UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from refdesk.reading.model import Reading

File = Annotated[Path, typer.Argument(metavar="FILE", help="The file to read.", show_default=False)]

NOT_SCREENED = "Nothing was screened: this version has no screening yet, so there is no decision."


def read(call: Call, file: File) -> Reply:
    """Read one file as a policy does, and store nothing."""
    from refdesk.reading import read as read_file

    policy = call.policy_without_desk()
    must_exist([file])
    if file.is_dir():
        raise UsageError(f"{str(file)!r} is a folder; `refdesk read` reads one file.")
    begun = time.perf_counter()
    try:
        reading = read_file(file, file.name, None, policy)
    except Refusal as refusal:
        document, sentence = _document("refused", begun, **refusal.to_dict()), refusal.message
        return Reply(document, lambda screen: _show_refused(screen, file, sentence), Refusal.exit_code)
    return Reply(_kept(reading, begun), lambda screen: _show_kept(screen, file, reading))


def _document(outcome: str, begun: float, **known: Any) -> dict[str, Any]:
    """Every key is there in every outcome."""
    table: dict[str, Any] = {
        "outcome": outcome,
        **dict.fromkeys(("code", "message", "limit", "actual", "text", "pages")),
        "figures": [],
        "not_kept": {},
        "notes": [],
        "decision": None,
        "findings": [],
    }
    return {**table, **known, "seconds": round(time.perf_counter() - begun, 3)}


def _kept(reading: Reading, begun: float) -> dict[str, Any]:
    return _document(
        "kept",
        begun,
        text=reading.text,
        pages=len(reading.pages) if reading.kind == "pdf" else None,
        figures=[
            {
                "number": figure.number,
                "label": figure.label,
                "page": figure.page,
                "width": figure.width,
                "height": figure.height,
            }
            for figure in reading.figures
        ],
        not_kept=dict(reading.not_kept),
        notes=[*reading.notes, NOT_SCREENED],
    )


def _show_refused(screen: Console, file: Path, sentence: str) -> None:
    from rich.text import Text

    screen.print(Text.assemble(("refused  ", "bold red"), printable(file.name)))
    screen.print(Text(printable(sentence)))


def _show_kept(screen: Console, file: Path, reading: Reading) -> None:
    from rich.text import Text

    counts = [reading.kind, counted(len(reading.text), "character")]
    if reading.pages:
        counts.append(counted(len(reading.pages), "page"))
    if reading.figures:
        counts.append(counted(len(reading.figures), "figure"))
    screen.print(
        Text.assemble(("kept  ", "bold green"), printable(file.name), (f"  {' · '.join(counts)}", "dim"))
    )
    for note in (*reading.notes, NOT_SCREENED):
        screen.print(Text(printable(note), style="dim"))
    screen.print()
    screen.print(Text(printable(reading.text)))
