"""What parent and reading child say to each other: frames of a tag, a JSON object and bytes.

The parent trusts nothing that a child sends: a document may have taken the child over. So no pickle, and no
frame above what the parent is ready to accept.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from typing import Any, NamedTuple

HEADER = struct.Struct("!cII")

READY = b"H"
"""The child has its limits and its libraries."""
DOCUMENT = b"D"
"""Parent to child: read these bytes; the object says as what and within which limits."""
TEXT = b"T"
"""What the document says: ``content.Content`` without its pictures."""
PHASE = b"P"
"""Which clock runs from now on: ``{clock: "read" | "prepare"}``."""
FIGURE = b"F"
"""A kept picture: ``{drawn, width, height, same_as}``; the bytes are its WebP, none for one drawn before."""
NOT_KEPT = b"N"
"""Pictures that were not kept since the last such frame: ``{reason: count}``."""
PROBLEM = b"X"
"""The document cannot be read: ``{code, message, limit, actual}``."""
END = b"E"
"""The document is done: ``{again}`` says whether this child is fit for another one."""


class Frame(NamedTuple):
    tag: bytes
    fields: dict[str, Any]
    body: bytes


class BadFrame(Exception):
    """What came is no frame: the other side is not what it should be."""


def pack(tag: bytes, fields: dict[str, Any] | None = None, body: bytes = b"") -> bytes:
    head = json.dumps(fields or {}, ensure_ascii=False).encode("utf-8")
    return HEADER.pack(tag, len(head), len(body)) + head + body


def unpack(receive: Callable[[int], bytes], most: int | None = None) -> Frame:
    """``receive`` gives exactly as many bytes as it is asked for; ``most`` bounds head and body together."""
    tag, head, body = HEADER.unpack(receive(HEADER.size))
    if most is not None and head + body > most:
        raise BadFrame
    try:
        fields = json.loads(receive(head))
    except (ValueError, RecursionError):
        raise BadFrame from None
    if not isinstance(fields, dict):
        raise BadFrame
    return Frame(tag, fields, receive(body))
