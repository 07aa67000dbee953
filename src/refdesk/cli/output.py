"""Everything that reaches the screen. Colour and width follow the terminal and ``NO_COLOR``."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from refdesk.cli.call import Reply
from refdesk.errors import RefdeskError

if TYPE_CHECKING:
    from rich.console import Console

# control characters but tab and newline, and the signs that turn the direction of writing
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
WIDEST = 100  # a line of text longer than this is hard to read
UNBROKEN = 100_000


def console(stream: TextIO) -> Console:
    """As wide as the terminal; elsewhere lines are not broken, so that other programs find them whole."""
    from refdesk.cli.screen import Screen

    _print_anything(stream)
    plain = Screen(file=stream, highlight=False, markup=False, emoji=False)
    plain.width = min(plain.width, WIDEST) if plain.is_terminal else UNBROKEN
    return plain


def show(reply: Reply) -> None:
    screen = console(sys.stdout)
    reply.show(screen)
    sys.stdout.flush()


def print_json(document: dict[str, Any]) -> None:
    _print_anything(sys.stdout)
    utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    sys.stdout.write(json.dumps(document, ensure_ascii=not utf8, indent=2) + "\n")
    sys.stdout.flush()


def report(error: RefdeskError, as_json: bool) -> None:
    if as_json:
        print_json({"error": error.to_dict()})
        return
    from rich.text import Text

    screen = console(sys.stderr)
    sentence = Text.assemble(("refdesk: ", "bold red"), printable(error.message))
    screen.print(sentence)


def explain(error: Exception) -> str:
    """One sentence about an error that nobody foresaw. Its own words stay out of it where they may
    quote a document or a question; type and place lead whoever mends it there."""
    if isinstance(error, OSError) and error.strerror:
        where = f" ({error.filename})" if error.filename else ""
        return f"The system refused: {error.strerror}{where}."
    return f"Something failed inside Refdesk: {type(error).__name__} at {_place(error)}."


def _place(error: Exception) -> str:
    here, package = "an unknown place", Path(__file__).parents[1]
    step = error.__traceback__
    while step is not None:
        file = Path(step.tb_frame.f_code.co_filename)
        if file.is_relative_to(package):
            here = f"{file.relative_to(package)}:{step.tb_lineno}"
        step = step.tb_next
    return here


def printable(text: str) -> str:
    """Without control characters: a document's text or name must not steer a terminal."""
    return _CONTROLS.sub("\ufffd", text)


def _print_anything(stream: TextIO) -> None:
    """File names may hold bytes that are no text, a terminal may not know every sign: neither is fatal."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


def say(screen: Console, *sentences: str, style: str = "") -> None:
    """Sentences as one paragraph."""
    from rich.text import Text

    screen.print(Text(printable(" ".join(sentences)), style=style))
