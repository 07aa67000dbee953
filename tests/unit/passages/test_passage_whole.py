"""Paragraphs that all fit a passage are not looked into: what is packed is the same."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.passages import split
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
