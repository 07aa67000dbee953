"""The segments that are files: made of the tail, merged before there are many, made again when lost.

Each holds the passages of a range of keys. The new file is written and on disk before one commit names it
in place of the old ones; these are then unlinked, and live on only where they are mapped.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from refdesk.index.local import files, truth
from refdesk.index.local.lock import writers_lock
from refdesk.index.local.part import Part
from refdesk.index.local.scrub import scrub
from refdesk.index.local.segment import DEAD, Segment, build, combine

LOCK = "lock"
TAIL = 1_000
"""Passages beside the files: each process loads them when it opens, about 0.03 ms each."""
_RATIO = 4
"""A segment takes up the one before it unless that is so many times larger: two or three at 200,000."""
MOST = 250_000
"""Passages at most of a file that is merged of several: who adds the last of them waits 2.5 seconds."""
_LOOSE_SHARE = 16
"""What was put at a stretch is worth one file of all from one in so many passages on ..."""
_LOOSE = 100
"""... and so many at least: who adds a few at a time need not write a file each time."""
_MOST_DEAD = 0.25
"""A file with a larger share of deleted passages is written anew; below, they are scrubbed where they are."""
_BATCH = 5_000
_SUFFIX = ".segment"


@dataclass(frozen=True, slots=True)
class Held:
    """A segment's file and what of it is alive; its keys begin at ``first_key``."""

    name: str
    first_key: int
    part: Part

    def without(self, keys: NDArray[np.int64]) -> Held:
        part = self.part.without(keys)
        return self if part is self.part else replace(self, part=part)


def has_short_tail(database: sqlite3.Connection) -> bool:
    """Whether it is not worth a file, deleted passages counted: that costs no look at them."""
    return truth.last_key(database) - truth.meta(database)["covered"] < TAIL


def merge_tail(folder: Path, database: sqlite3.Connection, held: list[Held], tail: list[Part]) -> None:
    """Makes a file of the tail, which is long by its keys, together with files that are not much larger. Also
    where little of it is alive: else each put would load it again to find out."""
    taken, _ = _last_files(held, tail, _RATIO)
    _take_in(folder, database, taken, tail)


def is_worth_merging(database: sqlite3.Connection, put: int) -> bool:
    """Whether ``merge`` may be worth its while after so many passages were put: by the range of keys, deleted
    passages counted, without a look at them."""
    firsts = [first for _, first in truth.segments(database)]
    total = truth.last_key(database) - min(firsts, default=1) + 1
    return _is_worth(put, min(total, MOST))


def merge(folder: Path, database: sqlite3.Connection, held: list[Held], tail: list[Part]) -> None:
    """One file of the tail and of as many files before it as it may hold, where enough of them stand beside
    the largest."""
    taken, size = _last_files(held, tail)
    if _is_worth(size - max((len(one.part.segment) for one in taken), default=0), size):
        _take_in(folder, database, taken, tail)


def _is_worth(some: int, of: int) -> bool:
    return some >= max(_LOOSE, of / _LOOSE_SHARE)


def _last_files(
    held: Sequence[Held], tail: Sequence[Part], ratio: int | None = None
) -> tuple[list[Held], int]:
    """Those that one file may hold with the tail, none that is ``ratio`` times larger than all behind it; and
    the passages of it all."""
    size = sum(len(part.segment) for part in tail)
    taken: list[Held] = []
    for one in reversed(held):
        its = len(one.part.segment)
        if its > MOST - size or (ratio is not None and its > size * ratio):
            break
        taken.insert(0, one)
        size += its
    return taken, size


def _take_in(folder: Path, database: sqlite3.Connection, taken: Sequence[Held], tail: Sequence[Part]) -> None:
    """The last files and the tail become one."""
    first = taken[0].first_key if taken else truth.meta(database)["covered"] + 1
    parts = [*(one.part for one in taken), *tail]
    keys = first, truth.last_key(database)
    _replace(folder, database, [one.name for one in taken], parts, keys)


