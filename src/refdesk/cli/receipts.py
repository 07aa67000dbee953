"""A document with its text, and a run as its receipt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from refdesk.cli.output import printable, say
from refdesk.cli.places import place
from refdesk.cli.tables import counted

if TYPE_CHECKING:
    from rich.console import Console

    from refdesk.answer.model import Reference, Run
    from refdesk.desk import Document

_STYLES = {
    "answered": "green",
    "answered_with_warning": "yellow",
    "not_covered": "red",
    "not_accepted": "red",
}


def show_document(screen: Console, document: Document, text: str) -> None:
    from rich.text import Text

    facts = [document.base, document.name, document.state, f"version {document.version}"]
    known = ((document.chars, "character"), (document.pages, "page"), (document.passages, "passage"))
    facts += [counted(count, noun) for count, noun in known if count is not None]
    screen.print(Text(printable(document.title), style="bold"))
    say(screen, " · ".join(facts), style="dim")
    if document.error:
        say(screen, document.error, style="red")
    for note in document.notes:
        say(screen, note, style="dim")
    screen.print()
    screen.print(Text(printable(text)))


def run_resource(run: Run) -> dict[str, Any]:
    """The run as a resource: what ``ask`` prints, with who asked what, and what it took."""
    return {
        **run.to_dict(),
        "agent": None,
        "agent_version": None,
        "question": run.question,
        "grounding": run.grounding,
        "person": run.person,
        "tokens": {"input": run.input_tokens, "output": run.output_tokens},
        "timings": dict(run.timings),
        "created_at": run.created_at,
    }


def show_run(screen: Console, run: Run) -> None:
    """Every passage as it was issued, in full: that is what a receipt is for."""
    from rich.text import Text

    screen.print(Text(printable(run.question), style="bold"))
    facts = [run.id, run.created_at, run.person, run.model, f"grounding {run.grounding}"]
    say(screen, " · ".join(facts), style="dim")
    screen.print(Text(run.outcome.replace("_", " "), style=_STYLES[run.outcome]))
    screen.print()
    show_answer(screen, run)
    cited = {citation.number for citation in run.citations}
    for reference in run.references:
        screen.print()
        screen.print(_source(reference, "cited" if reference.number in cited else "issued"))
        screen.print(Text(printable(reference.text)))


def show_asked(screen: Console, run: Run, receipt: str) -> None:
    """The answer, then the sources that it names."""
    show_answer(screen, run)
    if run.citations:
        screen.print()
    show_sources(screen, run)
    screen.print()
    say(screen, receipt, style="dim")


def show_sources(screen: Console, run: Run) -> None:
    cited = {citation.number for citation in run.citations}
    for reference in run.references:
        if reference.number in cited:
            screen.print(_source(reference, None))


def show_answer(screen: Console, run: Run) -> None:
    if run.answer is not None:
        say(screen, run.answer)
    if run.message:
        say(screen, run.message)
    for warning in run.warnings:
        say(screen, f"Warning: {warning}", style="yellow")


def _source(reference: Reference, role: str | None) -> Any:
    from rich.text import Text

    locator = reference.section if reference.page is None else f"page {reference.page}"
    tail = [reference.base, reference.name, *([role] if role else [])]
    return Text.assemble(
        (f"[{reference.number}] ", "bold cyan"),
        (printable(place(reference.title, locator)), "bold"),
        (f"  {printable(' · '.join(tail))}", "dim"),
    )
