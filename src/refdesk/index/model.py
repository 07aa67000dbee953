"""The index protocol: one index per base. It proposes candidates; the catalog decides.

The analyzer, embedding, fusion and permission stand above it, once for every engine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from refdesk.embedding.model import Vector
from refdesk.index.hashed import Hashed
from refdesk.index.visibility import Live

DIGEST = 16  # bytes of a digest; the first half is of the text alone

FINGERPRINT = "fingerprint"
"""The setting that names the model of the vectors, absent without vectors ..."""
EXPECTED = "expected"
"""... and the one that names the only model whose vectors may be put: empty for none, absent for any."""
LANGUAGES = "languages"
"""The setting with how many of the versions that the index holds are in each language, as JSON."""

TermKind = Literal["exact", "folded", "stem", "part"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A passage as it is put: its text and the terms of title, section path and text together.

    ``terms`` maps a term (its kind is its first character) or its hash to its count; ``words`` counts words,
    not terms, and is the length that BM25 uses; ``digest`` is 16 bytes: the first 8 are equal for equal
    texts (W9), all 16 for equal texts that were embedded alike, so that their vector can be reused.
    """

    position: int
    text: str
    section: str
    page: int | None
    start: int
    end: int
    digest: bytes
    terms: Mapping[str, int] | Hashed
    words: int
    vector: Vector | None


class Weighted(NamedTuple):
    """A term of a question."""

    term: str
    weight: float
    kind: TermKind


@dataclass(slots=True)
class Statistics:
    """Of one base or, summed, of several; ``holding`` maps a term to the passages that hold it."""

    passages: int = 0
    words: int = 0
    holding: dict[str, int] = field(default_factory=dict)

    @property
    def mean_words(self) -> float:
        return self.words / self.passages if self.passages else 0.0

    def add(self, other: Statistics) -> None:
        self.passages += other.passages
        self.words += other.words
        for term, count in other.holding.items():
            self.holding[term] = self.holding.get(term, 0) + count


class Candidate(NamedTuple):
    """``key`` names the passage inside its index; ``score`` is BM25 or the cosine."""

    key: int
    document: str
    version: int
    position: int
    digest: bytes
    score: float


@dataclass(frozen=True, slots=True)
class Stored:
    """A passage as it is kept."""

    document: str
    version: int
    position: int
    text: str
    section: str
    page: int | None
    start: int
    end: int


class Searchable(Protocol):
    """``deadline`` is a ``time.monotonic()`` instant. ``after`` continues a list behind a candidate; a list
    of fewer than ``k`` has reached its end.

    One object may be used by several threads, and one folder or service by several processes.
    """

    def statistics(self, terms: Sequence[str]) -> Statistics: ...

    def keyword(
        self,
        terms: Sequence[Weighted],
        statistics: Statistics,
        k: int,
        deadline: float | None = None,
        after: Candidate | None = None,
    ) -> list[Candidate]:
        """Exact BM25 over ``statistics``, best first, equal scores by document, then position.

        A term given twice counts twice. When the deadline passes, the rarest terms have been counted and
        the answer is by these.
        """
        ...

    def nearest(
        self, vector: Vector, k: int, deadline: float | None = None, after: Candidate | None = None
    ) -> list[Candidate]:
        """By cosine, best first. Raises ``TimeoutError`` when the deadline passes."""
        ...

    def stored(self, keys: Sequence[int]) -> dict[int, Stored]: ...

    def issued(self, wanted: Sequence[tuple[bytes, int | None]]) -> tuple[dict[int, Stored], list[Candidate]]:
        """Of several distinct texts (the first halves of digests): the passage whose key stands beside each,
        as it is kept, and all passages that have one of the texts, without score, by document and place."""
        ...

    def document(self, document: str, version: int) -> list[Stored]:
        """All passages of a document's version, by position."""
        ...

    def settings(self) -> Mapping[str, str]:
        """What the layer above keeps with the index: fingerprint, analyzer version, languages."""
        ...

    def close(self) -> None:
        """Frees files and connections; the next use opens them again."""
        ...


Check = Callable[[], None]
"""Asked while nobody else can write or drop: what it raises leaves nothing written."""


def unchecked() -> None:
    """For who alone writes."""


class Index(Searchable, Protocol):
    """One that is also written to."""

    def put(
        self,
        document: str,
        version: int,
        entries: Sequence[Entry],
        fingerprint: str | None = None,
        *,
        languages: Sequence[str] = (),
        check: Check = unchecked,
    ) -> None:
        """One commit, beside the old version; putting the same version again replaces it. ``fingerprint``
        is of the model that made the vectors: ``Failed`` (``embedding_changed``) where the index has, or
        expects, those of another. ``languages`` are the document's, and counted until it is dropped."""
        ...

    def drop(self, document: str, below: int | None = None) -> None:
        """All of a document, or its versions below one."""
        ...

    def vectors(self, digests: Sequence[bytes]) -> dict[bytes, Vector]:
        """Vectors already made for texts of these digests, to be reused."""
        ...

    def set_setting(self, name: str, value: str | None) -> None:
        """``None`` takes it away."""
        ...

    def turn_to(self, fingerprint: str | None) -> None:
        """From here on vectors of this model alone are put, none where ``None``. Those of another leave their
        passages, which are found by keyword alone, and are kept."""
        ...

    def keep(
        self, document: str, fingerprint: str, vectors: Mapping[bytes, Vector], *, check: Check = unchecked
    ) -> None:
        """Vectors by digest that a document is to be put with; they go when it is dropped."""
        ...

    def kept(self, fingerprint: str, digests: Sequence[bytes]) -> dict[bytes, Vector]:
        """What was kept, of this model, to be reused."""
        ...

    def merge(self, put: int) -> None:
        """What was put piece by piece is brought together where that makes searches faster and costs little
        beside the ``put`` passages of a caller that now has no other work: it may take seconds."""
        ...

    def tidy(self) -> None:
        """Deleted bytes are physically gone when it returns."""
        ...

    def destroy(self) -> None:
        """The whole index is gone from disk."""
        ...

    def bake(self, folder: Path, documents: Sequence[Live] | None = None) -> None:
        """Its files as they are, to be read by ``open_baked``; with ``documents``, of their versions alone,
        and the manifest says that they may be seen. Raises ``UsageError`` where the folder is not empty."""
        ...
