"""``refdesk limits``: every limit in force, with the requirement that it comes from."""

from __future__ import annotations

from refdesk.cli.call import Call, Reply
from refdesk.cli.tables import Column, table


def limits(call: Call) -> Reply:
    """Show every limit and behaviour that the project's policy sets."""
    with call.desk() as desk:
        lines = desk.limits()
        name = desk.policy.name
    items = [line._asdict() for line in lines]
    columns = (
        Column("limit", "key", whole=True),
        Column("value", "value"),
        Column("from", "source"),
        Column("", "note"),
    )
    return Reply(
        {"policy": name, "items": items},
        lambda screen: table(screen, f"Policy {name}", columns, items),
    )
