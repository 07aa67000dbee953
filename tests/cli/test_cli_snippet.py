"""The few lines of a passage that a person sees: the sentence that answers is always among them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refdesk.cli.snippet import Sought
from refdesk.search.model import Found, QuestionWord


def sought(question: str, passages: int = 100, **holding: int) -> Sought:
    words = tuple(QuestionWord(word, count) for word, count in holding.items())
    return Sought(
        question,
        Found("keyword", "keyword", 1.0, (), passages=passages, words=words, languages=("english", "german")),
    )


FILLER = "The desk opens early on every working day of the year. "


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("when will refunds arrive?", "A refund arrives within 14 days."),
        ("E_ACCESS_DENIED", "The code E_ACCESS_DENIED means that a role is missing."),
        ("gebuhr", "Die Gebühr beträgt 12 Euro."),
        ("退款", "退款将在十四天内到账。"),
    ],
)
def test_the_sentence_with_the_question_s_words_is_the_best(question, best):
    part = sought(question).snippet(FILLER * 3 + best + " " + FILLER * 3, 150)
    assert part.best == best
    assert len(part.before + part.best + part.after) <= 150 + 4
    assert part.before.startswith("…") or part.before.endswith("year. ")
    assert part.after.endswith("…")


def test_a_rare_word_counts_for_more_than_two_frequent_ones():
    text = "The desk opens every day. Ask for the quorum there."
    part = sought("the desk quorum", passages=1000, the=990, desk=900, quorum=1).snippet(text, 30)
    assert part.best == "Ask for the quorum there."


def test_a_short_text_is_shown_whole():
    part = sought("refund").snippet("One line.\n\nA refund.\nThe end.", 300)
    assert part.before + part.best + part.after == "One line. A refund. The end."


def test_a_sentence_longer_than_the_room_is_cut_at_a_word():
    part = sought("word").snippet("word " * 100, 40)
    assert part.best == "word word word word word word word word …"


@settings(max_examples=60, deadline=None)
@given(
    text=st.text(min_size=1, max_size=400).filter(str.strip),
    question=st.text(max_size=40),
    room=st.integers(20, 200),
)
def test_any_text_gives_a_piece_of_itself_within_the_room(text, question, room):
    part = sought(question).snippet(text, room)
    shown = part.before + part.best + part.after
    assert _letters(part.best) in _letters(text)
    rest = iter(_letters(text))
    assert all(letter in rest for letter in _letters(shown)), "shown in another order than it stands"
    assert len(shown) <= room + 6


def _letters(text: str) -> str:
    """Without the marks of headings, tables and cuts."""
    return "".join(sign for sign in text if not sign.isspace() and sign not in "…·|#:-")


def test_a_table_row_is_a_sentence_without_its_marks():
    rows = (
        "| code | meaning |",
        "| --- | --- |",
        "| `scanned` | No text. Read it. |",
        "| `damaged` | Broken. |",
    )
    part = sought("scanned").snippet("\n".join(("Codes:", "", *rows)), 80)
    assert part.best == "`scanned` · No text. Read it."
    assert part.before == "Codes: code · meaning "


def test_a_heading_is_left_out_unless_it_is_all_there_is():
    assert sought("refunds").snippet("# Refunds\nThey arrive.", 80).best == "They arrive."
    assert sought("refunds").snippet("# Refunds", 80).best == "# Refunds"
