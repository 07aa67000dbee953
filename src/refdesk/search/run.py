"""What the steps of one search share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from refdesk.embedding.model import Vector
from refdesk.policy.model import Mode
from refdesk.search.halves import DEPTH, Meaning, Searched

SPARE = 3  # with a budget of characters so many times more are ranked, to fill up what it skips


@dataclass(frozen=True, slots=True)
class Run:
    """A question as it was accepted. ``vector`` makes its vector, ``fit`` are the bases that can be compared
    with it, ``most`` the characters that may be issued, ``limit`` a ``time.monotonic()`` instant,
    ``until`` the one from which on meaning is waited for no longer."""

    question: str
    bases: Sequence[Searched]
    meaning: Meaning | None
    vector: Callable[[], Vector]
    fit: Sequence[Searched]
    mode: Mode
    k: int
    floor: float | None
    most: int | None
    limit: float | None
    until: float | None

    @property
    def spare(self) -> int:
        return 0 if self.most is None else self.k * SPARE

    @property
    def enough(self) -> int:
        """Distinct texts of each half."""
        wanted = self.k + self.spare
        return max(DEPTH, wanted) if self.fit and self.mode == "hybrid" else wanted

    def similarity(self, cosine: float | None) -> float | None:
        if cosine is None or self.meaning is None:
            return None
        return round(self.meaning.similarity(cosine), 4)
