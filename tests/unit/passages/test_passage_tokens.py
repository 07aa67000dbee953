"""The counter of tokens, and its agreement with the rulers."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.passages import count_tokens
from refdesk.passages.tokens import Characters, Tokens, token_starts


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        (" \n\t", 0),
        ("word", 1),
        ("internationalisation", 3),
        ("two words", 2),
        ("Don't.", 4),
        ("2017", 2),
        ("$1,250.00", 6),
        ("中文字", 3),
        ("カナ", 2),
        ("한국어", 3),
        ("Привет", 2),
        ("हिन्दी", 2),
        ("snake_case", 3),
        ("cafe\u0301", 1),
        ("🙂🙂", 2),
        ("| a | b |", 5),
    ],
)
def test_counts(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


@given(st.text(max_size=200))
def test_every_character_belongs_to_a_token_and_the_counts_agree(text: str) -> None:
    starts = token_starts(text)
    assert len(starts) == count_tokens(text)
    assert starts == sorted(set(starts))
    stripped = text.strip()
    if stripped:
        begin = text.index(stripped)
        assert Tokens(text).size(begin, begin + len(stripped)) >= count_tokens(stripped)


@given(st.text(min_size=1, max_size=120), st.integers(1, 30))
def test_reach_is_the_furthest_end_that_fits(text: str, limit: int) -> None:
    for ruler in (Tokens(text), Characters(text)):
        start = next((at for at, sign in enumerate(text) if not sign.isspace()), 0)
        end = ruler.reach(start, limit)
        assert start <= end <= len(text)
        assert ruler.size(start, end) <= limit
        assert end == len(text) or ruler.size(start, end + 1) > limit


WORD_PIECES = {
    "chatlogs": 8_262,
    "finance": 85_164,
    "pubmed": 93_680,
    "state_of_the_union": 10_631,
    "wikitexts": 25_020,
}


def test_counts_english_as_the_local_model_does(corpus: Path) -> None:
    """WORD_PIECES were counted once, with the tokenizer of bge-small-en-v1.5 over the same text."""
    path = corpus / "retrieval" / "chroma-chunking" / "corpus.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        texts = {row["_id"]: row["text"][:400_000] for row in map(json.loads, lines)}
    for name, pieces in WORD_PIECES.items():
        assert count_tokens(texts[name]) == pytest.approx(pieces, rel=0.08), name
