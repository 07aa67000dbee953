"""Pictures of Word documents on their way through the child: kept, labelled, placed, or counted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from refdesk.errors import Refusal
from refdesk.policy import Policy, load_policy
from refdesk.reading import Reader, Reading


@pytest.fixture
def word(corpus: Path, reader: Reader, packs: Policy) -> Callable[..., Reading]:
    def read(name: str, policy: Policy = packs) -> Reading:
        return reader.read(corpus / "documents" / name, name, None, policy)

    return read


@pytest.mark.req("FIG1", "FIG4")
def test_pictures_stand_where_they_are_drawn_under_their_alt_text(word: Callable[..., Reading]) -> None:
    reading = word("docx-images-alt-order.docx")
    assert [figure.label for figure in reading.figures] == ["A description..."] * 3
    assert [(figure.width, figure.height) for figure in reading.figures] == [(189, 55), (64, 64), (180, 171)]
    assert all(figure.page is None for figure in reading.figures)
    paragraphs = reading.text.split("\n\n")
    assert paragraphs.index("[Figure 1: A description...]") < paragraphs.index("More images follow....")
    assert paragraphs.index("More images follow....") < paragraphs.index("[Figure 2: A description...]")
    assert paragraphs[-1] == "The end!"


@pytest.mark.req("FIG1", "FIG3")
def test_types_that_are_not_kept_are_counted(word: Callable[..., Reading]) -> None:
    reading = word("docx-image-emf-png.docx")
    assert len(reading.figures) == 1
    assert reading.not_kept == {"type": 2}
    assert reading.text.endswith("\n\nImages: 1 kept, 2 not kept (type: 2)")


@pytest.mark.req("FIG2", "FIG3")
def test_no_picture_refuses_a_document(word: Callable[..., Reading]) -> None:
    reading = word("own-docx-image-limits.docx")
    assert reading.not_kept == {"pixels": 2, "size": 1, "decode": 2}
    assert reading.text.endswith("Images: 0 kept, 5 not kept (pixels: 2, size: 1, decode: 2)")
    assert "[Figure" not in reading.text


def test_a_path_of_the_author_is_no_label(word: Callable[..., Reading]) -> None:
    reading = word("docx-image-gif.docx")
    assert reading.figures[0].label == ""
    assert "[Figure 1]" in reading.text
    assert "K:\\" not in reading.text


@pytest.mark.req("FIG4")
def test_a_long_alt_text_is_cut_at_a_word(word: Callable[..., Reading]) -> None:
    short = load_policy("packs", {"figures.label_characters": 20})
    reading = word("docx-grouped-images-alt.docx", short)
    assert reading.figures[0].label == "A cartoon duck…"
    assert "[Figure 1: A cartoon duck…]" in reading.text


@pytest.mark.req("FIG2")
def test_the_cap_of_a_policy(word: Callable[..., Reading]) -> None:
    two = load_policy("packs", {"figures.max_count": 2})
    reading = word("docx-grouped-images-alt.docx", two)
    assert len(reading.figures) == 2
    assert reading.not_kept == {"count": 4}
    none = word("docx-grouped-images-alt.docx", load_policy("packs", {"figures.max_count": 0}))
    assert none.figures == ()
    assert none.not_kept == {"count": 6}


@pytest.mark.req("DOC3")
def test_word_documents_have_the_limit_of_their_policy(word: Callable[..., Reading]) -> None:
    length = len(word("docx-headings-prose.docx").text)
    exact = load_policy("packs", {"documents.max_characters": length})
    assert word("docx-headings-prose.docx", exact).text
    with pytest.raises(Refusal) as refused:
        word("docx-headings-prose.docx", load_policy("packs", {"documents.max_characters": length - 1}))
    assert refused.value.code == "too_many_characters"
    assert refused.value.limit == length - 1
