"""Markdown text → blocks, line by line: only what matters for cutting (CommonMark, pipe tables)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from refdesk.passages.structure import Block, BlockKind
from refdesk.passages.tables import is_delimiter

TITLE_CHARACTERS = 200

_ATX = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)")
_SETEXT = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")
_RULE = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_HTML = re.compile(r" {0,3}<(?:(!--)|(pre|script|style|textarea)(?=[\s>]|$))", re.IGNORECASE)
_BARE = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])|<[^<>]*>|\s\{[#.][^{}]*\}$")
_MARK = re.compile(r"(?<!\\)(\*\*?|__|~~|`+|(?<!\w)_|_(?!\w))")


def plain_title(raw: str) -> str:
    """A heading's words without marks, cut at a word after 200 characters."""
    text = _BARE.sub(lambda found: found[1] or "", raw.strip()[: 4 * TITLE_CHARACTERS])
    text = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", _MARK.sub("", text))
    text = " ".join(text.split())
    if len(text) <= TITLE_CHARACTERS:
        return text
    return text[: TITLE_CHARACTERS - 1].rsplit(" ", 1)[0] + "…"


class _Lines:
    """The lines of a text as offsets, with a cursor."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0]
        self.starts.extend(found.end() for found in re.finditer("\n", text))
        self.count = len(self.starts)

    def line(self, index: int) -> str:
        return self.text[self.starts[index] : self.end(index)]

    def end(self, index: int) -> int:
        return self.starts[index + 1] - 1 if index + 1 < self.count else len(self.text)

    def block(self, kind: BlockKind, first: int, behind: int, joined: bool = False) -> Block:
        return Block(kind, self.starts[first], self.end(behind - 1), joined=joined)


def blocks(text: str) -> Iterator[Block]:
    """Every line with text is in exactly one block; blank lines are in none or inside code. A metadata
    block at the start is a heading of level 0 without a title: it belongs to the section that follows."""
    lines = _Lines(text)
    index = _front_matter(lines)
    if index:
        yield lines.block("heading", 0, index)
    in_list = False
    while index < lines.count:
        line = lines.line(index)
        if not line.strip():
            index += 1
            continue
        block, index = _block(lines, index, line, in_list)
        in_list = block.kind == "list" or block.joined
        yield block


def paragraphs(text: str, start: int, end: int) -> Iterator[Block]:
    """Blocks of plain text: what stands between blank lines."""
    first: int | None = None
    line = start
    while line < end:
        stop = text.find("\n", line, end)
        stop = end if stop < 0 else stop
        if text[line:stop].isspace() or line == stop:
            if first is not None:
                yield Block("prose", first, line - 1)
            first = None
        elif first is None:
            first = line
        line = stop + 1
    if first is not None:
        yield Block("prose", first, end)


def _front_matter(lines: _Lines) -> int:
    """How many lines a metadata block at the start takes; 0 without one."""
    if lines.line(0).rstrip() != "---" or lines.count < 3 or not lines.line(1).strip():
        return 0
    for index in range(1, min(lines.count, 200)):
        if lines.line(index).rstrip() in ("---", "..."):
            return index + 1
    return 0


def _block(lines: _Lines, index: int, line: str, in_list: bool) -> tuple[Block, int]:
    indented = in_list and line[0] in " \t"
    if (atx := _ATX.match(line)) and not indented:
        return _atx(lines, index, line, len(atx[1])), index + 1
    if (behind := _verbatim(lines, index, line)) is not None:
        return lines.block("code", index, behind, joined=indented), behind
    if _is_table(lines, index, line):
        behind = index + 2
        while behind < lines.count and "|" in lines.line(behind):
            behind += 1
        return lines.block("table", index, behind, joined=indented), behind
    if _RULE.match(line):
        return lines.block("prose", index, index + 1), index + 1
    if _ITEM.match(line):
        behind = _until(lines, index + 1, in_list=True)
        return lines.block("list", index, behind, joined=in_list), behind
    return _paragraph(lines, index, indented)


def _atx(lines: _Lines, index: int, line: str, level: int) -> Block:
    body = line.strip()[level:].strip()
    closed = body.rstrip("#")
    if closed != body and (not closed or closed[-1] in " \t"):
        body = closed
    return Block("heading", lines.starts[index], lines.end(index), level, plain_title(body))


def _verbatim(lines: _Lines, index: int, line: str) -> int | None:
    """The line behind a code fence or an HTML block that holds raw text, where one begins here."""
    if fence := _FENCE.match(line):
        mark = fence[1]
        if mark[0] == "`" and "`" in line[fence.end() :]:
            return None
        return _until_match(lines, index + 1, re.compile(rf"[ \t]*{mark[0]}{{{len(mark)},}}[ \t]*$").match)
    if html := _HTML.match(line):
        closing = re.compile("-->" if html[1] else f"</{html[2]}>", re.IGNORECASE)
        if closing.search(line):
            return index + 1
        return _until_match(lines, index + 1, closing.search)
    return None


def _until_match(lines: _Lines, index: int, matches: Callable[[str], object]) -> int:
    while index < lines.count:
        index += 1
        if matches(lines.line(index - 1)):
            break
    return index


def _is_table(lines: _Lines, index: int, line: str) -> bool:
    return "|" in line and index + 1 < lines.count and is_delimiter(lines.line(index + 1), line)


def _interrupts(lines: _Lines, index: int, line: str, in_list: bool) -> bool:
    """Whether another block begins at a line that follows a paragraph's or item's line."""
    if not line.strip() or _FENCE.match(line) or _HTML.match(line) or _is_table(lines, index, line):
        return True
    if _ATX.match(line):
        return not (in_list and line[0] == " ")
    if in_list:
        return False
    found = _ITEM.match(line)
    return bool(found) and (not line.strip()[0].isdigit() or line.strip()[:2] in ("1.", "1)"))


def _until(lines: _Lines, index: int, in_list: bool) -> int:
    while index < lines.count and not _interrupts(lines, index, lines.line(index), in_list):
        index += 1
    return index


def _paragraph(lines: _Lines, first: int, indented: bool) -> tuple[Block, int]:
    index = first + 1
    while index < lines.count:
        line = lines.line(index)
        if (setext := _SETEXT.match(line)) and not indented:
            title = plain_title(lines.text[lines.starts[first] : lines.end(index - 1)])
            level = 1 if setext[1][0] == "=" else 2
            return Block("heading", lines.starts[first], lines.end(index), level, title), index + 1
        if _RULE.match(line) or _interrupts(lines, index, line, in_list=False):
            break
        index += 1
    return lines.block("prose", first, index, joined=indented), index
