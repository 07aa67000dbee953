"""Whatever the text: nothing is lost, nothing is empty, nothing is too large, and work stays linear."""

from __future__ import annotations

import sys
from contextlib import suppress
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refdesk.errors import Refusal
from refdesk.passages import Passage, count_tokens, split
from refdesk.policy import POLICIES, load_policy
from refdesk.policy.model import Kind, Passages
from refdesk.reading.model import Page

LINES = [
    "",
    "",
    "# One",
    "## Two *b*",
    "### 三",
    "Setext",
    "===",
    "---",
    "Plain words stand here. And a second sentence! A third?",
    "中文句子。第二句！没有结束",
    "ประโยคภาษาไทยที่ไม่มีช่องว่าง",
    "- item one. Two.",
    "  - nested",
    "1. first",
    "> quoted",
    "| a | b |",
    "|---|:-:|",
    "| value one | 2 \\| 3 |",
    "| x |",
    "```",
    "~~~ py",
    "    code = 1",
    "<!-- note",
    "-->",
    "Page 2",
    "word" * 40,
    "many words " * 30,
    "…!?. . .",
    "\t \u00a0",
    "[Figure 1: x]",
]
texts = st.lists(st.sampled_from(LINES) | st.text(max_size=30), max_size=40).map("\n".join)


def sized(name: str, size: int | None) -> Passages:
    policy = load_policy(name).passages
    if size is None:
        return policy
    changes = {"size": size, "max_size": size, "overlap": min(policy.overlap, size), "max_count": None}
    return policy.model_copy(update=changes)


def check(text: str, found: list[Passage], policy: Passages, outside: set[int]) -> None:
    assert [passage.position for passage in found] == list(range(1, len(found) + 1))
    covered: set[int] = set()
    for before, passage in zip([None, *found], found, strict=False):
        span = text[passage.start : passage.end]
        assert span
        assert span == span.strip()
        assert passage.text.endswith(span)
        assert before is None or before.end < passage.end
        covered.update(range(passage.start, passage.end))
        in_table = "|" in span
        allowed = (2 if in_table else 1) * policy.size
        measured = len(span) if policy.unit == "characters" else count_tokens(span)
        assert measured <= allowed or len(span) <= 64
        if passage.text != span:
            assert in_table or passage.page is not None
    solid = {place for place, sign in enumerate(text) if not sign.isspace()}
    assert solid - outside == covered & (solid - outside)
    assert not covered & outside


@pytest.mark.req("SPL1", "SPL2", "SPL3", "SPL4", "SPL5")
@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("kind", ["markdown", "text"])
@given(text=texts, size=st.none() | st.integers(1, 120))
@settings(max_examples=60, deadline=None)
def test_the_spans_cover_the_text(name: str, kind: Kind, text: str, size: int | None) -> None:
    policy = sized(name, size)
    check(text, split(text, kind, (), policy), policy, set())


@pytest.mark.req("SPL1")
@pytest.mark.parametrize("name", POLICIES)
@given(contents=st.lists(texts, min_size=1, max_size=4), size=st.none() | st.integers(1, 120))
@settings(max_examples=40, deadline=None)
def test_the_spans_cover_the_pages(name: str, contents: list[str], size: int | None) -> None:
    policy = sized(name, size)
    text, pages, outside = "", [], set()
    for number, content in enumerate(contents, 1):
        start = len(text)
        line = f"Page {number}"
        outside.update(place for place in range(start, start + len(line)) if line[place - start] != " ")
        text += f"{line}\n{content}\n\n"
        pages.append(Page(number, start, len(text) - 2))
    found = split(text, "pdf", pages, policy)
    check(text, found, policy, outside)
    for passage in found:
        assert passage.page is not None
        page = pages[passage.page - 1]
        assert page.start < passage.start < passage.end <= page.end
        assert passage.text == f"Page {page.number}\n{text[passage.start : passage.end]}"


@given(text=texts)
@settings(max_examples=60, deadline=None)
def test_packed_tight_the_spans_cover_the_text_too(text: str) -> None:
    policy = load_policy("voice", {"passages.size": 40, "passages.max_size": 400}).passages
    loose = len(split(text, "markdown", (), policy.model_copy(update={"max_count": None})))
    limited = policy.model_copy(update={"max_count": max(1, loose // 2)})
    with suppress(Refusal):
        found = split(text, "markdown", (), limited)
        assert len(found) <= max(1, loose // 2)
        check(text, found, policy.model_copy(update={"size": 400}), set())


def calls(text: str, policy: Passages) -> int:
    """Calls of functions while splitting: work that can be counted, unlike time."""
    count = 0

    def tick(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(tick)
    try:
        split(text, "markdown", (), policy)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("name", ["packs", "bases", "package"])
@pytest.mark.parametrize(
    "unit",
    [
        "x",
        "ab ",
        "word\n",
        "a\n\n",
        "# a\n",
        "a. ",
        "- a\n",
        "> a\n",
        "|",
        "`",
        "🇩",
        "e\u0301",
        "a\n---\n",
        "…",
        "\\|",
    ],
)
def test_work_grows_with_the_text(name: str, unit: str) -> None:
    policy = load_policy(name).passages
    small, large = (calls(unit * (n // len(unit)), policy) for n in (4_000, 16_000))
    assert large < 5 * small + 500
