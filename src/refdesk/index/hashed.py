"""Terms as 64-bit numbers, the same in every process, and the terms of a passage by their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

from refdesk.index.memory import Memory

MOST_COUNTED = 65_535
"""A term that is more frequent in one passage counts as this; BM25 sees no difference."""


class Hashed(NamedTuple):
    """The hashes of a passage's terms, eight bytes each, and how often it holds each, two bytes each; of
    both the lowest byte first."""

    hashes: bytes
    counts: bytes


def term_hash(term: str) -> bytes:
    """Eight bytes, the lowest first."""
    try:
        return blake2b(term.encode(), digest_size=8).digest()
    except UnicodeEncodeError:
        return blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def hash_each(terms: Sequence[str]) -> list[bytes]:
    """As ``term_hash`` makes them, in less time: to copy a beginning takes a fourth less than to begin."""
    try:
        encoded = list(map(str.encode, terms))
    except UnicodeEncodeError:
        return list(map(term_hash, terms))
    begin, digests = blake2b(digest_size=8).copy, []
    for term in encoded:
        begun = begin()
        begun.update(term)
        digests.append(begun.digest())
    return digests


HASHES = Memory(term_hash, 1 << 16)
