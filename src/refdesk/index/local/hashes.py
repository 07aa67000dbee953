"""Terms as 64-bit numbers, the same in every process."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]


@lru_cache(maxsize=1 << 17)
def term_hash(term: str) -> bytes:
    """Eight bytes, the lowest first."""
    return blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def term_hashes(terms: Iterable[str], count: int) -> Hashes:
    return np.frombuffer(b"".join(map(term_hash, terms)), np.dtype("<u8"), count)
