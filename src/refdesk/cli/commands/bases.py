"""``refdesk bases`` and ``reindex``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refdesk.cli.call import Call, Reply
from refdesk.cli.commands.shared import EmbeddingAccount, OneBase, account_of
from refdesk.cli.output import say
from refdesk.cli.tables import Column, counted, table

if TYPE_CHECKING:
    from rich.console import Console


def bases(call: Call) -> Reply:
    """List the bases of the project."""
    with call.desk() as desk:
        items = [base.to_dict() for base in desk.bases.list()]
    columns = (
        Column("name", "name"),
        Column("id", "id", whole=True),
        Column("documents", "documents", number=True),
        Column("characters", "ready_chars", number=True),
        Column("kind", "kind"),
    )

    def show_items(screen: Console) -> None:
        if items:
            table(screen, None, columns, items)
        else:
            say(screen, "There are no bases yet.", f"`{call.again('add PATH --base NAME')}` makes one.")

    return Reply({"items": items}, show_items)


def reindex(call: Call, *, base: OneBase, account: EmbeddingAccount = None) -> Reply:
    """Queue every document of a base that is not fully indexed."""
    with call.desk() as desk:
        found = desk.bases.get(base)
        if account is None:
            queued = found.reindex()
        else:
            found = found.update(embedding_account_id=account_of(account))
            queued = sum(document.state == "queued" for document in found.list_documents())
        name = found.name
    return Reply({"queued": queued}, lambda screen: _show_queued(screen, call, name, queued))


def _show_queued(screen: Console, call: Call, name: str, queued: int) -> None:
    if queued:
        say(
            screen,
            f"{counted(queued, 'document')} of {name} queued.",
            f"`{call.again('work --once')}` does the work.",
        )
    else:
        say(screen, f"Every document of {name} is fully indexed.")
