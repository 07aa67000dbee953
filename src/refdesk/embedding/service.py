"""An embedding service somewhere else: batches, patience and checks, the same for every provider.

A service promises no bit-equal vectors on a rerun, and costs money: what it made is kept and reused.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pydantic import SecretStr

from refdesk.embedding.batches import Limits, batches
from refdesk.embedding.model import UNEMBEDDABLE, Fingerprint, Interrupted, Vector, Vectors
from refdesk.embedding.trouble import garbage
from refdesk.errors import Failed, UsageError
from refdesk.outgoing.patience import Pace, Patience, persist
from refdesk.outgoing.trouble import Trouble

Rows = Sequence[Sequence[float]]

PROBE = "Is there anybody at the desk?"
"""What an account is tried with: it is nobody's text."""

_DEFAULT = Patience()


@dataclass(frozen=True, slots=True)
class ServiceModel:
    """What is known of a provider's model; ``shortens`` where it makes fewer dimensions on demand."""

    dimensions: int
    max_tokens: int
    shortens: bool = False


class ServiceEmbedder(ABC):
    """Safe to use from several threads. Nothing is asked before the first text."""

    def __init__(
        self,
        fingerprint: Fingerprint,
        label: str,
        limits: Limits,
        *,
        secrets: Sequence[SecretStr] = (),
        patience: Patience | None = None,
        requests_per_minute: float | None = None,
    ) -> None:
        self.fingerprint = fingerprint
        self._label = label
        self._limits = limits
        self._secrets = secrets
        self._patience = patience or _DEFAULT
        self._pace = Pace(requests_per_minute)

    @abstractmethod
    def _ask(self, texts: Sequence[str], question: bool, seconds: float) -> Rows:
        """One request. Raises ``Trouble``."""

    def passages(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> Vectors:
        """Raises ``Interrupted`` with the vectors of the batches before the one that failed."""
        ready = [self._ready(self.fingerprint.passage_prefix + text) for text in texts]
        vectors = np.empty((len(texts), self.fingerprint.dimensions), dtype=np.float32)
        done = 0
        for batch in batches(ready, self._limits):
            try:
                vectors[done : done + len(batch)] = self._persist(batch, False, self._patience.batch)
            except Trouble as trouble:
                raise Interrupted(self._sentence(trouble, batch), vectors[:done]) from None
            done += len(batch)
            if progress is not None:
                progress(len(batch))
        return vectors

    def question(self, text: str) -> Vector:
        sent = [self._ready(self.fingerprint.question_prefix + text)]
        try:
            vector: Vector = self._persist(sent, True, self._patience.question)[0]
        except Trouble as trouble:
            raise Failed(self._sentence(trouble, sent), code="embedding_unavailable") from None
        return vector

    def probe(self) -> int:
        """How many dimensions the vector of one short text has. Raises ``Failed``."""
        sent = [self._ready(self.fingerprint.question_prefix + PROBE)]
        try:
            [vector] = self._tried(sent, True, self._patience.question, None)
        except Trouble as trouble:
            raise Failed(self._sentence(trouble, ()), code="embedding_unavailable") from None
        return len(vector)

    def _ready(self, text: str) -> str:
        return self._limits.cut(UNEMBEDDABLE.sub("", text))

    def _persist(self, texts: Sequence[str], question: bool, total: float) -> Vectors:
        return self._tried(texts, question, total, self.fingerprint.dimensions)

    def _tried(self, texts: Sequence[str], question: bool, total: float, dimensions: int | None) -> Vectors:
        requests = len(texts) if self._limits.texts_count else 1
        rows = persist(
            lambda seconds: self._ask(texts, question, seconds), requests, total, self._patience, self._pace
        )
        return _unit(rows, len(texts), dimensions)

    def _sentence(self, trouble: Trouble, sent: Sequence[str]) -> str:
        kept = (secret.get_secret_value() for secret in self._secrets)
        return trouble.sentence(f"The embedding service {self._label}", [*kept, *sent])


def _unit(rows: Rows, count: int, dimensions: int | None) -> Vectors:
    try:
        made: NDArray[np.float64] = np.array(rows, dtype=np.float64)
    except (TypeError, ValueError):
        raise garbage("its vectors are not all numbers of one length") from None
    if made.ndim != 2 or len(made) != count:
        raise garbage(f"{len(made) if made.ndim else 0} vectors for {count} texts")
    if dimensions is not None and made.shape[1] != dimensions:
        raise garbage(f"vectors of {made.shape[1]} dimensions, and the account says {dimensions}")
    lengths = np.sqrt(np.sum(made * made, axis=1, keepdims=True))
    if not (np.isfinite(lengths).all() and (lengths > 0).all()):
        raise garbage("a vector without a direction")
    unit: Vectors = (made / lengths).astype(np.float32)
    return unit


def described(
    provider: str, model: str, known: ServiceModel | None, dimensions: int | None, **more: str
) -> Fingerprint:
    """A provider's model; ``more`` are prefixes. Raises ``UsageError`` where nobody says how
    many dimensions it has, or the model has others."""
    if known is None and dimensions is None:
        raise UsageError(
            f"How many dimensions the vectors of {model} have is not known: give its `dimensions`."
        )
    if known and dimensions and dimensions != known.dimensions and not known.shortens:
        raise UsageError(f"{model} makes vectors of {known.dimensions} dimensions, not of {dimensions}.")
    prefixes = {"question_prefix": "", "passage_prefix": ""} | more
    return Fingerprint(
        provider=provider,
        model=model,
        sha256="",
        dimensions=dimensions or (known.dimensions if known else 0),
        pooling="service",
        max_tokens=known.max_tokens if known else 0,
        **prefixes,
    )


def secret(value: SecretStr | str, what: str) -> SecretStr:
    """Kept so that nothing prints it. Raises ``UsageError`` where it cannot be one, without showing it."""
    plain = value.get_secret_value() if isinstance(value, SecretStr) else value
    plain = plain.strip()
    if not plain or not plain.isascii() or not plain.isprintable():
        raise UsageError(f"The {what} is empty or has characters that none has: check how it was copied.")
    return SecretStr(plain)
