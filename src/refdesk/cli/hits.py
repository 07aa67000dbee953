"""Found passages for a person: numbered, each with its place and the sentence that answers best."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refdesk.cli.output import WIDEST, printable, say
from refdesk.cli.tables import counted

if TYPE_CHECKING:
    from rich.console import Console
    from rich.padding import Padding
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
    screen.print(_heading(hit))
    width = min(screen.width, WIDEST)
    part = sought.snippet(hit.text, (width - INDENT) * LINES)
    text = Text.assemble(printable(part.before), (printable(part.best), "bold"), printable(part.after))
    screen.print(_indented(text), width=width)
    if hit.also_in:
        screen.print(
            Padding(Text(printable(f"also in {', '.join(hit.also_in)}"), style="dim"), (0, 0, 0, INDENT))
        )


def _indented(text: Text) -> Padding:
    from rich.padding import Padding

    return Padding(text, (0, 0, 0, INDENT), expand=False)


def _heading(hit: Hit) -> Text:
    from rich.text import Text

    likeness = [] if hit.similarity is None else [f"similarity {hit.similarity:.2f}"]
    return Text.assemble(
        (f"{hit.number:>2}  ", "bold cyan"),
        (printable(hit.title), "bold"),
        printable(f" › {hit.locator}"),
        (printable(f"  {' · '.join((hit.base, hit.name, *likeness))}"), "dim"),
    )
