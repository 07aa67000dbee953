"""What screening does faster finds the same."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.screening.credentials import commands, connections, logins, providers
from refdesk.screening.credentials.nouns import _ALL_CORES
from refdesk.screening.credentials.words import one_of
from refdesk.screening.personal import banking, national
from refdesk.screening.personal.stretches import found_in
from refdesk.screening.small import Small, occurrences, small

_NUMBERS = st.lists(
    st.sampled_from(
        ["4111 1111 1111 1111", "DE89 3704 0044 0532 0130 00", "٣٤٥", "12-34/56.78", "ABCDEFGH", "é"]
    )
    | st.text("0123456789AZ ./-?é٣a\n", max_size=20)
).map("".join)
_SPEECH = st.lists(
    st.sampled_from(
        ["ssn", "SS #", "x", "social-security", "ni no", "numéro de s", "tin", "sin", "navs", "個人番号", " "]
    )
).map("".join)
_KEYS = st.lists(
    st.sampled_from(
        ["pass", "api key", "clé ", "cle", "код", "パス", "mot de passe", "pinco", "pina", "secr", " ", "İ"]
    )
).map("".join)
_MAIL = st.lists(
    st.sampled_from(["a", "b.c", "@", "x.de", " and ", " und\n", "\n", "login", "Pass!12", "+", "a" * 70])
)


@pytest.mark.parametrize(
    ("pattern", "least"), [(banking._DIGITS, 12), (banking._IBAN, 12), (national._DIGITS, 7)]
)
@given(text=_NUMBERS)
def test_numbers_are_found_wherever_they_stand(pattern: re.Pattern[str], least: int, text: str) -> None:
    for one in (text, f"{text} in a sentence of small letters alone, and a few more words behind it"):
        assert [found.span() for found in found_in(one, pattern, least)] == [
            found.span() for found in pattern.finditer(one)
        ]


@given(_SPEECH)
def test_a_word_that_announces_a_number_is_found_by_all_at_once(text: str) -> None:
    words = [number.words for number in national._NUMBERS if number.words is not None]
    assert bool(national._ANNOUNCED.search(text)) == any(word.search(text) for word in words)


@given(_KEYS)
def test_words_that_announce_a_secret_are_found_in_the_same_order(text: str) -> None:
    plain = re.compile(f"{one_of('nouns', 'cores')}|{one_of('nouns', 'beyond_ascii')}")
    lowered = small(text)
    assert [one.span() for one in _ALL_CORES.finditer(lowered)] == [
        one.span() for one in plain.finditer(lowered)
    ]


@given(st.text("abAB -é", max_size=12), st.lists(st.text("ab -é", min_size=1, max_size=6)))
def test_words_are_looked_for_where_they_may_stand_and_found_wherever_they_do(
    text: str, words: list[str]
) -> None:
    assert list(Small(text).occurrences(words)) == list(occurrences(small(text), words))


@given(st.lists(st.sampled_from(["?", "&", ";", "sig=", "token=", "aB3_" * 4, "%3D", " "])).map("".join))
def test_signed_links_are_found_where_their_signs_stand(text: str) -> None:
    found = sorted(match.span() for match in connections._signatures(text))
    assert found == [match.span() for match in connections._SIGNATURE.finditer(text)]


@given(_MAIL.map("".join))
def test_addresses_are_found_where_their_signs_stand(text: str) -> None:
    local = logins._LOCAL.pattern.removesuffix(r"\Z")
    whole = re.compile(local + logins._DOMAIN_AND.pattern)
    assert list(logins._addresses(text)) == [match.span() for match in whole.finditer(text)]


_LONG = st.lists(
    st.sampled_from(["a" * 19, "b" * 20, "é" * 21, "x_1" * 9, " ", "\n", "\u3000", "\x1c", "\xa0", "?"])
)


@given(_LONG.map("".join))
def test_long_words_are_those_that_splitting_gives(text: str) -> None:
    assert list(providers._long_words(text)) == [word for word in text.split() if len(word) >= 20]


_COMMANDS = [word for command in commands._FLAGGED for word in command.words]
_FLAGS = [
    "-p",
    "-nb",
    "--password",
    "-hp",
    "-P",
    "-k",
    "-w",
    "-a",
    "-u",
    "-N",
    "-pw",
    "/p:",
    "-passin",
    "-pass:",
    "-src",
]
_LINES = st.lists(
    st.sampled_from(
        [*_COMMANDS, *_FLAGS, " ", " ", "\n", "Tr0ub4dor!", "'Tr0ub4dor!'", "root", "=", "root:", "-x", "-"]
    )
)


@given(_LINES.map("".join))
def test_a_flagged_command_is_looked_for_where_one_of_its_flags_stands(text: str) -> None:
    found = list(commands.in_commands(text, Small(text)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(commands, "_FLAG", re.compile(""))
        assert list(commands.in_commands(text, Small(text))) == found
