"""Calls of agents: what an agent knows at the start, and what it looks up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from refdesk.client.agents import agent_path
from refdesk.client.found import found_of
from refdesk.client.http import Http
from refdesk.client.places import quoted
from refdesk.client.shaped import shaped
from refdesk.results.calls import Call, CallFound, CallSearch, IssuedText, StartedCall, Tool
from refdesk.results.runs import KnownBase


class Calls:
    def __init__(self, http: Http) -> None:
        self._http = http

    def start(self, agent: str, *, tool_characters: int = 0) -> StartedCall:
        """``agent`` by name or id; ``tool_characters``: of the schemas that the caller's own tools add to the
        prompt, which count in what fits there."""
        path = f"{agent_path(self._http, agent)}/calls"
        table = self._http.create(path, {"tool_characters": tool_characters})
        tools = tuple(Tool(**one["function"]) for one in table["tools"])
        return StartedCall(_call(table), table["prompt"], table["text"], tools)

    def get(self, call: str) -> Call:
        return _call(self._http.get(call_path(call)))

    def search(self, call: str, query: str) -> CallFound:
        """Raises ``Refusal`` (``searches_used_up``, and for a question that is not accepted), ``UsageError``
        (``wrong_state``) where this call does not search."""
        table = self._http.post(f"{call_path(call)}/search", {"query": query})
        return CallFound(table["number"], table["left"], found_of(table), table["text"])


def call_path(call: str) -> str:
    return f"/calls/{quoted(call)}"


def _call(table: Mapping[str, Any]) -> Call:
    return shaped(
        Call,
        table,
        knowledge=tuple(shaped(KnownBase, one) for one in table["knowledge"]),
        documents=_texts(table["documents"]),
        searches=tuple(
            shaped(CallSearch, one, passages=None if one["passages"] is None else _texts(one["passages"]))
            for one in table["searches"]
        ),
    )


def _texts(tables: Sequence[Mapping[str, Any]]) -> tuple[IssuedText, ...]:
    return tuple(shaped(IssuedText, one) for one in tables)
