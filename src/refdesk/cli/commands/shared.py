"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

# The same words as refdesk.policy.model's, which would cost pydantic's import in every --help;
# tests/cli holds the two together.
ModeName = Literal["keyword", "meaning", "hybrid"]
GroundingName = Literal["open", "preferred", "required"]

OneBase = Annotated[
    str, typer.Option("--base", metavar="NAME", help="The base, by name or id.", show_default=False)
]
SomeBases = Annotated[
    list[str],
    typer.Option("--base", metavar="NAME", help="A base, by name or id; repeatable.", show_default=False),
]
Question = Annotated[
    str, typer.Argument(metavar="QUESTION", help="The question, in plain words.", show_default=False)
]
Mode = Annotated[
    ModeName | None,
    typer.Option("--mode", help="How to search. Else hybrid where there are vectors, otherwise keyword."),
]
TopK = Annotated[
    int | None, typer.Option("--top-k", metavar="N", help="How many passages. Else what the policy says.")
]
