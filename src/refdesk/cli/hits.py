"""Found passages for a person: numbered, each with its place and the sentence that answers best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from refdesk.cli.output import printable, say
from refdesk.cli.snippet import snippet
from refdesk.cli.tables import counted

if TYPE_CHECKING:
    from rich.console import Console

    from refdesk.search.model import Found, Hit

LINES = 3
INDENT = 4


def show_found(screen: Console, found: Found) -> None:
    for note in found.notes:
        say(screen, note, style="dim")
    if not found.hits:
        say(
            screen,
            "Nothing was found." if found.passages else "Nothing can be found yet: no document is ready.",
        )
        return
    for hit in found.hits:
        _show_hit(screen, found, hit)
    took = f"{counted(len(found.hits), 'passage')} by {found.answered_by} in {found.took_ms:.0f} ms"
    screen.print()
    say(screen, took, style="dim")


def _show_hit(screen: Console, found: Found, hit: Hit) -> None:
    from rich.padding import Padding
    from rich.text import Text

    if hit.number > 1:
        screen.print()
    screen.print(_heading(hit))
    before, best, after = snippet(hit.text, found, (screen.width - INDENT) * LINES)
    text = Text.assemble(printable(before), (printable(best), "bold"), printable(after))
    screen.print(Padding(text, (0, 0, 0, INDENT)))
    also = [other["name"] for other in hit.also_in if "name" in other]
    if also:
        screen.print(Padding(Text(printable(f"also in {', '.join(also)}"), style="dim"), (0, 0, 0, INDENT)))


def _heading(hit: Hit) -> Any:
    from rich.text import Text

    likeness = [] if hit.similarity is None else [f"similarity {hit.similarity:.2f}"]
    return Text.assemble(
        (f"{hit.number:>2}  ", "bold cyan"),
        (printable(hit.title), "bold"),
        printable(f" › {hit.locator}"),
        (printable(f"  {' · '.join((hit.base, hit.name, *likeness))}"), "dim"),
    )
