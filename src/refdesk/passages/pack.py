"""Atoms → passages: fills each up to the size and cuts at the best break that wastes little."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from refdesk.passages.structure import Atom, Break
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


class Piece:
    """The atoms ``first`` to ``last`` (inclusive) of a region."""

    __slots__ = ("end", "lead", "start")

    def __init__(self, atoms: Sequence[Atom], first: int, behind: int) -> None:
        self.start = atoms[first].start
        self.end = atoms[behind - 1].end
        self.lead = atoms[first].lead


class Packer:
    """Packs one region. ``atoms`` are in order; the region's own lead takes ``taken`` from each passage."""

    def __init__(self, atoms: Sequence[Atom], ruler: Ruler, room: Room, taken: int) -> None:
        self._atoms = atoms
        self._ends = [atom.end for atom in atoms]
        self._ruler = ruler
        self._room = room
        self._size = max(1, room.size - taken)

    def pieces(self) -> Iterator[Piece]:
        first, fresh = 0, 0
        while fresh < len(self._atoms):
            behind = self._cut(first, fresh)
            yield Piece(self._atoms, first, behind)
            first, fresh = self._overlap(fresh, behind), behind

    def _limit(self, first: int) -> int:
        lead = self._atoms[first].lead
        return max(1, self._size - lead.size) if lead else self._size

    def _full(self, first: int) -> int:
        """The atom behind the last that fits a passage from ``first``."""
        reach = self._ruler.reach(self._atoms[first].start, self._limit(first))
        return bisect_right(self._ends, reach, lo=first)

    def _cut(self, first: int, fresh: int) -> int:
        """The atom before which the passage from ``first`` ends; it brings at least ``fresh``."""
        behind = max(self._full(first), fresh + 1)
        for index in range(fresh + 1, min(behind + 1, len(self._atoms))):
            if self._atoms[index].rank is Break.WALL:
                return index
        if behind == len(self._atoms):
            return behind
        return self._best(first, fresh, behind)

    def _best(self, first: int, fresh: int, behind: int) -> int:
        ranks = [self._atoms[index].rank for index in range(fresh + 1, behind + 1)]
        wanted = self._room.fill * self._limit(first)
        for rank in sorted(set(ranks)):
            index = fresh + 1 + len(ranks) - 1 - ranks[::-1].index(rank)
            if index == behind or self._filled(first, index) >= wanted:
                return index
            if self._room.whole and self._is_whole(index, rank):
                return index
        return behind

    def _filled(self, first: int, behind: int) -> int:
        return self._ruler.size(self._atoms[first].start, self._atoms[behind - 1].end)

    def _is_whole(self, index: int, rank: Break) -> bool:
        """Whether what begins at ``index``, up to the next break as good, fits a passage of its own."""
        full = self._full(index)
        if full == len(self._atoms):
            return True
        return any(self._atoms[i].rank <= rank for i in range(index + 1, full + 1))

    def _overlap(self, fresh: int, behind: int) -> int:
        """The atom with which the passage begins whose first new atom is ``behind``; what is repeated was
        new in the passage before (from ``fresh``) or is repeated again."""
        atoms = self._atoms
        if behind == len(atoms) or atoms[behind].lead or atoms[behind].rank in (Break.WALL, Break.GLUE):
            return behind
        inside = atoms[behind].rank >= Break.LINE
        first = self._back(behind, inside=inside)
        while first < behind and self._ruler.size(atoms[first].start, atoms[behind].end) > self._size:
            first += 1
            while first < behind and not inside and not _starts_sentence(atoms[first]):
                first += 1
        return first

    def _back(self, behind: int, *, inside: bool) -> int:
        atoms, room = self._atoms, self._room
        most = self._size - -(-self._size // _NEW_TEXT_SHARE)
        allowed, sentences = min(room.overlap, most), room.overlap_sentences
        if sentences and inside:
            allowed, sentences = max(allowed, min(self._size // _CUT_SENTENCE_SHARE, most)), 0
        if sentences:
            allowed = most
        first, index, taken = behind, behind, 0
        while index > 0 and atoms[index - 1].prose and atoms[index].rank is not Break.WALL:
            index -= 1
            if self._ruler.size(atoms[index].start, atoms[behind - 1].end) > allowed:
                break
            if inside or _starts_sentence(atoms[index]):
                first, taken = index, taken + 1
                if sentences and taken == sentences:
                    break
        return first


def _starts_sentence(atom: Atom) -> bool:
    return atom.rank < Break.LINE or atom.rank is Break.GLUE
