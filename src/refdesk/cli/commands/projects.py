"""``refdesk projects``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from refdesk.cli.call import DEFAULT_POLICY, Call, Reply
from refdesk.cli.output import say
from refdesk.cli.tables import Column, table

if TYPE_CHECKING:
    from rich.console import Console

Slug = Annotated[
    str,
    typer.Argument(
        metavar="SLUG", help="Its name: 1 to 64 of a-z, 0-9 and hyphens inside.", show_default=False
    ),
]
Organization = Annotated[
    str | None,
    typer.Option(
        "--organization", metavar="O", help="By name, made on first use, or by id. Else one of its own."
    ),
]


def create(call: Call, slug: Slug, organization: Organization = None) -> Reply:
    """Make a project with the policy that --policy names."""
    with call.projects() as projects:
        made = projects.create(slug, call.policy or DEFAULT_POLICY, organization=organization)
    sentence = f"Made the project {made.slug} with the policy {made.policy}."
    return Reply(made.to_dict(), lambda screen: say(screen, sentence, f"Its id is {made.id}."))


def list_projects(call: Call) -> Reply:
    """List the projects."""
    with call.projects() as projects:
        items = [{**one.to_dict(), "organization": one.organization} for one in projects.list()]
    columns = (
        Column("name", "slug", whole=True),
        Column("policy", "policy"),
        Column("organization", "organization"),
        Column("id", "id", whole=True),
    )

    def show_items(screen: Console) -> None:
        if items:
            table(screen, None, columns, items)
        else:
            say(screen, "There are no projects yet.", f"`{call.again('projects create SLUG')}` makes one.")

    return Reply({"items": items}, show_items)
