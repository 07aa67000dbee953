"""What the answer of one run may rest on: passages that were found before, or that its model looks up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from refdesk.answer.grounding import coverage
from refdesk.answer.guarded import checked, guarded
from refdesk.answer.model import Coverage, Delivery, Reference, RunSearch, Tool, ToolCall
from refdesk.answer.references import references_of
from refdesk.answer.tools import reply_of
from refdesk.errors import Failed, NotFound
from refdesk.policy import Policy
from refdesk.search import Found

_RANK: Sequence[Coverage] = ("empty", "nothing", "doubtful", "found")

Issued = Callable[[Sequence[Reference]], None]
"""Is told every reference that was issued so far."""


def unheard(_: Sequence[Reference]) -> None:
    """An ``Issued`` that tells nobody."""


@dataclass(slots=True)
class Ground:
    """``coverage`` is ``None`` while nothing was looked for; ``notes``: what searches say of themselves."""

    delivery: Delivery
    references: tuple[Reference, ...] = ()
    coverage: Coverage | None = None
    languages: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    took_ms: float = 0.0
    searches: tuple[RunSearch, ...] = ()

    def reply(self, call: ToolCall) -> str:
        """What the model reads. Raises ``Failed`` where it never stops calling."""
        return f"There is no tool {call.name[:80]!r}."


def given(question: str, found: Found, inline: Sequence[Reference] = ()) -> Ground:
    """Found before the model is asked; or ``inline``, whole texts, of which the search tells whether they
    cover the question."""
    covered = coverage(question, found)
    return Ground(
        delivery="inline" if inline else "references",
        references=tuple(inline) or references_of(found),
        coverage="doubtful" if inline and covered != "found" else covered,
        languages=tuple(found.languages),
        notes=_fallbacks(found),
        took_ms=found.took_ms,
    )


@dataclass(frozen=True, slots=True)
class Looking:
    """``find`` takes a tool's arguments: ``query``, and ``top_k`` and ``kb_id`` where they are given.
    ``most``: searches of one run; ``figured`` gives references their figures."""

    tool: Tool
    find: Callable[..., Found]
    most: int
    figured: Callable[[Sequence[Reference]], Sequence[Reference]] = tuple


class LookedUp(Ground):
    """A passage keeps its number, however often it is found."""

    __slots__ = ("_beyond", "_issued", "_looking", "_policy")

    def __init__(self, looking: Looking, policy: Policy, issued: Issued = unheard) -> None:
        super().__init__("tool")
        self._looking, self._policy, self._issued = looking, policy, issued
        self._beyond = 0

    def reply(self, call: ToolCall) -> str:
        if len(self.searches) >= self._looking.most:
            return self._used_up()
        before = len(self.searches)
        said = guarded(call.name, lambda: self._searched(call))
        if len(self.searches) == before:
            self._record(call.arguments or {}, error=said.text)
        return said.text

    def _searched(self, call: ToolCall) -> str:
        if call.name != self._looking.tool.name:
            raise NotFound(f"There is no tool {call.name[:80]!r}; there is {self._looking.tool.name}.")
        wanted = checked(call.arguments or {}, {"query": str, "top_k": int, "kb_id": str})
        found = self._looking.find(**wanted)
        numbered = self._numbered(found)
        self._record(wanted, found, numbered)
        return reply_of(wanted["query"], numbered, coverage(wanted["query"], found), self._policy)

    def _numbered(self, found: Found) -> tuple[Reference, ...]:
        known = {_passage(one): one for one in self.references}
        numbered = []
        for one in self._looking.figured(references_of(found)):
            if _passage(one) not in known:
                known[_passage(one)] = replace(one, number=len(known) + 1)
            numbered.append(known[_passage(one)])
        if len(known) > len(self.references):
            self.references = tuple(known.values())
            self._issued(self.references)
        return tuple(numbered)

    def _record(
        self,
        wanted: Mapping[str, Any],
        found: Found | None = None,
        numbered: Sequence[Reference] = (),
        error: str | None = None,
    ) -> None:
        search = RunSearch(
            number=len(self.searches) + 1,
            query=str(wanted.get("query", ""))[: self._policy.search.question_max],
            base=str(wanted["kb_id"])[:80] if wanted.get("kb_id") else None,
            answered_by=found.answered_by if found else None,
            took_ms=round(found.took_ms, 2) if found else None,
            references=tuple(one.number for one in numbered),
            error=error,
        )
        self.searches = (*self.searches, search)
        if found is not None:
            self.took_ms += found.took_ms
            self.coverage = max(self.coverage or "empty", coverage(search.query, found), key=_RANK.index)
            self.languages = tuple(dict.fromkeys((*self.languages, *found.languages)))
            self.notes = tuple(dict.fromkeys((*self.notes, *_fallbacks(found))))

    def _used_up(self) -> str:
        self._beyond += 1
        if self._beyond > self._looking.most:
            raise Failed(
                f"The model never stopped searching: all {self._looking.most} searches of a run are used up.",
                code="model_unavailable",
                limit=self._looking.most,
            )
        return (
            f"All {self._looking.most} searches are used up. Answer from what was found, or say what was not."
        )


def _passage(reference: Reference) -> tuple[str, int, int]:
    return reference.document, reference.version, reference.position


def _fallbacks(found: Found) -> tuple[str, ...]:
    """What a search says of itself where keyword answered for meaning: the reader of a run must know."""
    return tuple(found.notes) if found.mode != found.answered_by else ()
