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

    from refdesk.ingest.screened import Kept

File = Annotated[Path, typer.Argument(metavar="FILE", help="The file to read.", show_default=False)]


def read(call: Call, file: File) -> Reply:
    """Read and screen one file as a policy does, and store nothing."""
    from refdesk.ingest.screened import Labels, screened
    from refdesk.reading import read as read_file

    policy = call.policy_without_desk()
    must_exist([file])
    if file.is_dir():
        raise UsageError(f"{str(file)!r} is a folder; `refdesk read` reads one file.")
    begun = time.perf_counter()
    try:
        reading = read_file(file, file.name, None, policy)
    except Refusal as refusal:
        return _refused(file, refusal, _document("refused", begun, **refusal.to_dict()))
    kept = screened(policy, reading, Labels(file.name, reading.title or file.stem))
    decided = _decided(kept)
    if kept.refusal is not None:
        return _refused(file, kept.refusal, _document("refused", begun, **kept.refusal.to_dict(), **decided))
    return Reply(_kept(kept, begun, decided), lambda screen: _show_kept(screen, file, kept))


def _refused(file: Path, refusal: Refusal, document: dict[str, Any]) -> Reply:
    sentence = refusal.message
    return Reply(document, lambda screen: _show_refused(screen, file, sentence), Refusal.exit_code)


def _decided(kept: Kept) -> dict[str, Any]:
    return {"decision": kept.decision, "findings": [finding.to_dict() for finding in kept.findings]}


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


def _kept(kept: Kept, begun: float, decided: dict[str, Any]) -> dict[str, Any]:
    reading = kept.reading
    assert reading is not None
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
        notes=list(reading.notes),
        **decided,
    )


def _show_refused(screen: Console, file: Path, sentence: str) -> None:
    from rich.text import Text

    screen.print(Text.assemble(("refused  ", "bold red"), printable(file.name)))
    screen.print(Text(printable(sentence)))


def _show_kept(screen: Console, file: Path, kept: Kept) -> None:
    from rich.text import Text

    reading = kept.reading
    assert reading is not None
    counts = [reading.kind, counted(len(reading.text), "character")]
    if reading.pages:
        counts.append(counted(len(reading.pages), "page"))
    if reading.figures:
        counts.append(counted(len(reading.figures), "figure"))
    screen.print(
        Text.assemble(("kept  ", "bold green"), printable(file.name), (f"  {' · '.join(counts)}", "dim"))
    )
    for note in reading.notes:
        screen.print(Text(printable(note), style="dim"))
    screen.print()
    screen.print(Text(printable(reading.text)))
