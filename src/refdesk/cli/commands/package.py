"""The package compiler's commands. They open no desk."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from refdesk.cli.call import Call, Reply
from refdesk.cli.output import say

if TYPE_CHECKING:
    from rich.console import Console

    from refdesk.evaluate.calibrate import Calibrated
    from refdesk.package.build import Built
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


Out = Annotated[
    Path, typer.Option("--out", metavar="OUT", help="The folder to write; a former build is replaced.")
]
BuildFolder = Annotated[Path, typer.Argument(metavar="OUT", help="A folder that `refdesk build` wrote.")]


def build(call: Call, folder: Package, out: Out) -> Reply:
    """Write the package as a folder that can be deployed: the same package gives the same bytes."""
    from refdesk.package.build import build as write
    from refdesk.package.check import check as checked

    found = checked(folder)
    if found.package is None:
        return Reply(found.findings.to_dict(), lambda screen: show_findings(found, folder, screen), 1)
    built = write(found.package, out, call.settings().cache_folder())
    document = {**found.findings.to_dict(), "out": str(out), **built.to_dict()}

    def show(screen: Console) -> None:
        if found.findings.warnings:
            show_findings(found, folder, screen)
        _show_built(built, out, call, screen)

    return Reply(document, show)


def _show_built(built: Built, out: Path, call: Call, screen: Console) -> None:
    count = sum(built.documents.values())
    say(screen, f"Built {out}: {_counted(count, 'document')}, {built.bytes / 1_048_576:.1f} MB.")
    for base, counts in built.ignored.items():
        if counts:
            told = ", ".join(f"{many} {ending}" for ending, many in counts.items())
            say(screen, f"Ignored in {base}: {told}.")
    say(screen, f"Its worker installs {', '.join(built.requirements)}.")
    if built.bake_kept:
        say(screen, "What was baked there before is kept; a worker that it does not fit says so and stops.")
    say(screen, f"Next: `{call.again(f'bake {out}')}`, or as {out}/README.md says.")


def bake(call: Call, out: BuildFolder) -> Reply:
    """Make the indexes of a build once, for every process that starts from it."""
    from refdesk.cli.logs import to_stderr
    from refdesk.cli.progress import bars
    from refdesk.package.bake import bake as make

    to_stderr()
    with bars() as progress:
        made = make(out, progress)
    document = {"bases": [asdict(one) for one in made]}

    def show(screen: Console) -> None:
        for one in made:
            say(
                screen,
                f"{one.base}: {_counted(one.documents, 'document')}, {_counted(one.passages, 'passage')}.",
                *(f"Skipped {name}: {why}" for name, why in one.skipped.items()),
            )

    return Reply(document, show)


Questions = Annotated[
    Path | None,
    typer.Option(
        "--questions", metavar="DIR", help="queries.jsonl and qrels.tsv. Else the package's `questions`."
    ),
]
Write = Annotated[
    bool, typer.Option("--write", help="Keep what was fitted in calibration.json, for the next build.")
]
OnlyBase = Annotated[
    str | None, typer.Option("--base", metavar="KEY", help="One base; else every one that embeds.")
]


def calibrate(
    call: Call, folder: Package, *, questions: Questions = None, base: OnlyBase = None, write: Write = False
) -> Reply:
    """Print what scores questions with and without answers reach, and what each cut-off would lose."""
    from refdesk.cli.progress import bars
    from refdesk.evaluate.calibrate import calibrate as calibrated
    from refdesk.evaluate.calibrate import fitted
    from refdesk.package.calibrations import FILE, write_calibrations

    models = call.settings().cache_folder() / "models"
    with bars() as progress:
        made = calibrated(folder, questions or folder / "questions", models, base, progress)
    fit = fitted(made)
    if write:
        write_calibrations(folder, fit)

    def show(screen: Console) -> None:
        for one in made:
            _show_calibrated(one, screen)
        for model in fit:
            done = f"written to {FILE}" if write else "--write keeps it for the next build"
            say(screen, f"{model} has no calibration of its own; one was fitted: {done}.")

    told = {model: {"on_topic": on, "off_topic": off} for model, (on, off) in fit.items()}
    return Reply({"bases": [one.to_dict() for one in made], "fitted": told, "written": write}, show)


def _show_calibrated(one: Calibrated, screen: Console) -> None:
    from refdesk.cli.tables import Column, table

    right, wrong = one.similarities(answered=True), one.similarities(answered=False)
    say(screen, f"{one.base} by {one.model}: {len(right)} questions with an answer, {len(wrong)} without.")
    columns = (
        Column("min_score", "at", number=True),
        Column("answers lost", "lost", number=True),
        Column("questions without an answer that get something", "kept", number=True),
    )
    rows = (
        {
            "at": f"{cut.min_score:.2f}",
            "lost": f"{cut.lost} of {len(right)}",
            "kept": f"{cut.kept} of {len(wrong)}",
        }
        for cut in one.cutoffs()
    )
    table(screen, None, columns, rows)
    for what, some in (("With an answer", right), ("Without", wrong)):
        if some:
            middle = some[len(some) // 2]
            say(
                screen,
                f"{what}: similarity {some[0]:.2f} to {some[-1]:.2f}, half of them from {middle:.2f} on.",
            )
    if right:
        safe = one.highest_safe
        say(screen, f"The highest cut-off that loses no answer: {'none' if safe is None else f'{safe:.2f}'}.")
    if one.mode == "hybrid":
        say(
            screen,
            "In hybrid search the keyword half survives every cut-off, so one can only take answers away.",
        )
    say(
        screen,
        f"Median cosines: {one.cosine(answered=True)} with, {one.cosine(answered=False)} without an answer.",
    )


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
