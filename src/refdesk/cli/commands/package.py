"""The package compiler's commands. They open no desk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from refdesk.cli.call import Call, Reply
from refdesk.cli.output import say

if TYPE_CHECKING:
    from rich.console import Console

    from refdesk.package.check import Checked
    from refdesk.package.findings import Finding

Package = Annotated[Path, typer.Argument(metavar="DIR", help="The package's folder, with its agent.yaml.")]


def init(call: Call, folder: Package) -> Reply:
    """Write a small package that works: an agent, a tool, a base and its documents."""
    from refdesk.package.init import init as write

    files = write(folder)

    def show(screen: Console) -> None:
        say(screen, f"Wrote {len(files)} files to {folder}. Next: `{call.again(f'check {folder}')}`.")

    return Reply({"folder": str(folder), "files": files}, show)


def check(call: Call, folder: Package) -> Reply:
    """Tell everything that is wrong with a package, by file, line and column."""
    from refdesk.package.check import check as checked

    found = checked(folder)

    def show(screen: Console) -> None:
        show_findings(found, folder, screen)

    return Reply(found.findings.to_dict(), show, exit_code=1 if found.findings.errors else 0)


def show_findings(checked: Checked, folder: Path, screen: Console) -> None:
    found = checked.findings
    for kind, style, some in (("error", "bold red", found.errors), ("warning", "yellow", found.warnings)):
        for one in some:
            _show(one, kind, style, folder, screen)
    counted = (_counted(len(found.errors), "error"), _counted(len(found.warnings), "warning"))
    say(screen, f"{counted[0]}, {counted[1]}.", style="bold red" if found.errors else "")


def _show(one: Finding, kind: str, style: str, folder: Path, screen: Console) -> None:
    from rich.text import Text

    from refdesk.cli.output import printable

    place = f"{folder / one.file}:{one.line}:{one.column}: "
    screen.print(Text.assemble(place, (f"{kind}: ", style), printable(one.message)))
    if one.text.strip():
        screen.print(Text(printable(one.pointed()), style="dim"), soft_wrap=True)


def _counted(count: int, what: str) -> str:
    return f"{count or 'no'} {what}{'' if count == 1 else 's'}"
