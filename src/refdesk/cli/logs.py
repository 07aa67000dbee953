"""Where the engine's events go while a command runs."""

from __future__ import annotations

import logging


def to_stderr() -> None:
    """Errors alone, on stderr: stdout belongs to the reply, and what a person must know is in it."""
    logging.basicConfig(level=logging.ERROR, format="%(levelname)s %(name)s %(message)s")
