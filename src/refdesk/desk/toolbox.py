"""The tools of one model: it calls them by name, and reads a text back whatever happens."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from refdesk.answer.tools import (
    KNOWLEDGE_SEARCH,
    SEARCH_KNOWLEDGE,
    UNAVAILABLE,
    Tool,
    knowledge_search,
    none,
    reply,
    search_knowledge,
)
from refdesk.desk.desk import Desk
from refdesk.desk.lookups import LookedUp
from refdesk.errors import Failed, NotFound, RefdeskError, UsageError
from refdesk.policy import Policy
from refdesk.search import Found

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ToolReply:
    """``failed``: ``text`` is why there is no result, for the model to read."""

    text: str
    failed: bool = False


class Toolbox:
    """Reaches what ``desk``'s caller does, and of that only what ``agent`` was granted, or ``bases`` by name
    or id, where one of them is given. Each call looks up anew what that is: a grant that was withdrawn
    reaches nothing any more."""

    def __init__(self, desk: Desk, *, agent: str | None = None, bases: Sequence[str] = ()) -> None:
        self._desk = desk
        self._agent = agent
        self._bases = bases

    @property
    def policy(self) -> Policy:
        return self._desk.policy

    def tools(self) -> Sequence[Tool]:
        return (knowledge_search(self.policy, self.reach()), search_knowledge(self.policy))

    def reach(self) -> Mapping[str, str]:
        """The names of the bases that are searched, by id. Raises ``NotFound``."""
        reached = self._desk.lookups.bases(agent=self._agent)
        if not self._bases:
            return reached
        wanted = [self._desk.bases.get(name).id for name in self._bases]
        return {base: reached[base] for base in wanted if base in reached}

    def find(self, query: str, *, top_k: int | None = None, kb_id: str | None = None) -> Found | None:
        """``None`` where there is no base to search (A4). Raises what ``Desk.search`` does."""
        reached = self.reach()
        if kb_id is not None and kb_id not in reached:
            raise NotFound(f"There is no base {kb_id[:80]!r} here; there are {', '.join(reached) or 'none'}.")
        bases = list(reached) if kb_id is None else [kb_id]
        return self._desk.search(query, bases, top_k=top_k) if bases else None

    def document(self, document: str) -> LookedUp:
        """One that can be found, with its text. Raises ``NotFound``."""
        looked_up = self._desk.lookups.document(document, agent=self._agent)
        if looked_up.document.base not in self.reach().values():
            raise NotFound(f"Document {document[:80]!r} is in no base that is searched here.")
        return looked_up

    def call(self, name: str, arguments: Mapping[str, Any]) -> ToolReply:
        """Never raises. What the model can mend is told in words; of anything else it hears only that the
        lookup is unavailable, and the cause goes to the log (SRCH8)."""
        return guarded(name, lambda: self._called(name, arguments))

    def _called(self, name: str, arguments: Mapping[str, Any]) -> str:
        if name not in (KNOWLEDGE_SEARCH, SEARCH_KNOWLEDGE):
            raise NotFound(f"There is no tool {name[:80]!r}.")
        takes = {"query": str} | ({"top_k": int, "kb_id": str} if name == KNOWLEDGE_SEARCH else {})
        given = checked(arguments, takes)
        found = self.find(**given)
        return none(self.policy) if found is None else reply(given["query"], found, self.policy)


def guarded(name: str, work: Callable[[], str]) -> ToolReply:
    """``work`` for a model: see ``Toolbox.call``."""
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
