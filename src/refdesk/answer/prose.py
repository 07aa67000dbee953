"""What of an answer is prose: the writer's own words, where a bracketed number is a citation.

Code, links, markup and quotations are not. Their characters are blanked, so that places in the prose are
places in the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_FENCE = re.compile(r" {0,3}(?:> ?)*(`{3,}(?=[^`]*$)|~{3,})")
_CODE = re.compile(r"(?<!`)(`+)(?!`)(?:(?!\n\s*\n).)+?(?<!`)\1(?!`)", re.DOTALL)
_LINK = re.compile(
    r"!?\[(?:[^\[\]\n]|\[[^\[\]\n]*\])*\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+\"[^\"\n]*\")?\)"
)
_DEFINITION = re.compile(
    r"^ {0,3}\[[^\[\]\n]+\]:[ \t]*<?(?:[a-z][a-z0-9+.-]*:|/|#)[^\n]*$", re.MULTILINE | re.IGNORECASE
)
_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s<>\[\]]+(?:\[[^\s\[\]]*\][\w=&/?#%.-]+)*", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z!][^<>]*>", re.IGNORECASE)
_BLANKED = re.compile(r" [ \n]*")
_NOT_PROSE = (_CODE, _LINK, _DEFINITION, _ADDRESS, _TAG)

# A straight mark opens behind a space or bracket and closes before one: 5" is a measure, not a quotation.
_QUOTATION = re.compile(
    r"“[^“”\n]*”|„[^„“”\n]*[“”]|«[^«»\n]*»|»[^«»\n]*«|「[^「」\n]*」|『[^『』\n]*』"
    r"|(?<![^\s(\[{—–])\"(?=\S)[^\"\n]*(?<=\S)\"(?!\w)"
    r"|^ {0,3}>[^\n]*$",
    re.MULTILINE,
)
_BRACKETED = re.compile(r"[\[［【][^\[\]［］【】\n]*[\]］】]")
_OPENING = '> \t"“„«»「『'
_CLOSING = re.compile(r"[\s.,;:!?…\"“”»«」』]*")
_CONTEXT = 24
_LEAST_CONTEXT = 8


def prose(answer: str, sources: Sequence[str]) -> str:
    """``answer`` with what isn't prose blanked, of the same length.

    A bracket inside a quotation is text, except at its end where the quotation, bracket included, stands in
    none of ``sources`` (the issued texts): there the writer put it. So is a bracket that was copied with
    the words before it.
    """
    text = _without_fenced_code(answer)
    for pattern in _NOT_PROSE:
        text = pattern.sub(_blank, text)
    known = [_plain(source) for source in sources]
    for start, end in [*_quoted(text, answer, known), *_copied(text, answer, known)]:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def code(answer: str) -> list[tuple[int, int]]:
    """Where code stands in it, in order."""
    plain = _CODE.sub(_blank, _without_fenced_code(answer))
    pieces = ((found.start(), found.end()) for found in _BLANKED.finditer(plain))
    return [(start, end) for start, end in pieces if answer[start:end] != plain[start:end]]


def _without_fenced_code(text: str) -> str:
    """A fence that is never closed runs to the end."""
    lines, fence = text.split("\n"), ""
    for number, line in enumerate(lines):
        mark = _FENCE.match(line)
        if fence or mark:
            lines[number] = " " * len(line)
        if not fence:
            fence = mark[1] if mark else ""
        elif mark and mark[1].startswith(fence) and not line[mark.end() :].strip():
            fence = ""
    return "\n".join(lines)


def _blank(match: re.Match[str]) -> str:
    return "".join(c if c == "\n" else " " for c in match[0])


def _quoted(text: str, answer: str, known: Sequence[str]) -> Iterator[tuple[int, int]]:
    for quotation in _QUOTATION.finditer(text):
        for bracket in _BRACKETED.finditer(text, *quotation.span()):
            rest = _BRACKETED.sub("", text[bracket.end() : quotation.end()])
            words = _plain(answer[quotation.start() : bracket.end()].lstrip(_OPENING))
            if _CLOSING.fullmatch(rest) is None or any(words in source for source in known):
                yield bracket.span()


def _copied(text: str, answer: str, known: Sequence[str]) -> Iterator[tuple[int, int]]:
    for bracket in _BRACKETED.finditer(text):
        before = _plain(answer[max(0, bracket.start() - _CONTEXT) : bracket.start()])
        words = _plain(answer[max(0, bracket.start() - _CONTEXT) : bracket.end()])
        if len(before) >= _LEAST_CONTEXT and any(words in source for source in known):
            yield bracket.span()


def _plain(text: str) -> str:
    return " ".join(text.split())
