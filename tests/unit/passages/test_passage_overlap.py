"""What passages share, how many there may be, and how much they may hold."""

from __future__ import annotations

from itertools import pairwise

import pytest

from refdesk.errors import Refusal
from refdesk.passages import Passage, count_tokens, split
from refdesk.policy import load_policy

PROSE = " ".join(f"Sentence number {n} has its own few words." for n in range(300))


def cut(text: str, policy: str, **overrides: int) -> list[Passage]:
    table = {f"passages.{key}": value for key, value in overrides.items()}
    return split(text, "markdown", (), load_policy(policy, table).passages)


@pytest.mark.req("SPL2", "D8")
def test_bases_repeat_one_sentence() -> None:
    found = cut(PROSE, "bases")
    assert len(found) > 5
    for before, after in pairwise(found):
        shared = PROSE[after.start : before.end]
        assert shared.startswith("Sentence number")
        assert shared.count("Sentence") == 1
        assert len(after.text) <= 1_000
    assert [passage.position for passage in found] == list(range(1, len(found) + 1))


@pytest.mark.req("SPL2")
def test_a_cut_sentence_is_repeated_by_words_and_nothing_across_a_heading() -> None:
    text = "word " * 600
    for before, after in pairwise(cut(text, "bases")):
        assert 0 < before.end - after.start <= 100
        assert text[after.start - 1] == " "
    found = cut("# A\n\nOne here. Two here.\n\n# B\n\nThree.", "bases")
    assert [passage.text for passage in found] == ["# A\n\nOne here. Two here.", "# B\n\nThree."]


@pytest.mark.req("SPL2")
@pytest.mark.parametrize("gap", [" ", "\n\n\n\n\n\n"])
def test_the_repeated_sentence_and_what_parts_it_count_in_the_size(gap: str) -> None:
    sentences = [f"This is {'quite ' * (n % 9)}the sentence {n}." for n in range(80)]
    found = cut(gap.join(sentences), "bases", size=100)
    assert max(len(passage.text) for passage in found) <= 100
    assert any(before.end > after.start for before, after in pairwise(found))


@pytest.mark.req("SPL1", "SPL3")
@pytest.mark.parametrize("policy", ["packs", "voice"])
def test_others_share_nothing(policy: str) -> None:
    assert all(before.end < after.start for before, after in pairwise(cut(PROSE, policy)))


@pytest.mark.req("SPL4")
def test_package_shares_up_to_its_overlap_whole_sentences_first() -> None:
    for before, after in pairwise(cut(PROSE, "package")):
        shared = PROSE[after.start : before.end]
        assert shared == PROSE[after.start :][: len(shared)]
        assert 0 < count_tokens(shared) <= 20
        assert shared.startswith("Sentence")
    short = cut(PROSE, "package", overlap=4)
    for before, after in pairwise(short):
        assert 0 < count_tokens(PROSE[after.start : before.end]) <= 4


@pytest.mark.req("SPL4")
@pytest.mark.parametrize("size", [1, 2, 7, 90, 512, 2_048])
def test_package_sizes(size: int) -> None:
    found = cut(PROSE, "package", size=size, max_size=size, overlap=0)
    assert all(count_tokens(passage.text) <= size for passage in found)
    assert "".join("".join(passage.text.split()) for passage in found) == "".join(PROSE.split())
    if size >= 90:
        assert all(count_tokens(passage.text) > size / 2 for passage in found[:-1])


@pytest.mark.req("D10", "SPL4")
@pytest.mark.parametrize("size", [1, 5, 90, 512])
def test_an_overlap_of_the_whole_size_still_advances(size: int) -> None:
    text = PROSE[:6_000]
    found = cut(text, "package", size=size, max_size=size, overlap=size)
    for before, after in pairwise(found):
        assert before.start < after.start
        assert before.end < after.end
    assert sum(len(passage.text) for passage in found) <= 20 * len(text)
    if size >= 90:
        sentences = [passage.end for passage in found]
        assert all(text[end - 1] == "." for end in sentences[:-1])


@pytest.mark.req("D9", "DOC3")
def test_voice_packs_larger_before_it_refuses() -> None:
    paragraph = " ".join(f"Sentence number {n} has its own few words." for n in range(11))
    assert max(len(passage.text) for passage in cut(PROSE, "voice")) <= 600
    text = "\n\n".join([paragraph] * 600)
    found = cut(text, "voice")
    assert 200 < len(found) <= 400
    assert 600 < max(len(passage.text) for passage in found) <= 1_300


@pytest.mark.req("D9", "DOC3")
def test_voice_takes_prose_up_to_its_limit_of_characters() -> None:
    paragraph = " ".join(f"Sentence number {n} has its own few words." for n in range(17))
    text = "\n\n".join([paragraph] * 800)[:500_000]
    found = cut(text, "voice")
    assert len(found) <= 400
    assert max(len(passage.text) for passage in found) <= 1_300


@pytest.mark.req("DOC3")
def test_too_many_passages_are_refused_with_limit_and_count() -> None:
    with pytest.raises(Refusal) as refused:
        cut("".join(f"# Heading {n}\n\ntext\n\n" for n in range(412)), "voice")
    assert (refused.value.code, refused.value.limit, refused.value.actual) == ("too_many_passages", 400, 412)
    assert "412" in refused.value.message
    assert len(cut("".join(f"# Heading {n}\n\ntext\n\n" for n in range(400)), "voice")) == 400
