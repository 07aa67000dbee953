"""A segment as a file: written once, in full, then mapped into every process that reads it. After that
it changes only where deleted passages are scrubbed.

Magic, the length of the header, the header (JSON: the file's size, each section's type, shape and place),
then the sections, each at a multiple of 64 bytes.
"""

from __future__ import annotations

import json
import mmap
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from refdesk.index.local.segment import SECTIONS, Segment

_MAGIC = b"RDSEG\x00\x00\x01"
_ALIGN = 64
_KINDS = {
    "hashes": "<u8", "offsets": "<i8", "rows": "<u4", "counts": "<u2", "keys": "<i8", "words": "<u4",
    "documents": "<u4", "versions": "<i8", "positions": "<u4", "digests": "|u1", "flags": "|u1",
    "vectors": "|i1", "lengths": "<f4", "signs": "<u8", "centre": "<f4", "names": "|u1", "name_ends": "<i8",
}  # fmt: skip
_OF_PASSAGES = ("words", "documents", "versions", "positions", "digests", "flags", "vectors", "lengths")


class Damaged(Exception):
    """A segment's file is missing, cut short or not one: it must be made again from the truth."""


class Closed(Damaged):
    """This user may not read the file; another may."""


def write(path: Path, segment: Segment) -> None:
    """The whole file and its folder are on disk when this returns; a full disk is an ``OSError`` here,
    never a signal to a reader later, since the space is taken first."""
    arrays = {name: np.ascontiguousarray(getattr(segment, name)) for name in SECTIONS}
    header, places, size = _layout(arrays)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.posix_fallocate(descriptor, 0, size)
        _write_all(descriptor, header, 0)
        for name, array in arrays.items():
            _write_all(descriptor, array.tobytes(), places[name])
        os.fsync(descriptor)
    except OSError:
        path.unlink()
        raise
    finally:
        os.close(descriptor)
    sync_folder(path.parent)


def _write_all(descriptor: int, data: bytes, place: int) -> None:
    left = memoryview(data)
    while left.nbytes:
        done = os.pwrite(descriptor, left, place)
        left, place = left[done:], place + done


def sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _layout(arrays: dict[str, np.ndarray[Any, Any]]) -> tuple[bytes, dict[str, int], int]:
    table: dict[str, Any] = {n: [a.dtype.str, list(a.shape), 10**15] for n, a in arrays.items()}
    room = len(json.dumps({"size": 10**15, "sections": table})) + 16
    places: dict[str, int] = {}
    place = _aligned(room)
    for name, array in arrays.items():
        places[name] = table[name][2] = place
        place = _aligned(place + array.nbytes)
    text = json.dumps({"size": place, "sections": table}).encode().ljust(room - 16)
    return _MAGIC + len(text).to_bytes(8, "little") + text, places, place


def _aligned(place: int) -> int:
    return -(-place // _ALIGN) * _ALIGN


def read(path: Path) -> Segment:
    """Raises ``Damaged``. The map lives as long as an array of it does."""
    try:
        with path.open("rb") as file:
            return _mapped(path, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except PermissionError as error:
        raise Closed(f"{path.name} may not be read by this user") from error
    except (OSError, ValueError, KeyError) as error:
        raise Damaged(f"{path.name} cannot be read") from error


@contextmanager
def changed(path: Path) -> Iterator[Segment]:
    """The segment with arrays that change the file, which is on disk again when the context ends."""
    with path.open("r+b") as file:
        mapped = mmap.mmap(file.fileno(), 0)
        yield _mapped(path, mapped)
        mapped.madvise(mmap.MADV_DONTNEED)  # else each page is looked up in the map again while it is written
        mapped.flush()


def _mapped(path: Path, mapped: mmap.mmap) -> Segment:
    if mapped[:8] != _MAGIC:
        raise Damaged(f"{path.name} is no segment")
    header = json.loads(mapped[16 : 16 + int.from_bytes(mapped[8:16], "little")])
    if header["size"] != len(mapped) or set(header["sections"]) != set(SECTIONS):
        raise Damaged(f"{path.name} has {len(mapped)} bytes, not {header['size']}")
    segment = Segment(**{name: _section(mapped, *header["sections"][name]) for name in SECTIONS})
    if not _fits(segment):
        raise Damaged(f"{path.name} has sections that do not fit each other")
    return segment


def _fits(segment: Segment) -> bool:
    """Compiled loops read them without a look at their types and lengths."""
    passages = len(segment.keys)
    return (
        all(getattr(segment, name).dtype == kind for name, kind in _KINDS.items())
        and all(len(getattr(segment, name)) == passages for name in _OF_PASSAGES)
        and len(segment.counts) == len(segment.rows)
        and len(segment.offsets) == len(segment.hashes) + 1
        and segment.signs.shape[1] == passages
    )


def _section(mapped: mmap.mmap, kind: str, shape: list[int], place: int) -> np.ndarray[Any, Any]:
    count = int(np.prod(shape))
    return np.frombuffer(mapped, np.dtype(kind), count, place).reshape(shape)
