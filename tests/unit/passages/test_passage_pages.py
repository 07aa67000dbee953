"""PDF pages are walls, and every passage says its page."""

from __future__ import annotations

import pytest

from refdesk.passages import Passage, split
from refdesk.policy import load_policy
from refdesk.reading.model import Page


def document(*contents: str, ending: str = "") -> tuple[str, list[Page]]:
    text, pages = "", []
    for number, content in enumerate(contents, 1):
        text += "\n\n" if text else ""
        start = len(text)
        text += f"Page {number}" + (f"\n{content}" if content else "")
        pages.append(Page(number, start, len(text)))
    return text + ending, pages


def cut(text: str, pages: list[Page], size: int = 1_000, policy: str = "packs") -> list[Passage]:
    overrides = {"passages.size": size, "passages.max_size": max(size, 1_300)}
    return split(text, "pdf", pages, load_policy(policy, overrides).passages)


@pytest.mark.req("SPL1")
def test_a_passage_never_spans_two_pages_and_opens_with_its_page_line() -> None:
    long = " ".join(f"Sentence {n} goes on." for n in range(120))
    text, pages = document("Short one.", long, "# Not a heading\n\nLast.")
    for policy in ("packs", "bases", "voice", "package"):
        found = cut(text, pages, 90 if policy == "package" else 600, policy)
        assert [passage.page for passage in found].count(2) > 3
        for passage in found:
            assert passage.page is not None
            page = pages[passage.page - 1]
            assert page.start < passage.start < passage.end <= page.end
            assert passage.text == f"Page {page.number}\n{text[passage.start : passage.end]}"
            assert passage.section == ()


@pytest.mark.req("SPL1")
def test_the_page_line_counts_in_the_size() -> None:
    text, pages = document(" ".join(f"Sentence {n} goes on." for n in range(120)))
    assert max(len(passage.text) for passage in cut(text, pages, 300)) <= 300


def test_an_empty_page_gives_no_passage_and_a_figure_does() -> None:
    text, pages = document("One.", "", "[Figure 1: page 3]", "Page 4\nagain")
    assert [(passage.page, passage.text) for passage in cut(text, pages)] == [
        (1, "Page 1\nOne."),
        (3, "Page 3\n[Figure 1: page 3]"),
        (4, "Page 4\nPage 4\nagain"),
    ]


def test_text_after_the_last_page_goes_with_it() -> None:
    text, pages = document("One.", "Two.", ending="\n\nImages: 1 kept")
    assert cut(text, pages)[-1].text == "Page 2\nTwo.\n\nImages: 1 kept"


def test_a_page_without_its_line_loses_nothing() -> None:
    text = "Page 10 is about this.\n\nSecond page."
    found = cut(text, [Page(1, 0, 22), Page(2, 24, 36)])
    assert [passage.text for passage in found] == ["Page 1\nPage 10 is about this.", "Page 2\nSecond page."]
