"""A document → regions: sections of Markdown, pages of a PDF, or all of a plain text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from refdesk.passages.markdown import blocks, paragraphs
from refdesk.passages.structure import Block, Region
from refdesk.policy.model import Kind
from refdesk.reading.model import Page


def regions(text: str, kind: Kind, pages: Sequence[Page]) -> Iterator[Region]:
    if kind in ("markdown", "word"):
        return _sections(text)
    if pages:
        return _pages(text, pages)
    return iter([Region(list(paragraphs(text, 0, len(text))))])


def _sections(text: str) -> Iterator[Region]:
    """A heading opens a region. One without text of its own joins the region of the deeper heading that
    follows, so that it is neither lost nor a passage of bare words."""
    path: list[tuple[int, str]] = []
    held: list[Block] = []
    bare = True
    for block in blocks(text):
        if block.kind == "heading":
            if held and not (bare and block.level > held[-1].level):
                yield Region(held, _titles(path))
                held = []
            path = [*(part for part in path if part[0] < block.level), (block.level, block.title)]
            bare = True
        else:
            bare = False
        held.append(block)
    if held:
        yield Region(held, _titles(path))


def _titles(path: list[tuple[int, str]]) -> tuple[str, ...]:
    return tuple(title for _, title in path if title)


def _pages(text: str, pages: Sequence[Page]) -> Iterator[Region]:
    """A page reaches to the start of the next, so that no text between two is lost."""
    first = pages[0].start
    if text[:first].strip():
        yield Region(list(paragraphs(text, 0, first)))
    for page, end in zip(pages, [*(page.start for page in pages[1:]), len(text)], strict=True):
        line = f"Page {page.number}"
        start = page.start + _page_line(text, page, line)
        yield Region(list(paragraphs(text, start, end)), page=page.number, opening=f"{line}\n")


def _page_line(text: str, page: Page, line: str) -> int:
    """The length of the page's own line, where the text has it."""
    end = page.start + len(line)
    return len(line) if text.startswith(line, page.start) and text[end : end + 1] in ("", "\n") else 0
