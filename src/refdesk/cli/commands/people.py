"""``refdesk people``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from refdesk.cli.call import Call, Reply
from refdesk.cli.output import say
from refdesk.cli.tables import Column, table

if TYPE_CHECKING:
    from rich.console import Console

Email = Annotated[
    str, typer.Argument(metavar="EMAIL", help="The person's e-mail address.", show_default=False)
]
Who = Annotated[
    str, typer.Argument(metavar="WHO", help="A person, by e-mail address or id.", show_default=False)
]
Roles = Annotated[
    list[str],
    typer.Option(
        "--role",
        metavar="R",
        help="PlatformAdmin, AgentBuilder, Auditor or Member; repeatable.",
        show_default=False,
    ),
]
Name = Annotated[str | None, typer.Option("--name", metavar="N", help="The person's name. Else the address.")]
Everywhere = Annotated[
    bool, typer.Option("--everywhere", help="Of every organization. Else of the project's.")
]


def list_people(call: Call) -> Reply:
    """List the people, of every organization."""
    with call.desk() as desk:
        items = [person.to_dict() for person in desk.people.list()]
    columns = (
        Column("address", "email"),
        Column("name", "name"),
        Column("roles", "roles"),
        Column("last sign-in", "signed_in_at"),
        Column("disabled", "disabled_at"),
        Column("id", "id", whole=True),
    )

    def show_items(screen: Console) -> None:
        if items:
            table(screen, None, columns, items)
        else:
            add = call.again("people add EMAIL --role Member")
            say(screen, "There are no people yet.", f"`{add}` adds one.")

    return Reply({"items": items}, show_items)


def add(call: Call, *, email: Email, role: Roles, name: Name = None, everywhere: Everywhere = False) -> Reply:
    """Add a person to the project's organization."""
    with call.desk() as desk:
        person = desk.people.create(email, roles=role, name=name, everywhere=everywhere)
    return Reply(
        person.to_dict(),
        lambda screen: say(
            screen,
            f"Added {person.email} as {', '.join(person.roles)}.",
            f"`{call.again(f'people link {person.email}')}` makes a link to sign in with.",
        ),
    )


def roles(call: Call, who: Who, role: Roles) -> Reply:
    """Give a person these roles and no others."""
    with call.desk() as desk:
        person = desk.people.set_roles(who, role)
    sentence = f"{person.email} is {', '.join(person.roles)}."
    return Reply(person.to_dict(), lambda screen: say(screen, sentence))


def disable(call: Call, who: Who) -> Reply:
    """Disable a person, and end the person's sessions."""
    with call.desk() as desk:
        person = desk.people.disable(who)
    return Reply(person.to_dict(), lambda screen: say(screen, f"Disabled {person.email}."))


def sessions(call: Call, who: Who) -> Reply:
    """List the sessions in which a person is signed in."""
    with call.desk() as desk:
        items = [session.to_dict() for session in desk.people.sessions(who)]

    def show_items(screen: Console) -> None:
        if items:
            table(screen, None, (Column("since", "created_at"), Column("until", "expires_at")), items)
        else:
            say(screen, f"{who} is not signed in.")

    return Reply({"items": items}, show_items)


def sign_out(call: Call, who: Who) -> Reply:
    """End a person's sessions, and links not used yet."""
    with call.desk() as desk:
        person = desk.people.sign_out(who)
    return Reply(person.to_dict(), lambda screen: say(screen, f"{person.email} is signed out everywhere."))


def link(call: Call, who: Who) -> Reply:
    """Make a link that signs a person in once."""
    with call.desk() as desk:
        made, address = desk.people.link(who), desk.settings.address

    def show_link(screen: Console) -> None:
        where = "" if address else ", at your server's address"
        say(screen, f"Signs {made.email} in once{where}, until {made.expires_at}:")
        say(screen, f"{address or ''}{made.path}", style="bold")

    return Reply(made.to_dict(), show_link)
