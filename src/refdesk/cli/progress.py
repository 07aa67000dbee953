"""A bar for each stage of long work, on stderr, where that is a terminal."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

from refdesk.cli.output import console

Report = Callable[[str, str, int, int], None]

WORDS = {"read": "Reading", "embed": "Embedding", "index": "Indexing", "ask": "Asking", "pull": "Fetching"}


@contextlib.contextmanager
def bars() -> Iterator[Report]:
    """Gives what the Desk calls as ``progress(stage, name, done, total)``."""
    if not sys.stderr.isatty():
        yield _silent
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (
        TextColumn("{task.description:<10}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[name]}"),
    )
    with Progress(*columns, console=console(sys.stderr), transient=True) as progress:
        tasks: dict[str, object] = {}

        def report(stage: str, name: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = progress.add_task(WORDS.get(stage, stage), total=total, name=name)
            progress.update(tasks[stage], completed=done, total=total or None, name=name)  # type: ignore[arg-type]

        yield report


def _silent(stage: str, name: str, done: int, total: int) -> None:
    """Where nobody watches."""
