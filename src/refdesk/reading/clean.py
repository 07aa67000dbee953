"""Characters that no stored text has, and the signs that stand in a text until it is whole."""

from __future__ import annotations

import re
from itertools import islice

_UNWANTED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""Controls other than tab and newline, lone surrogates, noncharacters."""

FIGURE = "\ue000{}\ue001"
"""Where drawn picture ``n`` stands, until it is known whether it is kept."""

HYPHEN = "\ue002"
"""Where a PDF's line broke inside a word, until the whole document's words are known."""

OUR_SIGNS = re.compile("[\ue000-\ue002]")
"""A document's own text holds none of them, whatever its author wrote."""

_FIGURE_SIGN = re.compile(FIGURE.format("[0-9]+"))


def without_controls(text: str) -> tuple[str, int]:
    """The text with LF line ends, and how many characters were removed from it."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _UNWANTED.subn("", text)


def without_figures(text: str) -> str:
    """The text alone: a placeholder is no text, though a number stands in it."""
    return _FIGURE_SIGN.sub("", text) if FIGURE[0] in text else text


def one_line(text: str) -> str:
    return " ".join(OUR_SIGNS.sub("", without_controls(text)[0]).split())


def has_more_letters(text: str, than: int) -> bool:
    """Whether it has more than so many letters and digits, of any script; looks no further than it must."""
    return next(islice(filter(str.isalnum, text), than, None), None) is not None


def has_words(text: str) -> bool:
    return has_more_letters(text, 0)
