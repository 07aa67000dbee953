"""Terms as 64-bit numbers, the same in every process."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from refdesk.index.memory import Memory

Hashes = NDArray[np.uint64]


def term_hash(term: str) -> bytes:
    """Eight bytes, the lowest first."""
    return blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest()


_KNOWN = Memory(term_hash, 1 << 16)


def term_hashes(terms: Iterable[str], count: int) -> Hashes:
    return np.frombuffer(b"".join(map(_KNOWN.__getitem__, terms)), np.dtype("<u8"), count)
