"""A document's text → passages, within a policy's sizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from refdesk.errors import Refusal
from refdesk.passages.atoms import Cutter
from refdesk.passages.model import Passage
from refdesk.passages.pack import Packer, Room
from refdesk.passages.regions import regions
from refdesk.passages.structure import Region
from refdesk.passages.tokens import Ruler, ruler
from refdesk.policy.model import Kind, Passages
from refdesk.reading.model import Page


def split(text: str, kind: Kind, pages: Sequence[Page], policy: Passages) -> list[Passage]:
    """The passages of a document, in order; ``Refusal`` ``too_many_passages`` above ``policy.max_count``.

    A passage is ``text[start:end]``, trimmed, of at most ``policy.size`` in ``policy.unit``, with a
    page line or a table's header in front where it begins inside one. Only these go over the size: a
    table row with its header (up to twice), the lead of a row cut into cells, a page line where the
    size is tiny, and a combined character. Together the spans cover all text but page lines.

    Never across a heading or a page. Whole paragraphs, tables, code blocks and list items stay together
    where they fit; a longer one is cut at rows, lines, items or sentences, a longer sentence at words. A
    heading line stands in the first passage of its section (all have its path in ``section``), and
    one without text of its own in that of the deeper heading behind it.

    Overlap repeats whole sentences of prose within a section or page, words of a sentence that was cut
    or is longer than the overlap; there is none between table rows or lines of code.

    Above ``max_count`` the text is packed larger, up to ``policy.max_size``; at last each passage is
    filled, at the cost of whole paragraphs and sentences.
    """
    found = list(regions(text, kind, pages))
    measure = ruler(text, policy.unit)
    for room in _rooms(policy, measure.size(0, len(text))):
        passages = _passages(text, found, measure, room)
        kept = list(islice(passages, policy.max_count))
        surplus = next(passages, None)
        if surplus is None:
            return kept
    raise _too_many(len(kept) + 1 + sum(1 for _ in passages), policy)


def _rooms(policy: Passages, total: int) -> Iterator[Room]:
    """The policy's size, then larger ones that could be enough, then the largest packed tight."""
    size = policy.size
    while True:
        if policy.max_count is None or size == policy.max_size or size * policy.max_count >= total:
            yield Room(size, policy.overlap, policy.overlap_sentences)
        if size == policy.max_size:
            break
        size = min(policy.max_size, size + max(1, size // 4))
    if policy.max_size > policy.size:
        yield Room(policy.max_size, policy.overlap, policy.overlap_sentences, fill=0.97, whole=False)


def _too_many(count: int, policy: Passages) -> Refusal:
    return Refusal(
        f"The document would give {count:,} passages of up to {policy.max_size:,} {policy.unit}, more than "
        f"the {policy.max_count:,} that are accepted; split it into several documents.",
        code="too_many_passages",
        limit=policy.max_count,
        actual=count,
    )


def _passages(text: str, found: Sequence[Region], measure: Ruler, room: Room) -> Iterator[Passage]:
    overlaps = room.overlap or room.overlap_sentences
    cutter = Cutter(text, measure, room.size, fine=not room.whole, whole=room.whole and not overlaps)
    position = 0
    for region in found:
        taken = measure.size_of(region.opening)
        for start, end, lead in Packer(text, cutter.region(region, taken), measure, room, taken).pieces():
            position += 1
            header = lead.text(start, end) if lead else ""
            shown = region.opening + header + text[start:end]
            yield Passage(position, shown, start, end, region.page, region.section)
