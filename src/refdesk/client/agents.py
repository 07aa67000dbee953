"""Agents, each with the bases that it was granted."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from refdesk.client.http import Http
from refdesk.client.places import quoted
from refdesk.client.shaped import shaped
from refdesk.errors import NotFound
from refdesk.ids import is_id
from refdesk.results.agents import Agent, AgentKind
from refdesk.unset import UNSET, Unset

if TYPE_CHECKING:
    from refdesk.client.bases import Base
    from refdesk.policy.model import Grounding

_PATH = "/agents"


class Agents:
    def __init__(self, http: Http) -> None:
        self._http = http

    def create(
        self,
        name: str,
        *,
        prompt: str = "",
        model: str | None = None,
        kind: AgentKind = "text",
        grounding: Grounding | None = None,
        bases: Iterable[Base | str] = (),
    ) -> Agent:
        """``bases`` by object, name or id: it is granted these. Grounding is the policy's unless told. Raises
        ``UsageError`` (``bad_name``, ``name_taken``, ``bad_value``), ``Refusal`` (``too_many_grants``)."""
        table = {
            "name": name,
            "prompt": prompt,
            "model": model,
            "kind": kind,
            "grounding": grounding,
            "knowledge_base_ids": self._ids(bases),
        }
        return _agent(self._http.create(_PATH, table))

    def get(self, name_or_id: str) -> Agent:
        return _agent(self._http.get(agent_path(self._http, name_or_id)))

    def list(self, *, name: str | None = None) -> Sequence[Agent]:
        """The oldest first; for a key that is bound to one, that one. ``name``: the one of this name."""
        return [_agent(one) for one in self._http.items(_PATH, name=name)]

    def update(
        self,
        name_or_id: str,
        *,
        name: str | Unset = UNSET,
        prompt: str | Unset = UNSET,
        model: str | Unset | None = UNSET,
        kind: AgentKind | Unset = UNSET,
        grounding: Grounding | Unset = UNSET,
        bases: Iterable[Base | str] | Unset = UNSET,
        expected: Collection[int] | None = None,
    ) -> Agent:
        """Changes what is given, which makes its next version; ``bases`` replace those that it has. Raises
        what ``create`` does, and ``UsageError`` (``changed_meanwhile``) where its version is none of
        ``expected``."""
        given = {"name": name, "prompt": prompt, "model": model, "kind": kind, "grounding": grounding}
        table: dict[str, Any] = {key: value for key, value in given.items() if not isinstance(value, Unset)}
        if not isinstance(bases, Unset):
            table["knowledge_base_ids"] = self._ids(bases)
        path = agent_path(self._http, name_or_id)
        changed = self._http.send("PATCH", path, table=table, headers=_if_match(expected))
        return _agent(changed.json())

    def delete(self, name_or_id: str, *, expected: Collection[int] | None = None) -> None:
        """For good; keys that are bound to it are revoked. ``expected`` as for ``update``."""
        self._http.send("DELETE", agent_path(self._http, name_or_id), headers=_if_match(expected))

    def _ids(self, bases: Iterable[Base | str]) -> Sequence[str]:
        return [self._id(base) if isinstance(base, str) else base.id for base in bases]

    def _id(self, name_or_id: str) -> str:
        if is_id(name_or_id, "kb"):
            return name_or_id
        for base in self._http.items("/knowledge-bases", name=name_or_id):
            return str(base["id"])
        raise NotFound(f"There is no base {name_or_id!r} in the project of the key.")


def agent_path(http: Http, name_or_id: str) -> str:
    """Raises ``NotFound``."""
    if is_id(name_or_id, "agt"):
        return f"{_PATH}/{name_or_id}"
    for agent in http.items(_PATH, name=name_or_id):
        return f"{_PATH}/{quoted(agent['id'])}"
    raise NotFound(f"There is no agent {name_or_id!r} in the project of the key.")


def _agent(table: Mapping[str, Any]) -> Agent:
    return shaped(Agent, table, knowledge_base_ids=tuple(table["knowledge_base_ids"]))


def _if_match(expected: Collection[int] | None) -> Mapping[str, str]:
    if expected is None:
        return {}
    return {"If-Match": ", ".join(f'"{version}"' for version in expected)}
