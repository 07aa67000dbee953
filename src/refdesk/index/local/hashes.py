"""Terms as 64-bit numbers, the same in every process."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]


@lru_cache(maxsize=1 << 16)
def term_hash(term: str) -> int:
    digest = blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def term_hashes(terms: Iterable[str], count: int) -> Hashes:
    return np.fromiter(map(term_hash, terms), np.uint64, count)
