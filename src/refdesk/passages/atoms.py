"""Blocks → atoms: the spans that packing never cuts, with the quality of the break before each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from refdesk.passages.pieces import words
from refdesk.passages.sentences import sentence_starts
from refdesk.passages.structure import Atom, Block, Break, Lead, Region
from refdesk.passages.tables import CellLead, HeaderLead, Span, cells
from refdesk.passages.tokens import Ruler

_LINE = re.compile(r"\S[^\n]*")
_ITEM_LINE = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]", re.MULTILINE)
# A row with its header may take this many times the size before it is cut into cells.
ROW_STRETCH = 2


@dataclass(frozen=True, slots=True)
class Cutter:
    """Cuts the blocks of one text for passages of ``size``; ``fine`` makes every word an atom. ``whole`` says
    that a passage repeats nothing and ends before a paragraph that fits a passage of its own."""

    text: str
    ruler: Ruler
    size: int
    fine: bool = False
    whole: bool = False

    def region(self, region: Region, taken: int) -> list[Atom]:
        """``taken`` of each passage's size is the region's own."""
        ranks = list(map(self._rank, [None, *region.blocks], region.blocks))
        ranked = list(zip(region.blocks, ranks, strict=True))
        if self.whole and self._fit_whole(ranked, self.size - taken):
            return [Atom(*_trim(self.text, block.start, block.end), rank) for block, rank in ranked]
        return [atom for block, rank in ranked for atom in self._block(block, rank)]

    def _fit_whole(self, ranked: list[tuple[Block, Break]], size: int) -> bool:
        """Whether these are paragraphs, with their headings, that are never cut: each fits a passage, and so
        one ends before the next that does not fit."""
        first = 0
        for block, rank in ranked:
            if rank is not Break.GLUE:
                first = block.start
            if block.kind not in ("prose", "heading") or self.ruler.size(first, block.end) > size:
                return False
        return True

    def _rank(self, before: Block | None, block: Block) -> Break:
        """The break between two blocks. A heading stays with what follows, a caption with its table."""
        if before is None:
            return Break.WALL
        if before.kind == "heading" or self._introduces(before, block):
            return Break.GLUE
        return Break.ITEM if block.joined else Break.BLOCK

    def _introduces(self, before: Block, block: Block) -> bool:
        """Whether ``before`` is a caption or opening line of ``block`` that fits a passage with it, or is
        short beside one that must be cut anyway."""
        if before.kind != "prose" or block.kind == "prose" or block.joined:
            return False
        if block.kind != "table" and self.text[before.end - 1] not in ":：":
            return False
        if self.ruler.size(before.start, block.end) <= self.size:
            return True
        whole = self.ruler.size(block.start, block.end) <= self.size
        return not whole and self.ruler.size(before.start, before.end) <= self.size // 4

    def _block(self, block: Block, rank: Break) -> Iterator[Atom]:
        start, end = _trim(self.text, block.start, block.end)
        if block.kind == "table":
            return self._table(start, end, rank)
        if block.kind == "list":
            return self._list(start, end, rank)
        if block.kind == "code":
            return self._lines(start, end, rank)
        return self._prose(start, end, rank, prose=block.kind == "prose")

    def _prose(
        self, start: int, end: int, rank: Break, *, prose: bool = True, lead: Lead | None = None
    ) -> Iterator[Atom]:
        starts = [*sentence_starts(self.text, start, end), end]
        for first, following in pairwise(starts):
            stop = following if following == end else _trim(self.text, first, following)[1]
            yield from self._fit(first, stop, rank, prose=prose, lead=lead)
            rank = Break.SENTENCE

    def _fit(
        self, start: int, end: int, rank: Break, *, prose: bool = False, lead: Lead | None = None
    ) -> Iterator[Atom]:
        if not self.fine and self.ruler.size(start, end) <= self.size:
            yield Atom(start, end, rank, prose, lead)
            return
        for first, stop, inner in words(self.text, start, end, self.ruler, self.size):
            yield Atom(first, stop, rank if first == start else inner, prose, lead)

    def _list(self, start: int, end: int, rank: Break) -> Iterator[Atom]:
        starts = [start, *(found.start() for found in _ITEM_LINE.finditer(self.text, start + 1, end)), end]
        for first, following in pairwise(starts):
            yield from self._prose(*_trim(self.text, first, following), rank)
            rank = Break.ITEM

    def _lines(self, start: int, end: int, rank: Break) -> Iterator[Atom]:
        for found in _LINE.finditer(self.text, start, end):
            yield from self._fit(*_trim(self.text, *found.span()), rank)
            rank = Break.ITEM

    def _table(self, start: int, end: int, rank: Break) -> Iterator[Atom]:
        rows = [Span(*_trim(self.text, *found.span())) for found in _LINE.finditer(self.text, start, end)]
        opening, body = Span(rows[0].start, rows[1].end), rows[2:]
        widest = ROW_STRETCH * self.size
        following = Break.ITEM
        if body and self.ruler.size(opening.start, body[0].end) <= widest:
            yield Atom(opening.start, body.pop(0).end, rank)
        elif self.ruler.size(*opening) <= widest:
            yield Atom(*opening, rank)
            following = Break.GLUE
        else:
            yield from self._fit(*opening, rank)
            following = Break.WALL
        yield from self._rows(rows[0], opening, body, following)

    def _rows(self, header: Span, opening: Span, body: list[Span], rank: Break) -> Iterator[Atom]:
        """The rows behind a header; one too wide for a passage shares none with other rows."""
        repeated = self.text[opening.start : opening.end] + "\n"
        lead = HeaderLead(repeated, self.ruler.size_of(repeated))
        names = cells(self.text, *header)
        for row in body:
            if lead.size + self.ruler.size(*row) <= ROW_STRETCH * self.size:
                yield Atom(*row, rank, lead=lead)
                rank = Break.ITEM
            else:
                yield from self._cells(row, names, rank if rank is Break.GLUE else Break.WALL)
                rank = Break.WALL

    def _cells(self, row: Span, names: list[Span], rank: Break) -> Iterator[Atom]:
        spans = cells(self.text, *row)
        lead = CellLead(self.text, names, spans)
        for span in spans:
            yield from self._prose(*_trim(self.text, *span), rank, prose=False, lead=lead)
            rank = Break.ITEM


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
