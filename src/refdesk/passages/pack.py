"""Atoms → pieces: fills each up to the size and cuts at the best break that wastes little."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from refdesk.passages.pieces import words
from refdesk.passages.structure import Atom, Break, Lead
from refdesk.passages.tokens import Ruler

# A sentence cut in pieces shares at most this part of the size where the policy repeats sentences.
_CUT_SENTENCE_SHARE = 10
# Whatever overlap is asked for, this part of a passage is new text, so that the passages of a document
# stay a bounded multiple of it.
_NEW_TEXT_SHARE = 8


@dataclass(frozen=True, slots=True)
class Room:
    """``size`` of a passage; ``fill`` is the part of it that makes a passage full enough to end before
    something that would be cut either way; ``whole`` lets it end sooner, before what fits one whole."""

    size: int
    overlap: int = 0
    overlap_sentences: int = 0
    fill: float = 0.5
    whole: bool = True


class Piece(NamedTuple):
    start: int
    end: int
    lead: Lead | None


class Packer:
    """Packs one region of a text. The region's own lead takes ``taken`` from each passage."""

    def __init__(self, text: str, atoms: Sequence[Atom], ruler: Ruler, room: Room, taken: int) -> None:
        self._text = text
        self._atoms = atoms
        self._ends = [atom.end for atom in atoms]
        self._ruler = ruler
        self._room = room
        self._size = max(1, room.size - taken)

    def pieces(self) -> Iterator[Piece]:
        fresh = 0
        start = self._atoms[0].start if self._atoms else 0
        while fresh < len(self._atoms):
            behind = self._cut(start, fresh)
            yield Piece(start, self._ends[behind - 1], self._atoms[fresh].lead)
            fresh = behind
            if fresh < len(self._atoms):
                start = self._start(fresh)

    def _limit(self, fresh: int) -> int:
        lead = self._atoms[fresh].lead
        return max(1, self._size - lead.size) if lead else self._size

    def _full(self, start: int, fresh: int) -> int:
        """The atom behind the last that fits a passage from ``start``."""
        return bisect_right(self._ends, self._ruler.reach(start, self._limit(fresh)), lo=fresh)

    def _cut(self, start: int, fresh: int) -> int:
        """The atom before which the passage from ``start`` ends; it brings at least ``fresh``."""
        behind = max(self._full(start, fresh), fresh + 1)
        ranks = [atom.rank for atom in self._atoms[fresh + 1 : behind + 1]]
        if Break.WALL in ranks:
            return fresh + 1 + ranks.index(Break.WALL)
        if behind == len(self._atoms):
            return behind
        wanted = self._room.fill * self._limit(fresh)
        for rank in sorted(set(ranks)):
            index = fresh + len(ranks) - ranks[::-1].index(rank)
            if index == behind or self._ruler.size(start, self._ends[index - 1]) >= wanted:
                return index
            if self._room.whole and self._is_whole(index, rank):
                return index
        return behind

    def _is_whole(self, index: int, rank: Break) -> bool:
        """Whether what begins at ``index``, up to the next break as good, fits a passage of its own."""
        full = self._full(self._atoms[index].start, index)
        return full == len(self._atoms) or any(
            atom.rank <= rank for atom in self._atoms[index + 1 : full + 1]
        )

    def _start(self, fresh: int) -> int:
        """Where the passage begins whose first new atom is ``fresh``: with what it repeats."""
        atom = self._atoms[fresh]
        if atom.lead or atom.rank in (Break.WALL, Break.GLUE) or not self._atoms[fresh - 1].prose:
            return atom.start
        room = self._size - self._ruler.size(self._ends[fresh - 1], atom.end)
        most = min(room, self._size - -(-self._size // _NEW_TEXT_SHARE))
        if atom.rank >= Break.LINE:
            share = max(self._room.overlap, self._cut_share())
            return self._back(fresh, min(share, most), inside=True) or atom.start
        if self._room.overlap_sentences:
            start = self._back(fresh, most, inside=False, sentences=self._room.overlap_sentences)
        else:
            start = self._back(fresh, min(self._room.overlap, most), inside=False)
        return start or self._words(self._atoms[fresh - 1], min(self._room.overlap, most)) or atom.start

    def _cut_share(self) -> int:
        return self._size // _CUT_SENTENCE_SHARE if self._room.overlap_sentences else 0

    def _back(self, fresh: int, allowed: int, *, inside: bool, sentences: int | None = None) -> int | None:
        """The start of the sentences (``inside`` one, of the words) before ``fresh`` that fit ``allowed``."""
        found, index = None, fresh
        end = self._ends[fresh - 1]
        while sentences != 0 and index > 0 and self._atoms[index - 1].prose:
            if self._atoms[index].rank is Break.WALL:
                break
            index -= 1
            atom = self._atoms[index]
            if self._ruler.size(atom.start, end) > allowed:
                break
            if inside or atom.rank < Break.LINE or atom.rank is Break.GLUE:
                found = atom.start
                sentences = sentences - 1 if sentences is not None else None
        return found

    def _words(self, atom: Atom, allowed: int) -> int | None:
        """The start of the last words of a sentence that fit ``allowed``."""
        if not allowed:
            return None
        found = words(self._text, atom.start, atom.end, self._ruler, self._size)
        starts = [start for start, _, _ in found if self._ruler.size(start, atom.end) <= allowed]
        return starts[0] if starts else None
