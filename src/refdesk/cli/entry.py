"""Runs one call: every end of it becomes an exit code, and with ``--json`` one document on stdout."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from typer.exceptions import TyperException
from typer.main import get_command

from refdesk.cli.app import build
from refdesk.cli.call import Reply
from refdesk.cli.output import explain, print_json, report, show
from refdesk.errors import Failed, RefdeskError, UsageError

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit code: 0 done, 1 failed, 2 wrong usage, 3 refused, 4 not found, 5 not permitted."""
    given = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    as_json = _asks_for_json(given)
    try:
        with _quiet_stdout(as_json) as printed:
            ended = _run(given)
        return _present(ended, as_json, printed.getvalue())
    except BrokenPipeError:
        # The reader has left (``| head``). What is still in the buffer must not fail at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _asks_for_json(given: Sequence[str]) -> bool:
    """Looked up before parsing, since an error in the parsing must be JSON too."""
    own = given[: given.index("--")] if "--" in given else given
    return "--json" in own


@contextlib.contextmanager
def _quiet_stdout(as_json: bool) -> Iterator[io.StringIO]:
    """With ``--json`` nothing but our document may reach stdout, whatever a library prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed) if as_json else contextlib.nullcontext():
        yield printed


def _run(given: list[str]) -> Reply | RefdeskError | int:
    """A reply, an error, or an exit code where help or the version was all that was asked for."""
    try:
        ended: Any = get_command(build()).main(given, prog_name="refdesk", standalone_mode=False)
    except RefdeskError as error:
        return error
    except TyperException as error:
        return UsageError(_one_sentence(error))
    except BrokenPipeError:
        raise
    except Exception as error:
        return Failed(explain(error))
    return Failed("Interrupted.") if ended == INTERRUPTED else ended


def _one_sentence(error: TyperException) -> str:
    message = " ".join(error.format_message().split()).replace("Value error, ", "")
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "refdesk"
    dash = " Words that begin with a dash go last, behind --." if hasattr(error, "option_name") else ""
    end = "" if message.endswith((".", "?")) else "."
    return f"{message}{end}{dash} `{command} --help` shows how."


def _go_on(reply: Reply) -> int:
    assert reply.then is not None
    sys.stdout.flush()
    try:
        reply.then()
    except RefdeskError as error:
        report(error, as_json=False)
        return error.exit_code
    return reply.exit_code


def _present(ended: Reply | RefdeskError | int, as_json: bool, printed: str) -> int:
    if isinstance(ended, RefdeskError):
        report(ended, as_json)
        return ended.exit_code
    if isinstance(ended, Reply):
        print_json(ended.document) if as_json else show(ended)
        return ended.exit_code if ended.then is None else _go_on(ended)
    if as_json:
        print_json({"text": printed})
    return ended
