"""A Markdown document's own title: its title property (front matter), else its first heading."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

_FRONT_MATTER = "---"
_PROPERTY = re.compile(r"title:[ \t]+(\S.*)$", re.IGNORECASE)
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_ATX = re.compile(r" {0,3}#{1,6}(?=[ \t]|$)")
_SETEXT = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
_NO_PARAGRAPH = re.compile(r"\s*$| {0,3}(?:>|[-+*][ \t]|\d{1,9}[.)][ \t])|(?:    |\t)")
_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])")
_MARKS = re.compile(r"\\([!-/:-@\[-`{-~])|[*`]+|~~|\s*\{#[^{}]*\}$")


def title_of(text: str) -> str | None:
    lines = text.split("\n")
    end = _front_matter_end(lines)
    found = next((match[1] for match in map(_PROPERTY.match, lines[:end]) if match), "")
    candidates = chain([found.strip().strip("\"'")], _headings(iter(lines[end:])))
    return next(filter(None, map(plain, candidates)), None)


def plain(heading: str) -> str:
    """A heading's words without its inline marks, on one line."""
    return " ".join(_MARKS.sub(r"\1", _LINK.sub(r"\1", heading)).split())


def _front_matter_end(lines: list[str]) -> int:
    """How many lines the block of properties at the top takes; 0 where there is none."""
    if lines[0].rstrip() != _FRONT_MATTER:
        return 0
    ends = (at for at, line in enumerate(lines) if at and line.rstrip() in (_FRONT_MATTER, "..."))
    return next(ends, -1) + 1


def _headings(lines: Iterator[str]) -> Iterable[str]:
    """Headings in order: ATX and setext, none from inside a code fence."""
    paragraph: list[str] = []
    for line in lines:
        if (fence := _FENCE.match(line)) is not None:
            paragraph = []
            _skip_fence(lines, fence[1])
        elif (atx := _ATX.match(line)) is not None:
            paragraph = []
            yield _without_closing_marks(line[atx.end() :].strip())
        elif paragraph and _SETEXT.match(line):
            yield " ".join(paragraph)
            paragraph = []
        elif paragraph and line.strip():
            paragraph.append(line)
        else:
            paragraph = [] if _NO_PARAGRAPH.match(line) else [line]


def _skip_fence(lines: Iterator[str], fence: str) -> None:
    for line in lines:
        closing = line.strip()
        if len(closing) >= len(fence) and not closing.strip(fence[0]):
            return


def _without_closing_marks(title: str) -> str:
    bare = title.rstrip("#")
    return bare.rstrip() if not bare or bare[-1] in " \t" else title
