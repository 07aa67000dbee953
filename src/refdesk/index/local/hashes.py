"""Terms as 64-bit numbers, in arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from refdesk.index.hashed import HASHES, MOST_COUNTED, Hashed

Hashes = NDArray[np.uint64]


def term_hashes(terms: Iterable[str], count: int) -> Hashes:
    return np.frombuffer(b"".join(map(HASHES.__getitem__, terms)), np.dtype("<u8"), count)


def hashed(terms: Mapping[str, int]) -> Hashed:
    counts = np.minimum(np.fromiter(terms.values(), np.int64, len(terms)), MOST_COUNTED)
    return Hashed(term_hashes(terms, len(terms)).tobytes(), counts.astype("<u2").tobytes())
