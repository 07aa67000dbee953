"""What goes into the Word reader and what comes out of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

MEBIBYTE = 1_048_576

# A picture's place in the text, on a line of its own: its number (from 1, each draw) between these two.
PICTURE_OPEN, PICTURE_CLOSE = "\ue000", "\ue001"
PICTURE_PLACE = re.compile(f"{PICTURE_OPEN}([0-9]+){PICTURE_CLOSE}")


@dataclass(frozen=True, slots=True)
class WordLimits:
    """``max_characters`` and ``max_image_bytes`` are the policy's; the rest keep a hostile file in bounds.

    Bytes are counted as they are unpacked: what the zip declares is not believed. The largest real
    file seen holds 370,000 elements, 12.6 MB in one part, and nests under 100 deep.
    """

    max_characters: int
    max_image_bytes: int
    max_entries: int = 4_000
    max_total_bytes: int = 160 * MEBIBYTE
    max_part_bytes: int = 64 * MEBIBYTE
    max_elements: int = 3_000_000
    max_depth: int = 400


@dataclass(frozen=True, slots=True)
class WordImage:
    """One draw. ``data`` is the part as it stands in the file; None when it is not kept.

    ``reason`` then says why: ``type`` (a kind that is not kept, or an external file), ``decode``
    (missing or broken), ``bytes`` (larger than ``max_image_bytes``) or ``pool`` (the document's budget
    of bytes is used up).
    """

    data: bytes | None
    alt: str
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class WordText:
    """``text`` is Markdown with LF line ends; ``title`` the first heading, else the title property.

    Picture n of ``images`` stands in the text as ``PICTURE_PLACE``. ``notes`` are sentences.
    """

    text: str
    title: str | None
    images: list[WordImage]
    notes: list[str]
