"""The pictures of a document, in the order in which they are drawn."""

from __future__ import annotations

from refdesk.reading.problem import Problem
from refdesk.reading.word.container import BudgetSpent, Package, Relationship, TooLarge
from refdesk.reading.word.model import WordImage, WordLimits

_KEPT = ("png", "jpg", "jpeg", "jpe", "jfif", "gif", "webp")
_STARTS = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")
# What often stands in a part that is called .png: these are of another type, not broken.
_OTHER_STARTS = (
    b"BM",
    b"II*\x00",
    b"MM\x00*",
    b"\x01\x00\x00\x00",
    b"\xd7\xcd\xc6\x9a",
    b"<",
    b"\xef\xbb\xbf<",
)


class Images:
    def __init__(self, package: Package, limits: WordLimits) -> None:
        self._package = package
        self._limit = limits.max_image_bytes
        self._parts: dict[str, tuple[bytes | None, str | None]] = {}
        self.drawn: list[WordImage] = []

    def add(self, relationship: Relationship | None, alt: str) -> int:
        """The picture's number, from 1. An external file is never opened."""
        if relationship is None:
            image = WordImage(None, alt, "decode")
        elif relationship.external:
            image = WordImage(None, alt, "type")
        else:
            data, reason = self._part(relationship.target)
            image = WordImage(data, alt, reason)
        self.drawn.append(image)
        return len(self.drawn)

    def _part(self, name: str) -> tuple[bytes | None, str | None]:
        """Read once, however often it is drawn."""
        if name not in self._parts:
            self._parts[name] = self._read(name)
        return self._parts[name]

    def _read(self, name: str) -> tuple[bytes | None, str | None]:
        if name not in self._package:
            return None, "decode"
        try:
            chunks = self._package.chunks(name, self._limit)
            head = next(chunks, b"")
            reason = self._reason(name, head)
            return (None, reason) if reason else (head + b"".join(chunks), None)
        except TooLarge:
            return None, "bytes"
        except BudgetSpent:
            return None, "pool"
        except Problem:
            return None, "decode"

    def _reason(self, name: str, head: bytes) -> str | None:
        """The bytes decide; the name only tells a broken picture from one of another type."""
        if head.startswith(_STARTS) or (head[:4] == b"RIFF" and head[8:12] == b"WEBP"):
            return None
        declared = self._package.content_type(name).rpartition("/")[2] in _KEPT or name.endswith(_KEPT)
        return "decode" if declared and not head.startswith(_OTHER_STARTS) else "type"
