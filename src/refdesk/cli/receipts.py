"""A document with its text, and a run as its receipt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from refdesk.cli.output import printable, say
from refdesk.cli.places import place
from refdesk.cli.tables import counted

if TYPE_CHECKING:
    from rich.console import Console

    from refdesk.desk import Document
    from refdesk.results.runs import Reference, Run

_STYLES = {
    "answered": "green",
    "answered_with_warning": "yellow",
    "not_covered": "red",
    "not_accepted": "red",
    "failed": "red",
}

_KEPT = {
    "intact": "The receipt is the one that was written.",
    "erased": "The receipt is the one that was written, less what was erased on demand.",
    "changed": "The receipt was changed after it was written: its hash does not fit.",
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


def show_run(screen: Console, run: Run) -> None:
    """Every passage as it was issued, in full: that is what a receipt is for."""
    from rich.text import Text

    from refdesk.answer.receipt import state

    screen.print(Text(printable(run.question), style="bold"))
    facts = [run.id, run.created_at, run.person, run.model, f"grounding {run.grounding}"]
    if run.agent is not None:
        facts.append(f"agent {run.agent} version {run.agent_version}")
    cost = "cost unknown" if run.cost is None else f"{run.cost:.4f} USD"
    facts += [f"{run.input_tokens:,} + {run.output_tokens:,} tokens", cost]
    say(screen, " · ".join(facts), style="dim")
    if (kept := state(run)) is not None:
        say(screen, _KEPT[kept], style="red" if kept == "changed" else "dim")
    screen.print(Text(run.outcome.replace("_", " "), style=_STYLES[run.outcome]))
    for search in run.searches:
        given = "".join(f"[{number}]" for number in search.references) or search.error or "nothing"
        say(screen, f"Looked up “{search.query}”: {given}", style="dim")
    screen.print()
    for rejected in run.rejected:
        say(screen, f"Not accepted: {rejected}", style="dim")
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
