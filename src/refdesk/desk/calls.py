"""Calls of agents: measured when they begin, with a budget of searches each."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from refdesk.answer.model import KnownBase, Reference
from refdesk.desk.knowing import agent_to_ask, measured, readable
from refdesk.desk.parts import Parts
from refdesk.desk.searching import find_in
from refdesk.errors import Failed, NotFound, UsageError
from refdesk.ids import new_id
from refdesk.search import Found
from refdesk.search.question import checked_question

if TYPE_CHECKING:
    from refdesk.results.calls import Call, CallFound, IssuedText, StartedCall

log = logging.getLogger(__name__)


class Calls:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def start(self, agent: str, *, tool_characters: int = 0) -> StartedCall:
        """``agent`` by name or id; ``tool_characters``: of the schemas that the caller's own tools add to the
        prompt, which count in what fits there (RUN1)."""
        from refdesk.answer.calls import started
        from refdesk.catalog.common import now

        parts = self._parts
        row = agent_to_ask(parts, agent, "run.create")
        asked = measured(parts, row, tool_characters)
        made = new_id("call")
        parts.catalog.calls.insert(
            {
                "id": made,
                "project_id": parts.project.id,
                "agent": asked.id,
                "agent_version": asked.version,
                "knowledge": [asdict(base) for base in asked.bases],
                "knowledge_mode": asked.mode,
                "documents": [_issued(one, None) for one in asked.texts],
                "person": parts.principal.name,
                "created_at": now(),
            }
        )
        return started(self._known(made), asked.prompt, asked.texts, parts.policy)

    def get(self, call: str) -> Call:
        return self._authorized("run.read", call)

    def search(self, call: str, query: str) -> CallFound:
        """In what the agent knew when the call began and is granted still, within the policy's budget of a
        search. Raises ``Refusal`` (``searches_used_up``, and for a question that is not accepted),
        ``UsageError`` (``wrong_state``) where this call does not search."""
        from refdesk.answer.tools import reply
        from refdesk.results.calls import CallFound

        parts = self._parts
        known = self._authorized("call.search", call)
        if known.knowledge_mode != "search":
            raise UsageError(
                f"This call does not search: its knowledge is {known.knowledge_mode}, as its start said.",
                code="wrong_state",
            )
        query = checked_question(query, parts.policy.search)
        limit = parts.policy.search.per_call
        number = parts.catalog.calls.begin_search(call, query, limit)
        found = self._found(known, query)
        parts.catalog.calls.end_search(call, number, _ended(found))
        left = None if limit is None else limit - number
        return CallFound(number, left, found, reply(query, found, parts.policy))

    def _found(self, call: Call, query: str) -> Found:
        bases = readable(self._parts, call.agent, [base.id for base in call.knowledge])
        try:
            return find_in(self._parts, query, bases)
        except Failed as error:  # SRCH8: the caller may read the message to its model
            log.error("call search failed code=%s cause=%s", error.code, error.message)
            raise Failed("The lookup is unavailable.", code=error.code) from error

    def _authorized(self, action: str, call: str) -> Call:
        found = self._find(call)
        self._parts.authorize(
            action, owner=found.person if found else None, agent=found.agent if found else None
        )
        if found is None:
            raise NotFound(f"There is no call {call!r} in project {self._parts.project.slug}.")
        return found

    def _known(self, call: str) -> Call:
        found = self._find(call)
        assert found is not None
        return found

    def _find(self, call: str) -> Call | None:
        found = self._parts.catalog.calls.find(self._parts.project.id, call)
        return None if found is None else _call(*found, self._parts.policy.search.per_call)


def _ended(found: Found) -> dict[str, Any]:
    from refdesk.answer.references import references_of

    passages = [_issued(one, one.position) for one in references_of(found)]
    return {"answered_by": found.answered_by, "took_ms": round(found.took_ms, 2), "passages": passages}


def _issued(reference: Reference, position: int | None) -> dict[str, Any]:
    digest = hashlib.sha256(reference.text.encode()).hexdigest()
    named = {"document": reference.document, "version": reference.version}
    return {**named, "position": position, "sha256": digest}


def _call(row: Mapping[str, Any], searches: Sequence[Mapping[str, Any]], limit: int | None) -> Call:
    from refdesk.results.calls import Call, CallSearch

    values = {name: value for name, value in row.items() if name != "project_id"}
    values["knowledge"] = tuple(KnownBase(**base) for base in row["knowledge"])
    values["documents"] = _texts(row["documents"])
    return Call(
        **values,
        searches_limit=limit,
        searches=tuple(
            CallSearch(
                number=one["number"],
                query=one["query"],
                at=one["at"],
                answered_by=one["answered_by"],
                took_ms=one["took_ms"],
                passages=None if one["passages"] is None else _texts(one["passages"]),
            )
            for one in searches
        ),
    )


def _texts(kept: Sequence[Mapping[str, Any]]) -> tuple[IssuedText, ...]:
    from refdesk.results.calls import IssuedText

    return tuple(IssuedText(**one) for one in kept)
