from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from refdesk.answer.citations import Cited, read

SOURCE = "The device, see [3], is exchanged within 14 days [1]. A note says: see [2] for prices."


def cited(answer: str, issued: int = 3, source: str = "") -> Cited:
    return read(answer, range(1, issued + 1), [source])


@pytest.mark.parametrize(
    ("answer", "numbers"),
    [
        ("Within 14 days [1].", (1,)),
        ("Within 14 days[1].", (1,)),
        ("Both say so [2, 1].", (2, 1)),
        ("Both say so [1; 3].", (1, 3)),
        ("Both say so [1][3].", (1, 3)),
        ("All say so [1-3].", (1, 2, 3)),
        ("All say so [1–3].", (1, 2, 3)),
        ("One and a range [3, 1-2].", (3, 1, 2)),
        ("都这样说【2】。", (2,)),
        ("First [2]. Then [1]. Again [2].", (2, 1)),
        ('A 5" pipe [1] and a 6" pipe [2].', (1, 2)),
        ("An edition of [2024] is no citation.", ()),
        ("[a] [1a] [] [ ] [1 2] [-1] [1.5]", ()),
        ("Escaped \\[1\\] is text.", ()),
    ],
)
def test_bracketed_numbers_in_prose_are_citations(answer: str, numbers: tuple[int, ...]) -> None:
    found = cited(answer)
    assert (found.numbers, found.struck, found.answer) == (numbers, (), answer)


@pytest.mark.req("A1")
@pytest.mark.parametrize(
    "answer",
    [
        "`rows[1]` is the first row.",
        "``a ` [1] `` is code.",
        "```\nx = y[1]\n```",
        "~~~ python\nx = y[1]\n~~~\n",
        "````\n```\n[1]\n```\n[1]\n````",
        "```\nnever closed [1]",
        "[1](https://example.org/a)",
        "[the [1] list](https://example.org/a)",
        "![figure [1]](figure.png)",
        "https://example.org/?a[1]=b is an address.",
        "<https://example.org/?a[1]=b>",
        '<img alt="[1]">',
        "[1]: https://example.org/a",
        'It says "see [1] for more".',
        "It says “see [1] for more”.",
        "Es sagt „siehe [1] dort“.",
        "Il dit « voir [1] ici ».",
        "> as [1] shows\n> it does",
    ],
)
def test_brackets_in_code_links_and_quotations_stay_text(answer: str) -> None:
    found = cited(answer)
    assert (found.numbers, found.struck, found.answer) == ((), (), answer)


@pytest.mark.req("A1")
def test_a_citation_behind_a_quotation_counts_and_one_within_does_not() -> None:
    assert cited('The rule: "see [2] for prices" [1].').numbers == (1,)
    assert cited("```\na[2]\n```\nSo it is [1], and `b[3]` too.").numbers == (1,)


@pytest.mark.req("A1")
def test_a_mark_at_the_end_of_a_quotation_is_the_writers_unless_the_document_has_it() -> None:
    assert cited('"It is exchanged [1]."').numbers == (1,)
    assert cited('He writes "within 14 days [1]."', source=SOURCE).numbers == ()


@pytest.mark.req("A1")
def test_a_bracket_copied_with_its_words_from_a_document_is_not_a_citation() -> None:
    assert cited("The device, see [3], is exchanged [2].", source=SOURCE).numbers == (2,)
    assert cited("The device is exchanged [3].", source=SOURCE).numbers == (3,)


@pytest.mark.parametrize(
    ("answer", "kept", "numbers", "struck"),
    [
        ("So it is [9].", "So it is.", (), (9,)),
        ("So it is [0] or [4] [1].", "So it is or [1].", (1,), (0, 4)),
        ("So it is [1, 9].", "So it is [1].", (1,), (9,)),
        ("So it is [2-4].", "So it is [2, 3].", (2, 3), (4,)),
        ("So it is [[9]8].", "So it is.", (), (9, 8)),
        ("`x[9]` stays [9]", "`x[9]` stays", (), (9,)),
    ],
)
def test_a_number_that_was_not_issued_is_struck_and_told(
    answer: str, kept: str, numbers: tuple[int, ...], struck: tuple[int, ...]
) -> None:
    found = cited(answer)
    assert (found.answer, found.numbers, found.struck) == (kept, numbers, struck)


def test_marks_point_into_the_answer() -> None:
    found = cited("One [9] and [1], two [2, 3].")
    assert [found.answer[mark.start : mark.end] for mark in found.marks] == ["[1]", "[2, 3]"]
    assert len(found.prose) == len(found.answer)


SIGNS = '[]()<>`"“”~-,\\ \n19x٣²'
PIECES = [
    *SIGNS,
    "[1]",
    "[9]",
    "[1, 2]",
    "[2-7]",
    "【3】",
    "```",
    "~~~",
    "](",
    "\n\n",
    "> ",
    "https://a.b/",
    "[1]: http://x",
]


@given(
    st.one_of(st.text(max_size=80), st.lists(st.sampled_from(PIECES), max_size=40).map("".join)),
    st.sets(st.integers(1, 5)),
)
@example("[[9]1]", {1})
@example("[" * 2000 + "1" + "]" * 2000, {1})
@settings(max_examples=400, deadline=None)
def test_any_text_gives_issued_numbers_only(answer: str, issued: set[int]) -> None:
    found = read(answer, issued, ["word [1] word", answer[:20]])
    assert set(found.numbers) <= issued
    assert not set(found.struck) & issued
    assert read(found.answer, issued, ["word [1] word", answer[:20]]).numbers == found.numbers
    assert found.struck or found.answer == answer
