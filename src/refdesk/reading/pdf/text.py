"""The text of a page as pdfium orders it, and the mending of words that a line's end cut."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

import pypdfium2.raw as pdfium_c

from refdesk.reading.clean import HYPHEN, without_controls, without_our_signs

_PDFIUM_HYPHEN = "\ufffe"
"""pdfium's sign for a hyphen at a line's end; it swallows the line break after it."""

_CUT = re.compile(rf"(\w*){HYPHEN}(\w*)")
_COMPOUND = re.compile(r"\w+-\w+")
_FOLDED = re.compile("[\ufb00-\ufb06\ufb50-\ufdff\ufe70-\ufefc]+")
"""Ligatures and Arabic presentation forms; folding everything would change superscripts."""

_SAMPLES = 64


def page_text(textpage: Any) -> str:
    """Lines without space around them; ``HYPHEN`` where a line's end cut a word."""
    text = without_our_signs(textpage.get_text_range()).replace(_PDFIUM_HYPHEN, HYPHEN)
    text, _ = without_controls(text)
    text = _FOLDED.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    return "\n".join(filter(None, map(str.strip, text.split("\n"))))


def share_unmapped(textpage: Any) -> float:
    """The share of characters that the page's fonts have no Unicode letter for, from an even sample."""
    count = textpage.count_chars()
    sample = range(0, count, max(1, count // _SAMPLES))
    unmapped = [at for at in sample if pdfium_c.FPDFText_HasUnicodeMapError(textpage, at) == 1]
    return len(unmapped) / max(1, len(sample))


def mended(pages: list[str]) -> list[str]:
    """Cut words joined. A hyphen stays before a capital or digit, and where the document has it elsewhere."""
    if not any(HYPHEN in page for page in pages):
        return pages
    compounds = {match.lower() for page in pages for match in _COMPOUND.findall(page)}

    def mend(match: re.Match[str]) -> str:
        before, after = match.groups()
        compound = f"{before}-{after}"
        keeps = not before or not after[:1].islower() or compound.lower() in compounds
        return compound if keeps else before + after

    return [_CUT.sub(mend, page) for page in pages]
