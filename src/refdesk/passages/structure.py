"""The shapes between a text and its passages: blocks, and atoms with the break before each."""

from __future__ import annotations

from enum import IntEnum
from typing import Literal, NamedTuple, Protocol


class Break(IntEnum):
    """How good a place for a cut is, best first. ``GLUE`` is cut only where nothing else is left."""

    WALL = 0
    BLOCK = 1
    ITEM = 2
    SENTENCE = 3
    LINE = 4
    WORD = 5
    INSIDE = 6
    GLUE = 7


BlockKind = Literal["heading", "prose", "list", "table", "code"]


class Block(NamedTuple):
    """``level`` and ``title`` are a heading's; ``joined`` says that a list goes on from the block before."""

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    title: str = ""
    joined: bool = False


class Lead(Protocol):
    """What stands before a passage that begins inside a table; its size is taken from the passage's."""

    @property
    def size(self) -> int: ...

    def text(self, start: int, end: int) -> str:
        """The lead of a passage that covers ``start`` to ``end``, with its own line end."""
        ...


class Atom(NamedTuple):
    """A span that is never cut, without white space at its ends; ``rank`` is the break before it."""

    start: int
    end: int
    rank: Break
    prose: bool = False
    lead: Lead | None = None


class Region(NamedTuple):
    """Blocks that may share a passage: a section or a page; ``opening`` is the page's line, which stands
    before each of its passages."""

    blocks: list[Block]
    section: tuple[str, ...] = ()
    page: int | None = None
    opening: str = ""
