"""Where characters lie after a text was edited."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from refdesk.screening.edits import Edit, Edited


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, list[Edit]]:
    text = draw(st.text(alphabet="abcdef", max_size=40))
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    return text, [Edit(start, end, draw(st.text("XYZ", max_size=4))) for start, end in pairs]


@given(edited())
def test_each_character_that_stays_is_found_at_its_new_place(case: tuple[str, list[Edit]]) -> None:
    text, edits = case
    after = Edited(text, edits)
    for offset, character in enumerate(text):
        if not any(edit.start <= offset < edit.end for edit in edits):
            assert after.text[after.place(offset)] == character
            assert after.end(offset + 1) == after.place(offset) + 1


@given(edited())
def test_the_ends_of_the_text_stay_its_ends(case: tuple[str, list[Edit]]) -> None:
    text, edits = case
    after = Edited(text, edits)
    assert after.end(len(text)) == len(after.text)
    assert after.place(0) == 0


def test_what_took_a_pages_last_word_is_inside_the_page() -> None:
    after = Edited("one two\n\nthree", [Edit(4, 7, "[REDACTED:credential]")])
    assert after.text[: after.end(7)] == "one [REDACTED:credential]"
    assert after.text[after.place(9) : after.end(14)] == "three"
