"""What screening finds and decides. No shape holds a value that was found, only where it stood."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol, get_args

from refdesk.screening.edits import Edit

FindingClass = Literal["private_key", "credential", "payment_card", "iban", "national_id", "email", "phone"]
Part = str
"""``text``, ``title``, ``name``, or what else belongs to a document (``source_url``, a metadata key)."""
Decision = Literal["allow", "redact", "review_required", "block"]

CLASSES: tuple[FindingClass, ...] = get_args(FindingClass)
"""Gravest first."""

STRICTNESS: tuple[Decision, ...] = ("allow", "redact", "review_required", "block")
"""Mildest first; the strictest of a document's decisions holds."""


def strictest(decisions: Iterable[Decision]) -> Decision:
    return max(decisions, key=STRICTNESS.index, default="allow")


@dataclass(frozen=True, slots=True)
class Spotted:
    """A span of one text, ``text[start:end]``, and who saw what in it."""

    cls: FindingClass
    detector: str
    start: int
    end: int


Detector = Callable[[str], Iterable[Spotted]]


class SecondEngine(Protocol):
    """Another scanner, asked beside our own detectors about each part.

    ``find`` raises ``Failed`` (``screening_unavailable``) where it cannot answer: what could not be
    screened is not accepted.
    """

    def find(self, text: str) -> Iterable[Spotted]: ...


@dataclass(frozen=True, slots=True)
class Finding:
    """``start`` and ``end`` are characters of the part before anything was replaced.

    ``place`` is for people: ``page 3`` where the text has page lines, else ``line 12``; of other parts
    the part.
    """

    cls: FindingClass
    detector: str
    start: int
    end: int
    part: Part
    place: str

    def to_dict(self) -> dict[str, str]:
        return {"class": self.cls, "detector": self.detector, "place": self.place}


@dataclass(frozen=True)
class Screened:
    """``text``, ``title``, ``name`` and ``more`` with each span of a class that the policy redacts replaced;
    ``edits`` are what that was in the text."""

    decision: Decision
    findings: tuple[Finding, ...]
    edits: tuple[Edit, ...]
    text: str
    title: str
    name: str
    more: Mapping[str, str]

    @cached_property
    def counts(self) -> Mapping[FindingClass, int]:
        return Counter(finding.cls for finding in self.findings)

    def __repr__(self) -> str:
        return f"Screened(decision={self.decision!r}, counts={dict(self.counts)!r})"
