"""Found passages for a person: numbered, each with its place and the sentence that answers best."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refdesk.cli.output import WIDEST, printable, say
from refdesk.cli.places import place
from refdesk.cli.tables import counted

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from refdesk.cli.snippet import Sought
    from refdesk.search.model import Found, Hit

LINES = 3
INDENT = 4


def show_found(screen: Console, question: str, found: Found) -> None:
    from refdesk.cli.snippet import Sought

    for note in found.notes:
        say(screen, note, style="dim")
    if not found.hits:
        say(
            screen,
            "Nothing was found." if found.passages else "Nothing can be found yet: no document is ready.",
        )
        return
    sought = Sought(question, found)
    for hit in found.hits:
        _show_hit(screen, sought, hit)
    took = f"{counted(len(found.hits), 'passage')} by {found.answered_by} in {found.took_ms:.0f} ms"
    screen.print()
    say(screen, took, style="dim")


def _show_hit(screen: Console, sought: Sought, hit: Hit) -> None:
    from rich.text import Text

    if hit.number > 1:
        screen.print()
    _print_hanging(screen, _heading(hit))
    width = min(screen.width, WIDEST)
    part = sought.snippet(hit.text, (width - INDENT) * LINES)
    text = Text.assemble(printable(part.before), (printable(part.best), "bold"), printable(part.after))
    _print_indented(screen, text, width)
    if hit.also_in:
        also = Text(printable(f"also in {', '.join(hit.also_in)}"), style="dim")
        _print_indented(screen, also, width)


def _print_hanging(screen: Console, text: Text) -> None:
    """What does not fit on the first line stands below its words, not below the number."""
    for number, line in enumerate(text.wrap(screen, screen.width - INDENT)):
        line.rstrip()
        line.pad_left(INDENT if number else 0)
        screen.print(line)


def _print_indented(screen: Console, text: Text, width: int) -> None:
    for line in text.wrap(screen, width - INDENT):
        line.rstrip()
        line.pad_left(INDENT)
        screen.print(line)


def _heading(hit: Hit) -> Text:
    from rich.text import Text

    likeness = [] if hit.similarity is None else [f"similarity {hit.similarity:.2f}"]
    return Text.assemble(
        (f"{hit.number:>2}  ", "bold cyan"),
        (printable(place(hit.title, hit.locator)), "bold"),
        (printable(f"  {' · '.join((hit.base, hit.name, *likeness))}"), "dim"),
    )
