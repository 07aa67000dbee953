"""Which characters reach the text, and the marks that stand in it while a document is read."""

from __future__ import annotations

import re

# XML 1.0 has none of these three: no document can forge them.
BREAK = "\x03"  # a line break
_PICTURE_OPEN, _PICTURE_CLOSE = "\x01", "\x02"
_PICTURE = re.compile(f"{_PICTURE_OPEN}([0-9]+){_PICTURE_CLOSE}")

_LINE_ENDS = re.compile("[\n\x0b\x0c\r\x85\u2028\u2029]")
# Controls, soft hyphens, byte-order marks, annotation anchors, and the signs that mark a picture's place.
_UNWANTED = re.compile(
    "[\x00\x04-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\ue000\ue001\ufeff\ufff9-\ufffb\ufffe\uffff]"
)
_NO_WIDTH = "\u200b\u200c\u200d\u200e\u200f\u2060"
_SPACES = " \t\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"


def clean(text: str) -> str:
    """One line but for BREAK: in XML a line end is a space."""
    return _UNWANTED.sub("", _LINE_ENDS.sub(" ", text))


def trim(text: str) -> str:
    """Without spaces, line breaks and signs of no width at both ends; empty where there is nothing else."""
    return text.strip(_SPACES + _NO_WIDTH + BREAK)


def lines(text: str) -> list[str]:
    """What stands between line breaks, without the spaces around them and without empty lines."""
    return [line for line in (part.strip(" \t") for part in text.split(BREAK)) if line]


def picture_mark(number: int) -> str:
    return f"{_PICTURE_OPEN}{number}{_PICTURE_CLOSE}"


def place_pictures(text: str, opening: str, closing: str) -> str:
    """Writes the marks as they are handed on."""
    return _PICTURE.sub(rf"{opening}\1{closing}", text)