def compact(folder: Path, database: sqlite3.Connection, held: list[Held]) -> None:
    """No file holds anything of a deleted passage when this returns, nor does the list of deletions."""
    covered = truth.meta(database)["covered"]
    lasts = [*(one.first_key - 1 for one in held[1:]), covered]
    for one, last in zip(held, lasts, strict=False):  # without files there is a last key all the same
        dead = one.part.dead
        if dead is None:
            continue
        if np.count_nonzero(dead) > len(dead) * _MOST_DEAD:
            _replace(folder, database, [one.name], [one.part], (one.first_key, last))
        elif (one.part.segment.flags[dead] != DEAD).any():
            scrub(folder / one.name, dead)
    _forget_deletions(database)
    _remove_orphans(folder, database)


def _forget_deletions(database: sqlite3.Connection) -> None:
    with truth.transaction(database):
        if truth.deleted_after(database, 0):
            truth.forget_deleted(database, 0, truth.last_key(database))
            truth.advance(database, "generation")


def rebuild_if_lost(folder: Path) -> None:
    """Makes the files again from the truth where one of those it names cannot be read."""
    with writers_lock(folder / LOCK), closing(truth.connect(folder / truth.FILE)) as database:
        try:
            for name, _ in truth.segments(database):
                files.read(folder / name)
        except files.Damaged:
            rebuild(folder, database)


def rebuild(folder: Path, database: sqlite3.Connection) -> None:
    """Every file is made again from the truth."""
    with truth.transaction(database):
        forget_files(database)
    while part := _next_part(database):
        covered = truth.meta(database)["covered"]
        _replace(folder, database, [], [part], (covered + 1, int(part.segment.keys[-1])))
    _merge_all(folder, database)


def forget_files(database: sqlite3.Connection) -> None:
    """Everything is in the tail until files are made again."""
    truth.replace_segments(database, [name for name, _ in truth.segments(database)], None)
    truth.set_meta(database, "covered", 0)
    truth.advance(database, "generation")


def _merge_all(folder: Path, database: sqlite3.Connection) -> None:
    """As few files as may be."""
    every = [Held(name, first, Part(files.read(folder / name))) for name, first in truth.segments(database)]
    taken: list[Held] = []
    for one in every:
        if sum(len(held.part.segment) for held in (*taken, one)) > MOST:
            _merge(folder, database, taken, one.first_key - 1)
            taken = []
        taken.append(one)
    _merge(folder, database, taken, truth.meta(database)["covered"])


def _merge(folder: Path, database: sqlite3.Connection, taken: Sequence[Held], last: int) -> None:
    if len(taken) > 1:
        names, parts = [one.name for one in taken], [one.part for one in taken]
        _replace(folder, database, names, parts, (taken[0].first_key, last))


def _next_part(database: sqlite3.Connection) -> Part | None:
    passages = truth.passages(database, truth.meta(database)["covered"], _BATCH)
    return Part(build(passages)) if passages else None


def _replace(
    folder: Path,
    database: sqlite3.Connection,
    old: Sequence[str],
    parts: Sequence[Part],
    keys: tuple[int, int],
) -> None:
    """One file with what is alive of ``parts``, whose keys are all within ``keys``, for the ``old`` ones."""
    living = [part for part in parts if part.living]
    segment = combine([part.segment for part in living], [part.dead for part in living]) if living else None
    name = _write(folder, database, segment) if segment is not None else None
    with truth.transaction(database):
        truth.replace_segments(database, old, (name, keys[0]) if name else None)
        truth.set_meta(database, "covered", max(keys[1], truth.meta(database)["covered"]))
        truth.forget_deleted(database, *keys)
        truth.advance(database, "generation")
    _remove_orphans(folder, database)


def _write(folder: Path, database: sqlite3.Connection, segment: Segment) -> str:
    _remove_orphans(folder, database)
    name = f"{truth.meta(database)['generation'] + 1:010d}{_SUFFIX}"
    files.write(folder / name, segment)
    return name


def _remove_orphans(folder: Path, database: sqlite3.Connection) -> None:
    """Files that the truth does not name: replaced, or left by a writer that died."""
    named = {name for name, _ in truth.segments(database)}
    for path in folder.glob(f"*{_SUFFIX}"):
        if path.name not in named:
            path.unlink(missing_ok=True)
