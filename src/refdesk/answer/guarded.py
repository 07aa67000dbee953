"""A tool's work for a model, which reads a text back whatever happens (SRCH8)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from refdesk.answer.tools import UNAVAILABLE
from refdesk.errors import Failed, RefdeskError, UsageError

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ToolReply:
    """``failed``: ``text`` is why there is no result, for the model to read."""

    text: str
    failed: bool = False


def guarded(name: str, work: Callable[[], str]) -> ToolReply:
    """What ``work`` gives. A refusal is said to the model; of a failure it hears only that the lookup is
    unavailable, and the cause goes to the log."""
    try:
        return ToolReply(work())
    except Failed as error:
        log.error("tool failed tool=%s code=%s cause=%s", name[:80], error.code, error.message)
    except RefdeskError as error:
        return ToolReply(error.message, failed=True)
    except Exception as error:  # a model must not read a stack, and the call goes on
        log.error("tool failed tool=%s error=%s", name[:80], type(error).__name__)
    return ToolReply(UNAVAILABLE, failed=True)


def checked(arguments: Mapping[str, Any], takes: Mapping[str, type]) -> dict[str, Any]:
    """Those that are given, the first of which must be. A model writes null for what it leaves out."""
    given = {key: value for key, value in arguments.items() if value is not None}
    first = next(iter(takes))
    unknown = sorted(given.keys() - takes.keys())
    if unknown:
        raise UsageError(f"The tool takes {', '.join(takes)}, and not {', '.join(unknown)[:80]}.")
    if first not in given:
        raise UsageError(f"The tool needs {first}: give it.")
    for key, value in given.items():
        if not isinstance(value, takes[key]) or isinstance(value, bool):
            kind = "a whole number" if takes[key] is int else "text"
            raise UsageError(f"{key} is {kind}, and a {type(value).__name__} was given.")
    return given
