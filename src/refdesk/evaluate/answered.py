"""What asking a set's queries gave: each query's outcome, and the shares that are reported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from refdesk.evaluate.metrics import percentile

Share = float | None
"""0-1; ``None`` where there is nothing that it is a share of."""


@dataclass(frozen=True, slots=True)
class Answered:
    """One query. ``citations`` are all that the answer made, ``invalid`` those of them that were not issued;
    ``holds`` tells whether what is cited holds the answer (``None``: the set does not know)."""

    covered: bool
    answered: bool
    took_ms: float
    type: str | None = None
    citations: int = 0
    invalid: int = 0
    supported: int = 0
    holds: bool | None = None
    cost: float | None = 0.0


@dataclass(frozen=True)
class Answers:
    """``model`` answered them."""

    model: str
    each: Sequence[Answered]

    @cached_property
    def shares(self) -> Shares:
        return Shares(self.each)

    @property
    def by_type(self) -> dict[str, Shares]:
        """Types in the order in which queries have them; empty where none has one."""
        groups: dict[str, list[Answered]] = {}
        for one in self.each:
            if one.type is not None:
                groups.setdefault(one.type, []).append(one)
        return {name: Shares(group) for name, group in groups.items()}

    def to_dict(self) -> dict[str, object]:
        return {
            "model": self.model,
            **self.shares.to_dict(),
            "cost": _whole([one.cost for one in self.each]),
            "p50_ms": round(percentile([one.took_ms for one in self.each], 0.5), 2),
        }


class Shares:
    """``covered`` and ``uncovered`` count queries with and without qrels. Of covered ones ``answered``, of
    uncovered ones ``refused``; of citations ``valid`` and ``supported``; of answers to covered ones that cite
    something ``holds``: their cited passages hold the answer."""

    def __init__(self, each: Sequence[Answered]) -> None:
        covered = [one for one in each if one.covered]
        uncovered = [one for one in each if not one.covered]
        self.covered, self.uncovered = len(covered), len(uncovered)
        self.citations = sum(one.citations for one in each)
        self.answered = _share(sum(one.answered for one in covered), self.covered)
        self.refused = _share(sum(not one.answered for one in uncovered), self.uncovered)
        self.valid = _share(self.citations - sum(one.invalid for one in each), self.citations)
        self.supported = _share(sum(one.supported for one in each), self.citations)
        known = [one.holds for one in covered if one.holds is not None]
        self.holds = _share(sum(known), len(known))

    def to_dict(self) -> Mapping[str, int | Share]:
        return {
            "covered": self.covered,
            "answered": _rounded(self.answered),
            "uncovered": self.uncovered,
            "refusal_accuracy": _rounded(self.refused),
            "citations": self.citations,
            "citation_validity": _rounded(self.valid),
            "citations_supported": _rounded(self.supported),
            "cited_passage_contains_answer": _rounded(self.holds),
        }


def _whole(costs: Sequence[float | None]) -> float | None:
    """``None`` where nobody knows what one of them cost."""
    known = [cost for cost in costs if cost is not None]
    return round(sum(known), 6) if len(known) == len(costs) else None


def _share(part: int, whole: int) -> Share:
    return part / whole if whole else None


def _rounded(share: Share) -> Share:
    return None if share is None else round(share, 4)
