"""A segment: the postings, vectors and places of some passages, as arrays. It never changes.

``rows`` number the passages of the segment from 0 in the order of their keys; the postings of term ``t``
are ``offsets[t]:offsets[t + 1]`` of ``rows`` and ``counts``; ``hashes`` is sorted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refdesk.index.local.arrays import Bytes, Lengths, Mask, Rows, Signs
from refdesk.index.local.hashes import Hashes
from refdesk.index.local.signs import signs_of
from refdesk.index.local.vectors import lengths

EMBEDDED, DEAD = 1, 2
"""Flags of a row."""
_GATHERED_AT_ONCE = 100_000


@dataclass(frozen=True, slots=True)
class Segment:
    """``documents`` are places in the sorted ``names`` (UTF-8 behind each other, ended by ``name_ends``);
    ``vectors`` has a row of zeros for a passage without one, ``lengths`` are its rows'; ``signs`` and their
    ``centre`` are empty in a small segment, whose vectors are all compared. What was scrubbed is zeros:
    postings with a count of 0, names that begin with NUL; its rows have the flag ``DEAD`` and an infinite
    length."""

    hashes: Hashes
    offsets: NDArray[np.int64]
    rows: Rows
    counts: NDArray[np.uint16]
    keys: NDArray[np.int64]
    words: NDArray[np.uint32]
    documents: NDArray[np.uint32]
    versions: NDArray[np.int64]
    positions: NDArray[np.uint32]
    digests: NDArray[np.uint8]
    flags: NDArray[np.uint8]
    vectors: Bytes
    lengths: Lengths
    signs: Signs
    centre: NDArray[np.float32]
    names: NDArray[np.uint8]
    name_ends: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.keys)

    def name(self, place: int) -> str:
        start = int(self.name_ends[place - 1]) if place else 0
        return self.names[start : int(self.name_ends[place])].tobytes().decode()

    def names_of(self, documents: NDArray[np.uint32]) -> list[str]:
        """The names of some rows' documents."""
        held, ends = self.names.data, self.name_ends.take(documents)
        starts = np.where(documents > 0, self.name_ends.take(documents - np.uint32(1), mode="clip"), 0)
        spans = zip(starts.tolist(), ends.tolist(), strict=True)
        return [str(held[start:end], "utf-8") for start, end in spans]

    def dead(self) -> Mask | None:
        """The rows that were scrubbed, ``None`` where none was."""
        scrubbed = (self.flags & DEAD) != 0
        return scrubbed if scrubbed.any() else None

    def place_of(self, name: str) -> tuple[int, bool]:
        """Where ``name`` stands or would stand among the documents, and whether it does."""
        low, high = 0, len(self.name_ends)
        while low < high:
            middle = (low + high) // 2
            left = middle
            while left >= low and self.name(left).startswith("\0"):
                left -= 1
            if left < low or self.name(left) < name:
                low = middle + 1
            else:
                high = left
        return low, low < len(self.name_ends) and self.name(low) == name

    def find(self, hashes: Hashes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The start and end of each term's postings; both 0 where no passage holds it."""
        if not len(self.hashes):
            nothing = np.zeros(len(hashes), np.int64)
            return nothing, nothing
        places = np.searchsorted(self.hashes, hashes)
        known = self.hashes.take(places, mode="clip") == hashes
        places *= known  # an unknown term has the place of the first, and no length
        starts = self.offsets.take(places)
        places += known
        return starts, self.offsets.take(places)


SECTIONS = tuple(field.name for field in fields(Segment))


@dataclass(frozen=True, slots=True)
class Passages:
    """Passages as they come from the truth, in the order of their keys; ``hashes`` and ``counts`` of all
    of them behind each other, ``terms`` of each."""

    keys: NDArray[np.int64]
    documents: Sequence[str]
    versions: NDArray[np.int64]
    positions: NDArray[np.uint32]
    words: NDArray[np.uint32]
    digests: NDArray[np.uint8]
    embedded: NDArray[np.bool_]
    vectors: Bytes
    hashes: Hashes
    counts: NDArray[np.uint16]
    terms: NDArray[np.int64]


def build(passages: Passages) -> Segment:
    order = np.argsort(passages.hashes, kind="stable")
    owners = np.repeat(np.arange(len(passages.keys), dtype=np.uint32), passages.terms)
    hashes, offsets = _distinct(passages.hashes[order])
    names = sorted(set(passages.documents))
    place = {name: i for i, name in enumerate(names)}
    packed, ends = _pack(names)
    its_lengths = lengths(passages.vectors)
    signs, centre = signs_of(passages.vectors, its_lengths)
    return Segment(
        hashes=hashes,
        offsets=offsets,
        rows=owners[order],
        counts=passages.counts[order],
        keys=passages.keys,
        words=passages.words,
        documents=np.fromiter((place[d] for d in passages.documents), np.uint32, len(passages.keys)),
        versions=passages.versions,
        positions=passages.positions,
        digests=passages.digests,
        flags=passages.embedded.astype(np.uint8) * EMBEDDED,
        vectors=passages.vectors,
        lengths=its_lengths,
        signs=signs,
        centre=centre,
        names=packed,
        name_ends=ends,
    )


def combine(segments: Sequence[Segment], dead: Sequence[Mask | None]) -> Segment:
    """One segment of several, in their order, without the passages that are dead."""
    living = [_living(segment, mask) for segment, mask in zip(segments, dead, strict=True)]
    used = ((segment, i) for segment, keep in _each(segments, living) for i in _used(segment, keep))
    names = sorted({segment.name(int(i)) for segment, i in used})
    packed, ends = _pack(names)
    hashes, offsets, rows, counts = _combined_postings(segments, living)

    def kept(section: str) -> NDArray[Any]:
        return np.concatenate([getattr(segment, section)[keep] for segment, keep in _each(segments, living)])

    vectors, its_lengths = _vectors(segments, living), kept("lengths")
    return Segment(
        hashes, offsets, rows, counts, kept("keys"), kept("words"), _renamed(segments, living, names),
        kept("versions"), kept("positions"), kept("digests"), kept("flags"), vectors, its_lengths,
        *signs_of(vectors, its_lengths), packed, ends,
    )  # fmt: skip


Living = NDArray[np.int64]


def _each(segments: Sequence[Segment], living: Sequence[Living]) -> zip[tuple[Segment, Living]]:
    return zip(segments, living, strict=True)


def _living(segment: Segment, dead: Mask | None) -> Living:
    return np.arange(len(segment)) if dead is None else np.flatnonzero(~dead)


def _used(segment: Segment, keep: Living) -> NDArray[np.uint32]:
    return np.unique(segment.documents[keep])


def _renamed(segments: Sequence[Segment], living: Sequence[Living], names: list[str]) -> NDArray[np.uint32]:
    place = {name: i for i, name in enumerate(names)}
    found = []
    for segment, keep in _each(segments, living):
        new = np.zeros(len(segment.name_ends), np.uint32)
        for i in _used(segment, keep):
            new[i] = place[segment.name(int(i))]
        found.append(new[segment.documents[keep]])
    return np.concatenate(found)


def _vectors(segments: Sequence[Segment], living: Sequence[Living]) -> Bytes:
    dimensions = max(segment.vectors.shape[1] for segment in segments)
    vectors = np.zeros((sum(map(len, living)), dimensions), np.int8)
    start = 0
    for segment, keep in _each(segments, living):
        if segment.vectors.shape[1]:
            vectors[start : start + len(keep)] = segment.vectors[keep]
        start += len(keep)
    return vectors


Postings = tuple[Hashes, NDArray[np.int64], Rows, NDArray[np.uint16]]


def _combined_postings(segments: Sequence[Segment], living: Sequence[Living]) -> Postings:
    parts: list[Postings] = []
    first = 0
    for segment, keep in _each(segments, living):
        parts.append(_renumbered(segment, keep, first))
        first += len(keep)
    hashes = np.concatenate([part[0] for part in parts])
    lengths = np.concatenate([part[1] for part in parts])
    order = np.argsort(hashes, kind="stable")
    starts = (np.cumsum(lengths) - lengths)[order]
    offsets = np.concatenate([[0], np.cumsum(lengths[order])])
    distinct, first_of = _distinct(hashes[order])
    rows = np.concatenate([part[2] for part in parts])
    counts = np.concatenate([part[3] for part in parts])
    return distinct, offsets[first_of], *_gathered(rows, counts, starts, offsets)


def _gathered(
    rows: Rows, counts: NDArray[np.uint16], starts: NDArray[np.int64], offsets: NDArray[np.int64]
) -> tuple[Rows, NDArray[np.uint16]]:
    """Run ``i`` of both begins at ``starts[i]`` and goes to ``offsets[i]:offsets[i + 1]``; taken in steps, as
    many places as a core's cache holds."""
    gathered = np.empty_like(rows), np.empty_like(counts)
    bounds = np.searchsorted(offsets, np.arange(0, offsets[-1], _GATHERED_AT_ONCE), side="right") - 1
    for first, last in pairwise([*np.unique(bounds).tolist(), len(starts)]):
        begin, end = int(offsets[first]), int(offsets[last])
        places = np.repeat(starts[first:last] - offsets[first:last], np.diff(offsets[first : last + 1]))
        places += np.arange(begin, end)
        rows.take(places, out=gathered[0][begin:end], mode="clip")
        counts.take(places, out=gathered[1][begin:end], mode="clip")
    return gathered


def _renumbered(segment: Segment, keep: Living, first: int) -> Postings:
    """Terms, the number of their postings, and these with the rows of the combined segment."""
    lengths = np.diff(segment.offsets)
    if len(keep) == len(segment):
        return segment.hashes, lengths, segment.rows + np.uint32(first), segment.counts
    new = np.full(len(segment), -1, np.int64)
    new[keep] = np.arange(first, first + len(keep))
    rows = new[segment.rows]
    good = (rows >= 0) & (segment.counts > 0)
    lengths = np.diff(np.concatenate([[0], np.cumsum(good)])[segment.offsets])
    left = lengths > 0
    return segment.hashes[left], lengths[left], rows[good].astype(np.uint32), segment.counts[good]


def _distinct(hashes: Hashes) -> tuple[Hashes, NDArray[np.int64]]:
    """Of sorted hashes the distinct ones, and where each begins, with the end of all behind."""
    if not len(hashes):
        return hashes, np.zeros(1, np.int64)
    first = np.flatnonzero(np.concatenate([[True], hashes[1:] != hashes[:-1]]))
    return hashes[first], np.append(first, len(hashes))


def _pack(names: Sequence[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    encoded = [name.encode() for name in names]
    ends = np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded)))
    return np.frombuffer(b"".join(encoded), np.uint8), ends
