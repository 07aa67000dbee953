"""The loops of kernels.c, in the library that the build put beside it. They run without the interpreter's
lock, and look at the clock only before they begin: each takes milliseconds."""

from __future__ import annotations

import ctypes
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refdesk.embedding.model import Vector
from refdesk.index.local.arrays import Bytes, Lengths, Mask, Places, Rows, Scores, Signs
from refdesk.index.local.kernels.given import FIRST, Postings, Terms, Wanted
from refdesk.index.local.scratch import Scratch

FILE = Path(__file__).with_name("kernels.so")
_SOURCE = FILE.with_suffix(".c")
_SUMS = 4
_MORE = 8
_LEVELS_OF_A_WORD = 64 * 3
_POSTINGS_AT_ONCE = 2**20
_PLACE, _COUNT, _NUMBER = ctypes.c_void_p, ctypes.c_int64, ctypes.c_double
_ROW = ctypes.c_uint32
_DIFFERING = Scratch(np.uint16)
_PLACES, _SCORES = Scratch(np.int64), Scratch(np.float64)


def load(file: Path = FILE) -> Kernels | None:
    """``None`` where there is no library, or none that fits this machine and was made of the source as it
    is now."""
    try:
        library = ctypes.CDLL(str(file))
        library.source.restype = _COUNT
        return Kernels(library) if library.source() == zlib.crc32(_SOURCE.read_bytes()) else None
    except (OSError, AttributeError):
        return None


class Kernels:
    """Each as in ``by_words``, ``by_vectors`` and ``by_rows``."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._scored, self._proposed, self._cosines = library.scored, library.proposed, library.cosines
        self._scored.restype = self._proposed.restype = _COUNT
        self._scored.argtypes = [
            *[_PLACE] * 5, _COUNT, *[_PLACE] * 3, _COUNT, _COUNT, _NUMBER, *[_PLACE] * 3
        ]  # fmt: skip
        self._proposed.argtypes = [_PLACE, _COUNT, _COUNT, *[_PLACE] * 3, _COUNT, _COUNT, *[_PLACE] * 3]
        self._postings_of = library.postings_of
        self._cosines.restype = self._postings_of.restype = None
        self._cosines.argtypes = [_PLACE, _PLACE, _COUNT, _PLACE, _COUNT, _PLACE, _PLACE]
        self._postings_of.argtypes = [_PLACE, _COUNT, _ROW, _ROW, *[_PLACE] * 3]

    def scored(self, postings: Postings, terms: Terms, wanted: Wanted) -> tuple[Places, Scores]:
        if wanted.late():
            terms = terms.some(0, terms.upto(0, FIRST))
        if terms.starts.min() < 0 or terms.ends.max() > len(postings.rows):
            raise IndexError("terms have postings that are not there")
        size = len(postings.words)
        starts, best = terms.starts.copy(), np.empty(wanted.k)
        with _PLACES.array(size) as found, _SCORES.array(size) as scores:
            count = self._scored(
                _at(postings.rows), _at(postings.counts), _at(starts), _at(terms.ends), _at(terms.weights),
                len(terms.weights), _at(postings.words), _at(wanted.lengths), _at(postings.dead), size,
                wanted.k, wanted.least, _at(best), _at(found), _at(scores),
            )  # fmt: skip
            if count < 0:
                raise IndexError("postings are not in the order of their rows")
            return found[:count].copy(), scores[:count].copy()

    def proposed(self, signs: Signs, asked: Signs, large: Signs, eligible: Mask | None, most: int) -> Places:
        words, vectors = signs.shape
        levels = words * _LEVELS_OF_A_WORD + 1
        held = np.zeros((_SUMS, levels + 1), np.int32)
        with _DIFFERING.array(vectors + _MORE) as differing, _PLACES.array(vectors) as places:
            count = self._proposed(
                _at(signs), words, vectors, _at(asked), _at(large), _at(eligible), most, levels,
                _at(differing), _at(held), _at(places),
            )  # fmt: skip
            return places[:count].copy()

    def cosines(self, rows: Bytes, lengths: Lengths, places: Places | None, unit: Vector) -> Lengths:
        found = np.empty(len(rows) if places is None else len(places), np.float32)
        self._cosines(
            _at(rows), _at(lengths), rows.shape[1], _at(places), len(found), _at(unit), _at(found)
        )  # fmt: skip
        return found

    def postings_of(self, rows: Rows, wanted: Mask) -> Places:
        places = np.flatnonzero(wanted)
        if not len(places):
            return places
        some, count, all_found = np.empty(_POSTINGS_AT_ONCE, np.int64), np.empty(1, np.int64), [places[:0]]
        for start in range(0, len(rows), _POSTINGS_AT_ONCE):
            part = rows[start : start + _POSTINGS_AT_ONCE]
            self._postings_of(
                _at(part), len(part), places[0], places[-1], _at(wanted), _at(some), _at(count)
            )  # fmt: skip
            all_found.append(some[: count[0]] + start)
        return np.concatenate(all_found)


def _at(array: NDArray[Any] | None) -> int | None:
    """Where it lies, as long as it is held."""
    if array is None:
        return None
    if not array.flags.c_contiguous:
        raise ValueError("an array with gaps")
    return int(array.ctypes.data)
