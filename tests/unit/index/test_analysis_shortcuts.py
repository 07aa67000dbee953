"""What analysis does faster for common words, and remembers, changes no term."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.index.analysis import analyze, figures, languages, passages, text, words
from refdesk.index.analysis.characters import beyond_ascii, same
from refdesk.index.analysis.languages import stems_of
from refdesk.index.analysis.model import Form
from refdesk.index.analysis.passages import analyze_passages
from refdesk.index.hashed import HASHES, MOST_COUNTED, Hashed
from refdesk.index.local.hashes import hashed
from refdesk.index.memory import LONGEST

_ASCII = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=12)
_WORDS = st.from_regex(r"[(\[\"]{0,2}[A-Za-z0-9]{1,8}[.,;:!?)\]\"]{0,3}", fullmatch=True)


@given(_ASCII | _WORDS)
def test_a_chunk_of_letters_and_digits_is_the_token_that_the_whole_pattern_finds(chunk: str) -> None:
    found = words._TOKEN.findall(chunk)
    assert words.tokens(chunk) == [token for token in found if words._HAS_LETTER_OR_DIGIT.search(token)]


@given(st.from_regex(r"[A-Za-z][a-z]{0,8}|[A-Z]{1,8}", fullmatch=True))
def test_a_plain_word_has_the_form_that_its_one_piece_has(word: str) -> None:
    stem = stems_of(("english", "german"))
    assert [piece.text for piece in words._pieces(word)] == [word.lower()]
    assert words.form(word, stem) == Form(word.lower(), stems=stem(word.lower()))


@given(st.from_regex(r"[A-Za-z]{1,6}(?:[-'/][A-Za-z]{1,6}){1,3}", fullmatch=True))
def test_words_that_a_sign_joins_have_the_form_that_their_pieces_have(token: str) -> None:
    stem, pieces = stems_of(("english",)), words._pieces(token)
    if all(piece.after_sign for piece in pieces):
        assert words.form(token, stem) == words._compound(same(token), [one.text for one in pieces], stem)
    else:
        assert words.form(token, stem) == words._name(same(token), pieces, stem)


@given(st.text("abZQ19_-/.+", min_size=1, max_size=12))
def test_the_parts_of_an_ascii_name_are_cut_as_those_of_any_name(name: str) -> None:
    assert words._ascii_pieces(name) == words._any_pieces(name)


@given(st.from_regex(r"[0-9]{1,12}", fullmatch=True))
def test_a_bare_number_is_found_as_it_stands_alone(number: str) -> None:
    assert analyze(number, ["english"]).terms == {f"={number}": 1}


@given(st.lists(st.from_regex(r"[a-z]{2,9}", fullmatch=True)))
def test_words_are_stemmed_together_as_each_is(words: list[str]) -> None:
    for spoken in (["english"], ["german", "french"], []):
        stems = languages.Stems(spoken)
        assert stems.each(words) == [stems(word) for word in words]


@given(st.lists(st.from_regex(r"[A-Za-zäß]{1,5}(?:[-'0-9][A-Za-z]{1,5})?", fullmatch=True)))
def test_stems_that_were_met_together_are_those_of_each_word(met: list[str]) -> None:
    known = languages.KnownStems(["english", "german"])
    known.meet(met)
    alone = languages.Stems(["english", "german"])
    assert all(known[word] == alone(word) for word in (*known, *map(same, met)))


@given(st.text())
def test_what_is_beyond_ascii_keeps_its_order(text: str) -> None:
    assert beyond_ascii(text) == "".join(one for one in text if not one.isascii())


_FIGURES = [
    "1",
    "23",
    "000",
    " ",
    "\n",
    "5 kg",
    "m2",
    "l",
    "€",
    "$",
    "USD",
    "CHF ",
    "x",
    "A",
    "٣",
    "?",
    "’",
    "é",
]


@given(st.lists(st.sampled_from(_FIGURES), max_size=9).map("".join))
def test_figures_are_joined_where_the_patterns_join_them(text: str) -> None:
    joined = text
    for pattern in (figures._GROUPED, figures._MEASURED, figures._PRICED, figures._CODED):
        joined = pattern.sub(figures._join, joined)
    assert figures.join_spaced(text) == joined


@given(
    st.lists(st.sampled_from(["The", "über", "and-and", "é", "—", "x1", "\u0301", "’s", "٣", " "])).map(
        " ".join
    )
)
def test_the_words_of_a_vote_are_those_of_the_whole_pattern(text: str) -> None:
    assert list(languages._words(text)) == list(map(same, languages._WORD.findall(text)))


@given(_ASCII)
def test_ascii_is_compared_without_case_and_with_one_kind_of_slash(word: str) -> None:
    assert same(word) == word.casefold().replace("\\", "/")


_MIXED = "Ölpreis 5 kg PO-4711/B 東京タワー 10 000 l'eau {} 서울에서 getUserName flown. (LLC) {}"


@pytest.mark.req("W1", "W6")
def test_terms_are_the_same_however_much_was_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [_MIXED.format(f"w{n}", n % 3) for n in range(20)]
    text.known.cache_clear()
    fresh = [analyze(one, ["german"]) for one in texts]
    monkeypatch.setattr(text, "REMEMBERED", 4)
    text.known.cache_clear()
    assert [analyze(one, ["german"]) for one in texts * 2] == fresh * 2
    assert len(text.known(("german",))) <= 4


_PARTS = [
    *["Öl", "oil", "Oil,", "(OIL", "東京タワー", "서울에서", "a-b", "l'eau", "and/or"],
    *["PO-4711/B", "getUserName", "C++", "naïve", "“quoted”", "..."],
    *("5 kg", "10 000", "\x1e", "\x00", "", "x" * 70, "東" * 70, "A-" * 40, "re-x" * 30),
]
_TEXTS = st.lists(st.sampled_from(_PARTS) | st.text(max_size=8), max_size=8).map(" ".join)


@given(st.lists(_TEXTS, max_size=5))
def test_passages_analyzed_together_have_the_terms_and_words_of_each(texts: list[str]) -> None:
    for spoken in (["english"], ["german", "french"], []):
        single = [analyze(one, spoken) for one in texts]
        together = analyze_passages(texts, spoken)
        assert [one.words for one in together] == [one.words for one in single]
        assert [_counts(one.terms) for one in together] == [_counts(hashed(one.terms)) for one in single]


def _counts(terms: Hashed) -> dict[bytes, int]:
    counts = memoryview(terms.counts).cast("H").tolist()
    found = {terms.hashes[8 * i : 8 * i + 8]: count for i, count in enumerate(counts)}
    assert len(found) == len(counts)
    return found


def test_a_term_counts_at_most_as_often_as_an_index_keeps() -> None:
    (often,) = analyze_passages(["word " * 70_000], ["english"])
    assert set(_counts(often.terms).values()) == {MOST_COUNTED}
    assert often.words == 70_000


def test_passages_are_the_same_however_much_was_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [_MIXED.format(f"w{n}", n % 3) for n in range(20)]
    passages._packed.cache_clear()
    fresh = analyze_passages(texts, ["german"])
    monkeypatch.setattr(passages, "REMEMBERED", 4)
    passages._packed.cache_clear()
    assert analyze_passages(texts * 2, ["german"]) == fresh * 2
    assert len(passages._packed(("german",)).chunks) <= 4
    passages._packed.cache_clear()


@pytest.mark.parametrize("sign", ["", "-", "_", "ö", "’", "/", "東"])
def test_long_words_are_not_remembered(sign: str) -> None:
    long = [f"{sign.join('abcdefghij' * 40)}{n}{sign}x" for n in range(3)] + ["x" * 400, "Z" * 61]
    passages._packed.cache_clear()
    packed = passages._packed(("english",))
    analyze_passages([*long, " ".join(long)], ["english"])
    for memory in (packed.chunks, packed.words, packed.tokens, packed._terms, HASHES):
        assert all(len(word) <= LONGEST for word in (*memory, *memory._old))


@given(st.lists(st.sampled_from(["Öl", "oil", "5 kg", "東京", "서울에서", "a-b"]), min_size=1, max_size=8))
def test_a_text_has_the_terms_and_words_of_its_words_together(parts: list[str]) -> None:
    whole = analyze("\n\n".join(parts), ["english"])
    single = [analyze(part, ["english"]) for part in parts]
    together: Counter[str] = Counter()
    for one in single:
        together.update(one.terms)
    assert whole.terms == together
    assert whole.words == sum(one.words for one in single)
