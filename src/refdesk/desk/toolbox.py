"""The tools of one model: it calls them by name, and reads a text back whatever happens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from refdesk.answer.guarded import ToolReply, checked, guarded
from refdesk.answer.model import Tool
from refdesk.answer.tools import (
    KNOWLEDGE_SEARCH,
    SEARCH_KNOWLEDGE,
    knowledge_search,
    none,
    reply,
    search_knowledge,
)
from refdesk.desk.desk import Desk
from refdesk.desk.lookups import LookedUp
from refdesk.errors import NotFound
from refdesk.policy import Policy
from refdesk.search import Found


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
