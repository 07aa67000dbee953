"""What came of adding documents, for a person: the sum first, then whatever did not go well."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from refdesk.cli.call import Call
from refdesk.cli.output import printable, say
from refdesk.cli.tables import counted

if TYPE_CHECKING:
    from rich.console import Console

    from refdesk.results.added import Added, AddedDocument

_ORDER = ("added", "replaced", "unchanged", "failed", "refused")
_WAITING = ("queued", "indexing")


def show_added(screen: Console, call: Call, base: str, added: Added) -> None:
    from rich.text import Text

    for document in added.documents:
        if document.error:
            screen.print(Text.assemble((f"{document.state}  ", "bold red"), printable(document.name)))
            screen.print(Text(printable(document.error)), style="dim")
    for note in added.notes:
        say(screen, note, style="dim")
    say(screen, _sum(base, added))
    say_queued(screen, call, added.documents)


def say_queued(screen: Console, call: Call, documents: Sequence[AddedDocument]) -> None:
    """Where some wait, who does the work."""
    waiting = sum(document.state in _WAITING for document in documents)
    if waiting:
        say(
            screen,
            f"{counted(waiting, 'document')} queued: `{call.again('work --once')}` makes them searchable.",
        )


def _sum(base: str, added: Added) -> str:
    outcomes = Counter(
        document.state if document.state in ("refused", "failed") else document.change
        for document in added.documents
    )
    parts = [f"{outcomes[word]:,} {word}" for word in _ORDER if outcomes[word]] or ["no documents"]
    return f"{base}: {', '.join(parts)} in {added.seconds:.1f} s."
