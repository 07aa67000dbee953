"""What the benchmark asks of an engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from speed.given import Document

    Vector = NDArray[float32]

Mode = Literal["keyword", "meaning", "hybrid"]


class Hit(NamedTuple):
    """``key`` as in the data's passages."""

    key: str
    text: str


class Search(Protocol):
    def __call__(self, bases: Sequence[int], question: str, vector: Any, k: int) -> list[Hit]:
        """``vector`` is the question's, which a search by keyword does not look at."""
        ...


class Engine(Protocol):
    """Bases are numbered from 0. Every search gives the texts of its hits, best first.

    ``searches`` are what the engine documents for use without a service; ``several`` is whether one call
    searches bases together, and without it every call names one.
    """

    searches: Mapping[Mode, Search]
    several: bool

    def build(self) -> None:
        """All of the data, with every index; what it leaves is complete on disk."""
        ...

    def open(self) -> None:
        """As a new process does before its first question."""
        ...

    def add(self, base: int, document: Document) -> None:
        """Found by the next search when it returns. Raises ``NotImplementedError``, as ``delete`` does, where
        the engine would build all of its data anew."""
        ...

    def delete(self, base: int, document: Document) -> None:
        """Found by no search any more when it returns."""
        ...

    def clean(self) -> bool:
        """The deleted bytes leave the disk by the engine's documented way; false where ``delete`` has done
        it already, or no way inside the process is documented."""
        ...

    def close(self) -> None: ...
