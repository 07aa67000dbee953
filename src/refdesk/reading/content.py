"""What a format's reader gives inside the child: the text at once, the pictures one by one after it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL.Image import Image


BETWEEN_PAGES = "\n\n"
"""What stands between two pages in the text, and belongs to neither."""


class NotKept(Exception):
    """A picture that is not kept, and why: type pixels bytes size pool decode."""

    def __init__(self, reason: str, limit: int | None = None, actual: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.limit = limit
        self.actual = actual


@dataclass(frozen=True, slots=True)
class Picture:
    """``stored`` bytes in the document, ``load`` decodes; sizes are checked inside, before decoding."""

    stored: int
    load: Callable[[], Image]


@dataclass(slots=True)
class Content:
    """Text with a placeholder (``clean.FIGURE``) for each of the ``drawn`` pictures, numbered from 1.

    A document with pages has ``pages``, each opening with its page line, and no ``text``. ``pictures``
    gives, in the order of the placeholders, a picture or the reason why it is not kept. Nobody looked for
    pictures on the ``unseen`` pages.
    """

    text: str = ""
    pages: list[str] | None = None
    title: str | None = None
    notes: list[str] = field(default_factory=list)
    drawn: int = 0
    unseen: list[int] = field(default_factory=list)
    labels: dict[int, str] = field(default_factory=dict)
    pictures: Iterable[Picture | str] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "pages": self.pages,
            "title": self.title,
            "notes": self.notes,
            "drawn": self.drawn,
            "unseen": self.unseen,
            "labels": self.labels,
        }
