"""``refdesk serve``: the API, and ingestion beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from refdesk.cli.call import Call, Reply
from refdesk.cli.output import say

if TYPE_CHECKING:
    from refdesk.desk import Desk

HOST, PORT = "127.0.0.1", 8400

Host = Annotated[str, typer.Option(help="The address to listen at; 0.0.0.0 is all of this machine's.")]
Port = Annotated[int, typer.Option(min=0, max=65_535, help="The port; 0 takes a free one.")]


def serve(call: Call, *, host: Host = HOST, port: Port = PORT) -> Reply:
    """Serve the API and work the queue until stopped."""
    with call.desk() as desk:
        address = run(call, desk, host, port)
    return Reply({"address": address}, lambda screen: say(screen, "Stopped."))


def run(call: Call, desk: Desk, host: str = HOST, port: int = PORT) -> str:
    from refdesk.web.server import serve as serve_desk

    addresses: list[str] = []

    def started(address: str) -> None:
        addresses.append(address)
        public = desk.settings.address or address
        place = "" if public == address else f", listening at {address}"
        typer.echo(
            f"Refdesk serves {public}{place} · API described at {public}/docs · Ctrl-C ends it", err=True
        )
        link = desk.people.first_link()
        if link is not None:
            typer.echo(f"The first administrator signs in here, once: {public}{link.path}", err=True)
        typer.echo(f"A program needs a key: {call.again('keys create')}", err=True)

    serve_desk(desk, host, port, started)
    return addresses[0]
