"""Gives every command the global options and an example at the end of its ``--help``."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from refdesk.cli.call import Call, Reply

Home = Annotated[
    Path | None, typer.Option("--home", metavar="DIR", help="The desk's folder. Else REFDESK_HOME.")
]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on stdout, and nothing else there.")]
Project = Annotated[
    str | None, typer.Option("--project", metavar="SLUG", help="The project. Else `default`.")
]
PolicyName = Annotated[
    str | None,
    typer.Option(
        "--policy", metavar="P", help="packs, bases, voice or package, for a project that is new. Else packs."
    ),
]


def keep_globals(
    context: typer.Context,
    *,
    home: Home = None,
    json: Json = False,
    project: Project = None,
    policy: PolicyName = None,
) -> None:
    """The callback of a group: what stands before the command is kept for it."""
    context.obj = Call(home, project, policy).within(_outer(context))


def or_alone(alone: Callable[[Call], Reply]) -> Callable[..., Reply | None]:
    """The callback of a group that does ``alone`` where no command follows."""

    def run(
        context: typer.Context,
        *,
        home: Home = None,
        json: Json = False,
        project: Project = None,
        policy: PolicyName = None,
    ) -> Reply | None:
        keep_globals(context, home=home, json=json, project=project, policy=policy)
        return alone(context.obj) if context.invoked_subcommand is None else None

    return run


def takes_call(function: Callable[..., Reply]) -> Callable[..., Reply]:
    """``function(call, …)`` as Typer wants it: with the global options beside its own parameters."""
    own = inspect.signature(function, eval_str=True).parameters
    shared = inspect.signature(keep_globals, eval_str=True).parameters
    clash = (own.keys() & shared.keys()) - {"context"}
    if clash:
        raise TypeError(f"{function.__name__} declares the global options {clash} again")

    @wraps(function)
    def run(context: typer.Context, **given: Any) -> Reply:
        values = {name: given.pop(name) for name in ("home", "project", "policy")}
        given.pop("json")  # the entry has seen it: it must know before anything is parsed
        return function(Call(**values).within(_outer(context)), **given)

    parameters = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for parameter in (*own.values(), *shared.values())
        if parameter.name != "call"
    ]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _outer(context: typer.Context) -> Call:
    """What stood further left: a context begins with its parent's object."""
    return context.obj if isinstance(context.obj, Call) else Call()


def example_text(*lines: str) -> str:
    """An epilog that keeps its lines: ``\\b`` tells the formatter not to join them."""
    return "\b\nExample:\n" + "\n".join(f"  {line}" for line in lines)
