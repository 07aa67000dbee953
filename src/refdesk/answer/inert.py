"""An answer that loads nothing and leads nowhere by itself, wherever it is shown (RUN5).

A document can order a model to show a picture from an address that the question is put into, and a page that
renders the answer would fetch it. So pictures, definitions of links and the tags of HTML leave an answer, and
a link keeps its address only where that stands in what was issued. Code is text, and stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from refdesk.answer.prose import code

_TEXT = r"\[((?:[^\[\]\n]|\[[^\[\]\n]*\])*)\]"
_TARGET = (
    r"\(\s*<?([^()\s<>]*(?:\([^()\s]*\)[^()\s<>]*)*)>?(?:\s+(?:\"[^\"\n]*\"|'[^'\n]*'|\([^()\n]*\)))?\s*\)"
)
_PICTURE = re.compile(rf"!{_TEXT}(?:{_TARGET}|\[[^\[\]\n]*\])?")
_LINK = re.compile(_TEXT + _TARGET)
_DEFINITION = re.compile(r"^[ \t>]*\[[^\[\]\n]+\]:[ \t]*\S[^\n]*\n?", re.MULTILINE)
_AUTOMATIC = re.compile(r"<([a-z][a-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>@]+)>", re.IGNORECASE)
_TAG = re.compile(r"<!--.*?(?:-->|\Z)|<\s*[a-z!?/][^<>]*(?:>|\Z)", re.IGNORECASE | re.DOTALL)
_SAFE = re.compile(r"(?:https?:|mailto:)", re.IGNORECASE)
_TURNS = 5


@dataclass(frozen=True, slots=True)
class Inert:
    """``taken``: pictures and addresses that nothing issued holds."""

    answer: str
    taken: int


def inert(answer: str, sources: Sequence[str]) -> Inert:
    """``sources`` are the issued texts and addresses. What is left may read as new markup: it is looked at
    again."""
    taken = 0
    for _ in range(_TURNS):
        changed, count = _once(answer, sources)
        taken += count
        if changed == answer:
            return Inert(answer, taken)
        answer = changed
    return Inert(answer.replace("<", "‹").replace("![", "["), taken)


def _once(answer: str, sources: Sequence[str]) -> tuple[str, int]:
    parts: list[str] = []
    at = taken = 0
    for start, end in [*code(answer), (len(answer), len(answer))]:
        text, count = _without(answer[at:start], sources)
        parts += [text, answer[start:end]]
        taken += count
        at = end
    return "".join(parts), taken


def _without(text: str, sources: Sequence[str]) -> tuple[str, int]:
    taken = 0

    def link(match: re.Match[str]) -> str:
        nonlocal taken
        label, address = match[1], match[2]
        if _SAFE.match(address) and any(address in source for source in sources):
            return match[0]
        taken += 1
        return label

    text, pictures = _PICTURE.subn(lambda match: match[1], text)
    text, definitions = _DEFINITION.subn("", text)
    text = _LINK.sub(link, text)
    text = _TAG.sub("", _AUTOMATIC.sub(r"\1", text)).replace("![", "[")
    return text, taken + pictures + definitions
