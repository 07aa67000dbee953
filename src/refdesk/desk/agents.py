"""Agents as their users see them: a prompt, a model, and the bases that each was granted."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, get_args

from refdesk.answer.model import QUOTING
from refdesk.catalog.agents import AgentRow, AgentVersion
from refdesk.catalog.common import name_key
from refdesk.catalog.grants import Granting
from refdesk.desk.knowing import mode_of
from refdesk.desk.naming import as_stored, check_text
from refdesk.desk.parts import Parts
from refdesk.errors import UsageError
from refdesk.policy.model import Grounding
from refdesk.results.agents import Agent, AgentKind, KnowledgeMode
from refdesk.unset import UNSET, Unset

if TYPE_CHECKING:
    from refdesk.desk.bases import Base

__all__ = ["Agent", "Agents"]

MAX_PROMPT = 100_000  # characters
_MODEL = re.compile(r"[A-Za-z][\w-]{0,39}:[^\s\x00-\x1f\x7f-\x9f\ud800-\udfff]{1,160}", re.ASCII)


class Agents:
    def __init__(self, parts: Parts) -> None:
        self._parts = parts

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
        wanted = list(bases)
        self._parts.authorize("agent.grant" if wanted else "agent.write")
        parts = self._parts
        values = _checked(
            {
                "name": name,
                "prompt": prompt,
                "model": model,
                "kind": kind,
                "grounding": grounding or parts.policy.agents.grounding,
            }
        )
        row = parts.catalog.agents.create(
            parts.project, values, self._ids(wanted), self._granting(), parts.actor
        )
        return self._measured(row)

    def get(self, name_or_id: str) -> Agent:
        return self._measured(self._read(name_or_id))

    def list(self, *, name: str | None = None) -> Sequence[Agent]:
        """The oldest first; for a key that is bound to one, that one. ``name``: the one of this name."""
        parts = self._parts
        parts.authorize("agent.read", agent=parts.principal.agent)
        rows = parts.catalog.agents.all(parts.project)
        if name is not None:
            rows = [row for row in rows if name_key(row.name) == name_key(name)]
        return [_agent(row, None) for row in rows if parts.principal.agent in {None, row.id}]

    def history(self, name_or_id: str) -> Sequence[AgentVersion]:
        """What it was at each of its versions, the oldest first (KB3)."""
        return self._parts.catalog.agents.history(self._read(name_or_id).id)

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
        parts = self._parts
        parts.authorize("agent.write" if isinstance(bases, Unset) else "agent.grant")
        row = parts.catalog.agents.get(parts.project, name_or_id)
        given = {"name": name, "prompt": prompt, "model": model, "kind": kind, "grounding": grounding}
        parts.catalog.agents.update(
            row,
            _checked({key: value for key, value in given.items() if not isinstance(value, Unset)}),
            None if isinstance(bases, Unset) else self._ids(bases),
            self._granting(),
            expected=expected,
            actor=parts.actor,
        )
        return self._measured(parts.catalog.agents.get(parts.project, row.id))

    def delete(self, name_or_id: str, *, expected: Collection[int] | None = None) -> None:
        """For good; keys that are bound to it are revoked. ``expected`` as for ``update``."""
        parts = self._parts
        parts.authorize("agent.write")
        row = parts.catalog.agents.get(parts.project, name_or_id)
        parts.catalog.agents.delete(row, expected=expected, actor=parts.actor)

    def _read(self, name_or_id: str) -> AgentRow:
        parts = self._parts
        row = parts.catalog.agents.find(parts.project, name_or_id)
        parts.authorize("agent.read", agent=row.id if row else None)
        return row or parts.catalog.agents.missing(parts.project, name_or_id)

    def _ids(self, bases: Iterable[Base | str]) -> Sequence[str]:
        """Each once."""
        named = [base if isinstance(base, str) else base.id for base in bases]
        located = [self._parts.catalog.bases.locate(self._parts.project, as_stored(name)) for name in named]
        return list(dict.fromkeys(base.id for base in located))

    def _granting(self) -> Granting:
        policy = self._parts.policy
        company = not policy.bases.company_needs_platform_admin or self._parts.permits("agent.grant_company")
        return Granting(policy.agents.max_bases, company)

    def _measured(self, row: AgentRow) -> Agent:
        return _agent(row, mode_of(self._parts, row))


def _agent(row: AgentRow, mode: KnowledgeMode | None) -> Agent:
    return Agent(
        id=row.id,
        name=row.name,
        prompt=row.prompt,
        model=row.model,
        kind=row.kind,
        grounding=row.grounding,
        version=row.version,
        knowledge_base_ids=row.bases,
        knowledge_mode=mode,
    )


def _checked(values: dict[str, str | None]) -> dict[str, str | None]:
    """All but the name, which is compared with the others'."""
    for key, value in values.items():
        if value is None:
            if key != "model":
                raise UsageError(f"An agent's {key} is a text, and none was given.", code="bad_value")
        elif key in _CHECKS:
            _CHECKS[key](value)
    return values


def _check_prompt(prompt: str) -> None:
    if len(prompt) > MAX_PROMPT:
        raise UsageError(
            f"The prompt has {len(prompt):,} characters; at most {MAX_PROMPT:,} are accepted: shorten it.",
            code="bad_value",
            limit=MAX_PROMPT,
            actual=len(prompt),
        )
    check_text(prompt, "prompt")


def _check_model(model: str) -> None:
    if model != QUOTING and not _MODEL.fullmatch(model):
        raise UsageError(
            f"{model[:80]!r} names no model: write provider:model, such as openai:gpt-5, or {QUOTING}.",
            code="bad_value",
        )


def _check_kind(kind: str) -> None:
    _one_of(get_args(AgentKind), kind, "kind of agent")


def _check_grounding(grounding: str) -> None:
    _one_of(get_args(Grounding), grounding, "grounding mode")


def _one_of(known: Sequence[str], given: str, what: str) -> None:
    if given not in known:
        raise UsageError(
            f"There is no {what} {given[:80]!r}; there are {', '.join(known)}.", code="bad_value"
        )


_CHECKS: dict[str, Callable[[str], None]] = {
    "prompt": _check_prompt,
    "model": _check_model,
    "kind": _check_kind,
    "grounding": _check_grounding,
}
