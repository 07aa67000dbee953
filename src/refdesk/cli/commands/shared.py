"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal

import typer

from refdesk.errors import NotFound

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
EmbeddingAccount = Annotated[
    str | None,
    typer.Option(
        "--account",
        metavar="NAME",
        help="Give the base this embedding account, by name or id; `none`: keyword search alone.",
    ),
]
TopK = Annotated[
    int | None, typer.Option("--top-k", metavar="N", help="How many passages. Else what the policy says.")
]


def account_of(given: str) -> str | None:
    return None if given == "none" else given


def must_exist(paths: Iterable[Path]) -> None:
    """Asked before anything is made: a mistyped path must not leave an empty base."""
    for path in paths:
        if not path.exists():
            raise NotFound(f"There is no file or folder {str(path)!r}.", code="file_not_found")
