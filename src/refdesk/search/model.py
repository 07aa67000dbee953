"""What a search gives, with what grounding weighs of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from refdesk.results import found

Telling = Literal["both", "words", "meaning"]


@dataclass(frozen=True, slots=True)
class Hit(found.Hit):
    """``score`` orders hits; ``version`` is the document's that it was found in."""

    score: float
    version: int


@dataclass(frozen=True, slots=True)
class QuestionWord:
    """A distinct word of the question as typed; ``holding`` of the searched passages hold it in any form."""

    word: str
    holding: int


@dataclass(frozen=True, slots=True)
class Found(found.Found):
    """``passages`` is how many the searched bases hold together (0: nothing is ready); ``words`` are the
    question's, in its order, for grounding to weigh their rarity; ``languages`` those it was analyzed in.

    ``telling``: what tells whether a hit answers. ``words`` alone where no vector was compared, or by a model
    that does not know the documents' language; ``meaning`` alone where the question is in another language
    than they are."""

    hits: tuple[Hit, ...]
    dropped: int = 0
    passages: int = 0
    words: tuple[QuestionWord, ...] = ()
    languages: tuple[str, ...] = ()
    telling: Telling = "both"

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)
