"""``refdesk keys``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from refdesk.cli.call import Call, Reply
from refdesk.cli.output import say
from refdesk.cli.tables import Column, table

if TYPE_CHECKING:
    from rich.console import Console

Scopes = Annotated[
    list[str] | None,
    typer.Option("--scope", metavar="S", help="knowledge:read or knowledge:write; repeatable. Else both."),
]
Agent = Annotated[
    str | None,
    typer.Option("--agent", metavar="NAME", help="The one agent that the key reaches, by name or id."),
]
Name = Annotated[str, typer.Option("--name", metavar="N", help="What the key is for.")]
Expires = Annotated[
    int | None, typer.Option("--expires", metavar="DAYS", help="Days until it expires. Else it does not.")
]
Key = Annotated[str, typer.Argument(metavar="KEY", help="The key's id.", show_default=False)]


def create(
    call: Call,
    *,
    scope: Scopes = None,
    agent: Agent = None,
    name: Name = "key",
    expires: Expires = None,
) -> Reply:
    """Make a key of the project. Its text is shown now and never again."""
    from refdesk.access import SCOPES

    with call.desk() as desk:
        made = desk.keys.create(name, scopes=scope or SCOPES, expires_days=expires, agent=agent)

    def show_key(screen: Console) -> None:
        until = f"until {made.key.expires_at[:10]}" if made.key.expires_at else "until it is revoked"
        say(screen, f"A key of {made.key.project} with {', '.join(made.key.scopes)}, {until}.")
        say(screen, made.secret, style="bold")
        say(screen, f"It is shown this once. `{call.again(f'keys revoke {made.key.id}')}` ends it.")

    return Reply(made.to_dict(), show_key)


def list_keys(call: Call) -> Reply:
    """List the keys of the project."""
    with call.desk() as desk:
        items = [key.to_dict() for key in desk.keys.list()]
    columns = (
        Column("id", "id", whole=True),
        Column("name", "name"),
        Column("begins", "prefix", whole=True),
        Column("scopes", "scopes"),
        Column("agent", "agent"),
        Column("last used", "last_used_at"),
        Column("expires", "expires_at"),
        Column("revoked", "revoked_at"),
    )

    def show_items(screen: Console) -> None:
        if items:
            table(screen, None, columns, items)
        else:
            say(screen, "There are no keys yet.", f"`{call.again('keys create')}` makes one.")

    return Reply({"items": items}, show_items)


def revoke(call: Call, key: Key) -> Reply:
    """Revoke a key: its next request is refused."""
    with call.desk() as desk:
        revoked = desk.keys.revoke(key)
    sentence = f"Revoked {revoked.id} ({revoked.name})."
    return Reply(revoked.to_dict(), lambda screen: say(screen, sentence))
