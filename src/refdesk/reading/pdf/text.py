"""The text of a page as pdfium orders it, and the mending of words that a line's end cut."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

import pypdfium2.raw as pdfium_c

from refdesk.reading.clean import FIGURE, HYPHEN, OUR_SIGNS, without_controls
from refdesk.reading.pdf.handles import whole_text

LINE_END = "\r\n"
"""What pdfium writes between two lines."""

_PDFIUM_HYPHEN = "\ufffe"
"""pdfium's sign for a hyphen at a line's end; it swallows the line break after it."""

_CUT = re.compile(rf"{HYPHEN}(\w*)")
_COMPOUND = re.compile(r"-(?<=\w-)(\w+)")
_FOLDED = re.compile("[\ufb00-\ufb06\ufb50-\ufdff\ufe70-\ufefc]+")
"""Ligatures and Arabic presentation forms; folding everything would change superscripts."""

_FIGURES = re.compile(rf"\n?(?:{FIGURE.format('[0-9]+')}\n?)+")

_SAMPLES = 32


def raw_lines(textpage: Any) -> list[str]:
    """pdfium's own lines, as long as pdfium counts them."""
    text = whole_text(textpage)
    return (text if text.isascii() else OUR_SIGNS.sub(" ", text)).split(LINE_END)


def clean_text(lines: Sequence[str], before: Mapping[int, Sequence[str]]) -> str:
    """Lines without space around them; ``before`` has the figures that stand before the line of a number."""
    if before:
        lines = [each for at in range(len(lines) + 1) for each in (*before.get(at, ()), *lines[at : at + 1])]
    text, _ = without_controls("\n".join(lines).replace(_PDFIUM_HYPHEN, HYPHEN))
    if not text.isascii():
        text = _FOLDED.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    text = "\n".join(filter(None, map(str.strip, text.split("\n"))))
    return _FIGURES.sub(_paragraphs, text).strip("\n") if before else text


def _paragraphs(lines: re.Match[str]) -> str:
    return "\n\n".join(["", *lines[0].split(), ""])


def share_unmapped(textpage: Any) -> float:
    """The share of characters that the page's fonts have no Unicode letter for, from an even sample."""
    count = pdfium_c.FPDFText_CountChars(textpage)
    sample = range(0, count, max(1, count // _SAMPLES))
    unmapped = [at for at in sample if pdfium_c.FPDFText_HasUnicodeMapError(textpage, at) == 1]
    return len(unmapped) / max(1, len(sample))


def mended(pages: list[str]) -> list[str]:
    """Cut words joined. A hyphen stays before a capital or digit, and where the document has it elsewhere."""
    if not any(HYPHEN in page for page in pages):
        return pages
    compounds = {
        f"{_word_before(page, found.start())}-{found[1]}".lower()
        for page in pages
        for found in _COMPOUND.finditer(page)
    }

    def mend(cut: re.Match[str]) -> str:
        before, after = _word_before(cut.string, cut.start()), cut[1]
        keeps = not before or not after[:1].islower() or f"{before}-{after}".lower() in compounds
        return f"-{after}" if keeps else after

    return [_CUT.sub(mend, page) for page in pages]


def _word_before(text: str, end: int) -> str:
    start = end
    while start and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    return text[start:end]
