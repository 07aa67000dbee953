"""Vectors compared by their signs, and byte by byte."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from refdesk.embedding.model import Vector
from refdesk.index.local.arrays import Bytes, Lengths, Mask, Places, Signs
from refdesk.index.local.scratch import Scratch

_SIGNS_AT_ONCE = 16_384
_ROWS_AT_ONCE = 256
"""As many as floats of 384 dimensions fit into a core's cache: comparing bytes this way is faster than
comparing floats that come from memory."""
_FLOATS = Scratch(np.float32)


def proposed(signs: Signs, asked: Signs, large: Signs, eligible: Mask | None, most: int) -> Places:
    """About ``most`` of the eligible columns (``None``: all) that differ least from what is asked, where
    what is ``large`` counts three times: of equal ones all, or none."""
    differing = _differing(signs, asked, large)
    held = np.cumsum(np.bincount(differing if eligible is None else differing[eligible]))
    near = differing <= np.searchsorted(held, most)  # faster than a partition, for so few values
    return np.flatnonzero(near if eligible is None else near & eligible)


def _differing(signs: Signs, asked: Signs, large: Signs) -> NDArray[np.uint16]:
    found = np.empty(signs.shape[1], np.uint16)
    different = np.empty((len(signs), _SIGNS_AT_ONCE), np.uint64)
    counts = np.empty((len(signs), _SIGNS_AT_ONCE), np.uint8)
    for start in range(0, len(found), _SIGNS_AT_ONCE):
        some = signs[:, start : start + _SIGNS_AT_ONCE]
        bits, its = different[:, : some.shape[1]], counts[:, : some.shape[1]]
        held = found[start : start + _SIGNS_AT_ONCE]
        np.bitwise_xor(some, asked[:, None], out=bits)
        np.bitwise_count(bits, out=its)
        np.add.reduce(its, axis=0, dtype=np.uint16, out=held)
        np.bitwise_and(bits, large[:, None], out=bits)
        np.bitwise_count(bits, out=its)
        held += 2 * np.add.reduce(its, axis=0, dtype=np.uint16)
    return found


def cosines(rows: Bytes, lengths: Lengths, places: Places | None, unit: Vector) -> Lengths:
    """Of the rows at some places, or of all. Row by row: equal rows get equal cosines wherever they stand,
    which a matrix product does not promise; and it starts no threads, which cost more than they bring beside
    another search."""
    found = np.empty(len(rows) if places is None else len(places), np.float32)
    taken = np.empty((_ROWS_AT_ONCE if places is not None else 0, len(unit)), np.int8)
    with _FLOATS.array(_ROWS_AT_ONCE, len(unit)) as floats:
        for start in range(0, len(found), _ROWS_AT_ONCE):
            some = slice(start, start + _ROWS_AT_ONCE)
            if places is None:
                its = rows[some]
            else:  # "clip" writes into ``taken`` without a copy between
                its = rows.take(places[some], axis=0, out=taken[: len(found[some])], mode="clip")
            np.copyto(floats[: len(its)], its)
            np.vecdot(floats[: len(its)], unit, out=found[some])
    found /= lengths if places is None else lengths.take(places)
    return found
