"""Markdown and text: bytes to the text that is stored (BEHAVIOUR.md D1)."""

from __future__ import annotations

import codecs

from refdesk.reading.clean import without_controls
from refdesk.reading.problem import Problem

_NUL_SHARE = 3
"""Where every third byte or more is NUL, it is UTF-16 or UTF-32 without a mark, or no text at all."""

_MARKS = (
    (codecs.BOM_UTF8, "UTF-8"),
    (codecs.BOM_UTF16_LE, "UTF-16-LE"),
    (codecs.BOM_UTF16_BE, "UTF-16-BE"),
)


def decode(data: bytes) -> tuple[str, list[str]]:
    """The text with LF line ends and without control characters, and notes on what was done to it."""
    mark, encoding = next((each for each in _MARKS if data.startswith(each[0])), (b"", "UTF-8"))
    text = _strict(data, len(mark), encoding)
    notes = [f"The text was read as {encoding}."] if encoding != "UTF-8" else []
    if text.count("\x00") * _NUL_SHARE >= len(text) > 0:
        offset = data.index(b"\x00")
        raise _not_utf8(f"is full of NUL bytes, the first at offset {offset:,}", offset)
    text, removed = without_controls(text)
    if removed:
        notes.append(f"{removed:,} control {'character was' if removed == 1 else 'characters were'} removed.")
    return text, notes


def _strict(data: bytes, start: int, encoding: str) -> str:
    try:
        return str(memoryview(data)[start:], encoding)
    except UnicodeDecodeError as error:
        offset = start + error.start
        raise _not_utf8(f"is not {encoding[:6].rstrip('-')} at offset {offset:,}", offset) from None


def _not_utf8(what: str, offset: int) -> Problem:
    return Problem("not_utf8", f"The text {what}; save it as UTF-8 and add it again.", actual=offset)
