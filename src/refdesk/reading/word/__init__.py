"""Word documents (.docx) as Markdown, by the standard library alone: it starts in milliseconds."""

from __future__ import annotations

from refdesk.reading.problem import Problem
from refdesk.reading.word.document import read
from refdesk.reading.word.model import (
    PICTURE_CLOSE,
    PICTURE_OPEN,
    PICTURE_PLACE,
    WordImage,
    WordLimits,
    WordText,
)

__all__ = [
    "PICTURE_CLOSE",
    "PICTURE_OPEN",
    "PICTURE_PLACE",
    "WordImage",
    "WordLimits",
    "WordText",
    "read_word",
]


def read_word(data: bytes, limits: WordLimits) -> WordText:
    """Raises nothing but ``Problem``, with the codes ``password_protected``, ``wrong_type``, ``damaged``,
    ``no_text`` and ``too_many_characters``."""
    try:
        return read(data, limits)
    except (RecursionError, MemoryError) as error:
        raise Problem(
            "damaged", "The Word file is too complex to be read: it nests too deep or is too large."
        ) from error
