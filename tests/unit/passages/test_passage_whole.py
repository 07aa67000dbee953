"""Paragraphs that all fit a passage are not looked into: what is packed is the same."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.passages import sentences, split
from refdesk.passages.atoms import Cutter
from refdesk.policy import load_policy
from refdesk.policy.model import Kind
from refdesk.reading.model import Page

_SENTENCES = st.lists(
    st.sampled_from(["One.", "Two words.", "Dr. No is not three!", "and so on"]), min_size=1
)
_PARAGRAPHS = st.lists(
    _SENTENCES.map(" ".join) | st.sampled_from(["# A heading", "- an item", "Led by:"]), max_size=9
)


@pytest.mark.req("SPL1", "SPL3")
@given(_PARAGRAPHS, st.sampled_from(["txt", "markdown", "pdf"]), st.sampled_from([12, 40, 90]), st.booleans())
def test_paragraphs_that_fit_are_packed_as_their_sentences_would_be(
    paragraphs: list[str], kind: Kind, size: int, tokens: bool
) -> None:
    text = "\n\n".join(["Page 1", *paragraphs])
    pages = [Page(1, 0, len(text))] if kind == "pdf" else []
    policy = replace(
        load_policy("packs").passages, size=size, max_size=size, unit="tokens" if tokens else "characters"
    )
    whole = split(text, kind, pages, policy)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Cutter, "_fit_whole", lambda *_: False)
        assert split(text, kind, pages, policy) == whole


@given(
    st.text(f'{sentences._HARD}{sentences._MARKS}.．…a 1"”)]*_\n', max_size=14),
    st.integers(0, 3),
    st.integers(0, 3),
)
def test_the_marks_that_may_end_a_sentence_are_those_of_the_whole_pattern(
    text: str, start: int, less: int
) -> None:
    end = len(text) - less
    found = [mark.span() for mark in sentences._ends_in(text, start, end)]
    assert found == [mark.span() for mark in sentences._END.finditer(text, start, end)]
