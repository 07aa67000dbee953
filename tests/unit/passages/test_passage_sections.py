"""Markdown: headings, code, lists; what stays together and what is never joined."""

from __future__ import annotations

import pytest

from refdesk.passages import Passage, section_path, split
from refdesk.passages.markdown import plain_title
from refdesk.policy import load_policy


def cut(text: str, size: int = 1_000, policy: str = "packs") -> list[Passage]:
    overrides = {"passages.size": size, "passages.max_size": max(size, 1_300)}
    return split(text, "markdown", (), load_policy(policy, overrides).passages)


@pytest.mark.req("SPL3", "W10")
def test_each_heading_opens_a_section_and_passages_know_their_path() -> None:
    text = "# Guide\n\nIntro.\n\n## Leave\n\nDays.\n\n### Sick\n\nNote.\n\n## Pay\n\nMoney.\n\n# End\n\nBye."
    found = cut(text, policy="voice")
    assert [(passage.section, passage.text) for passage in found] == [
        (("Guide",), "# Guide\n\nIntro."),
        (("Guide", "Leave"), "## Leave\n\nDays."),
        (("Guide", "Leave", "Sick"), "### Sick\n\nNote."),
        (("Guide", "Pay"), "## Pay\n\nMoney."),
        (("End",), "# End\n\nBye."),
    ]
    assert section_path(found[2].section) == "Guide › Leave › Sick"


@pytest.mark.req("W10")
@pytest.mark.parametrize(
    "text",
    [
        "# T\n\n```bash\n# no heading\n```\n\nx",
        "# T\n\n~~~\n# no heading\n```\n# none either\n~~~\nx",
        "# T\n\n- item\n\n  ```\n# no heading\n  ```\n",
        "# T\n\n<!--\n# no heading\n-->\n",
        "# T\n\n<pre>\n# no heading\n</pre>\n",
        "# T\n\n    # indented code\n",
        "# T\n\n#hashtag and #7\n",
        "# T\n\n> # quoted\n",
        "# T\n\ntext\n\n---\n\nmore\n",
        "# T\n\n| a |\n|---|\n| # |\n",
        "---\ntags: x\n---\n\n# T\n\ntext",
    ],
)
def test_what_is_no_heading(text: str) -> None:
    (found,) = cut(text)
    assert found.section == ("T",)
    assert found.text == text.strip()


@pytest.mark.req("W10")
def test_setext_headings() -> None:
    found = cut("Main\n====\n\nfirst\n\nSub part\n--------\nsecond\n\n---\n\nthird")
    assert [passage.section for passage in found] == [("Main",), ("Main", "Sub part")]
    assert found[1].text == "Sub part\n--------\nsecond\n\n---\n\nthird"


@pytest.mark.parametrize(
    ("raw", "title"),
    [
        ("*Leave* and **pay**", "Leave and pay"),
        ("`refdesk add` [now](http://x/y_z)", "refdesk add now"),
        ("![logo](a.png) snake_case _em_", "logo snake_case em"),
        (r"C\# and C++ \*", "C# and C++ *"),
        ('<a name="x"></a>Anchor {#id}', "Anchor"),
        ("two\nlines", "two lines"),
        ("word " * 100, ("word " * 100)[:199].rsplit(" ", 1)[0] + "…"),
    ],
)
def test_titles_have_no_marks(raw: str, title: str) -> None:
    assert plain_title(raw) == title


@pytest.mark.parametrize(
    ("line", "section"), [("## A ##", ("A",)), ("# C#", ("C#",)), ("#", ()), ("###### deep", ("deep",))]
)
def test_closing_marks(line: str, section: tuple[str, ...]) -> None:
    assert [passage.section for passage in cut(f"{line}\n\ntext")] == [section]


def test_a_heading_alone_is_kept() -> None:
    found = cut("# Guide\n\n## Empty\n\n## Full\n\ntext\n\n## Last")
    assert [(passage.section, passage.text) for passage in found] == [
        (("Guide", "Empty"), "# Guide\n\n## Empty"),
        (("Guide", "Full"), "## Full\n\ntext"),
        (("Guide", "Last"), "## Last"),
    ]


@pytest.mark.req("SPL1")
def test_whole_paragraphs_are_packed() -> None:
    paragraphs = [f"Number {n}. " + "Some more words here. " * 14 for n in range(6)]
    found = cut("\n\n".join(part.strip() for part in paragraphs))
    assert [passage.text.count("Number") for passage in found] == [3, 3]
    assert all(passage.text.startswith("Number") for passage in found)


def test_a_paragraph_that_fits_a_passage_is_not_cut_to_fill_the_one_before() -> None:
    short = "A short one. It ends."
    fitting = " ".join(f"Sentence {n} here." for n in range(9))
    longer = " ".join(f"Sentence {n} here." for n in range(30))
    assert [passage.text for passage in cut(f"{short}\n\n{fitting}", size=170)] == [short, fitting]
    assert cut(f"{short}\n\n{longer}", size=170)[0].text.startswith(f"{short}\n\nSentence 0")


def test_a_long_paragraph_is_cut_at_sentences_and_a_heading_stays_with_its_text() -> None:
    sentences = " ".join(f"Sentence {n} has a few words." for n in range(60))
    found = cut(f"# Title\n\n{sentences}", size=200)
    assert found[0].text.startswith("# Title\n\nSentence 0")
    assert all(passage.text.endswith(".") and len(passage.text) <= 200 for passage in found)
    assert all(len(passage.text) > 100 for passage in found[:-1])


def test_a_long_sentence_is_cut_at_words_a_long_word_anywhere() -> None:
    found = cut("alpha beta gamma " * 20, size=50)
    assert {word for passage in found for word in passage.text.split()} == {"alpha", "beta", "gamma"}
    found = cut("x" * 1_000, size=64)
    assert [len(passage.text) for passage in found[:-1]] == [64] * (len(found) - 1)


@pytest.mark.parametrize("unit", ["e\u0301\u0323", "👩\u200d👧", "🇩🇪", "👍🏽", "क्षि", "กำ้"])
def test_no_cut_inside_a_character(unit: str) -> None:
    for size in range(len(unit), 4 * len(unit)):
        found = cut(unit * 40, size=size)
        assert "".join(passage.text for passage in found) == unit * 40
        assert all(passage.text[0] == unit[0] for passage in found)


def test_code_is_whole_where_it_fits_and_loses_no_line() -> None:
    code = "```python\n" + "\n".join(f"value_{n} = {n}" for n in range(10)) + "\n```"
    text = "Words before it. " * 8 + "\n\n" + code
    assert cut(text, size=200)[-1].text == code
    pieces = cut(code, size=60)
    assert "\n".join(passage.text for passage in pieces) == code


def test_list_items_are_whole_where_they_fit() -> None:
    items = [f"- Item {n} says this. And it says that." for n in range(12)]
    found = cut("Intro:\n\n" + "\n".join(items), size=110)
    lines = [line for passage in found for line in passage.text.split("\n") if line]
    assert lines == ["Intro:", *items]
    assert found[0].text.startswith("Intro:\n\n- Item 0")


def test_plain_text_has_no_headings() -> None:
    (found,) = split("# one\n\nTwo\n===\n\n1. three", "text", (), load_policy("packs").passages)
    assert found.section == ()
