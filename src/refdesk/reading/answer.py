"""What a child says of one document, and how long it may take: neither is taken on trust."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Self

from refdesk.reading import frames
from refdesk.reading.figures import REASONS
from refdesk.reading.limits import Limits


@dataclass(slots=True)
class Clocks:
    """Seconds left on each clock; only one runs at a time (FIG2: preparing has its own)."""

    left: dict[str, float]
    running: str = "read"
    since: float = field(default_factory=time.monotonic)

    @classmethod
    def of(cls, limits: Limits) -> Self:
        return cls({"read": limits.read_seconds, "prepare": limits.prepare_seconds})

    def switch(self, clock: str) -> None:
        if clock not in self.left:
            raise frames.BadFrame
        now = time.monotonic()
        self.left[self.running] -= now - self.since
        self.running, self.since = clock, now

    def remaining(self) -> float:
        return self.left[self.running] - (time.monotonic() - self.since)


@dataclass(slots=True)
class Answer:
    """``cut_by`` says what kept the child from its end: deadline or decode. ``again``: it can go on."""

    limits: Limits
    text: dict[str, Any] | None = None
    problem: dict[str, Any] | None = None
    figures: list[tuple[dict[str, Any], bytes]] = field(default_factory=list)
    not_kept: Counter[str] = field(default_factory=Counter)
    cut_by: str | None = None
    again: bool = False

    def takes(self, frame: frames.Frame, clocks: Clocks) -> bool:
        """Whether more is to come; ``BadFrame`` for what no sane child says."""
        if frame.tag == frames.TEXT:
            self.text = frame.fields
        elif frame.tag == frames.PROBLEM:
            self.problem = frame.fields
        elif frame.tag == frames.PHASE:
            clocks.switch(str(frame.fields.get("clock")))
        elif frame.tag == frames.FIGURE:
            self._take_figure(frame)
        elif frame.tag == frames.NOT_KEPT:
            self._take_not_kept(frame.fields)
        elif frame.tag == frames.END:
            self.again = frame.fields.get("again") is True
            return False
        else:
            raise frames.BadFrame
        return True

    def _take_figure(self, frame: frames.Frame) -> None:
        is_webp = frame.body[:4] == b"RIFF" and frame.body[8:12] == b"WEBP"
        if len(self.figures) == self.limits.max_figures or (frame.body and not is_webp):
            raise frames.BadFrame
        self.figures.append((frame.fields, frame.body))

    def _take_not_kept(self, told: dict[str, Any]) -> None:
        if not all(reason in REASONS and type(count) is int for reason, count in told.items()):
            raise frames.BadFrame
        self.not_kept.update(told)
