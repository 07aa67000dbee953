"""Credentials: the labelled set, and what the set cannot say about one shape alone."""

from __future__ import annotations

import sys
from itertools import chain

import labelled
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refdesk.screening.credentials import credentials
from refdesk.screening.credentials.pem import private_keys
from refdesk.screening.model import Spotted
from refdesk.screening.spans import merged


def found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in merged(credentials(text))]


def spans(text: str) -> list[tuple[int, int]]:
    every: list[Spotted] = [*credentials(text), *private_keys(text)]
    return [(span.start, span.end) for span in merged(every)]


def total(half: str) -> labelled.Score:
    return sum(
        (labelled.score(item, spans(item.text)) for item in labelled.load(half)), start=labelled.Score()
    )


@pytest.mark.req("CLS1")
def test_the_labelled_set_is_large_enough() -> None:
    items = list(chain.from_iterable(labelled.load(half) for half in labelled.HALVES))
    assert sum(len(item.secrets) for item in items) >= 300
    assert sum(not item.secrets for item in items) >= 500
    texts = {half: {item.text for item in labelled.load(half)} for half in labelled.HALVES}
    assert not texts["tuning"] & texts["test"]


@pytest.mark.req("CLS1")
def test_the_test_half_reaches_its_bar() -> None:
    score = total("test")
    assert score.recall >= 0.90, score
    assert score.precision >= 0.95, score


@pytest.mark.req("CLS1")
def test_findings_cover_the_secret_and_little_else() -> None:
    score = total("tuning")
    assert score.exact / score.found >= 0.90, score


@pytest.mark.req("CLS1")
@pytest.mark.parametrize(
    "text",
    [
        "The password is required and must have 12 characters.",
        "password: ${DB_PASSWORD}",
        "password = os.environ['DB_PASSWORD']",
        "api_key: your-api-key-here",
        "AKIAIOSFODNN7EXAMPLE",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "request_id=3f2504e0-4f89-11d3-9a0c-0305e82c3301",
        "next_page_token: CAoQAA1b2c3d4e5f6g7h8",
        "password: [REDACTED:credential]",
    ],
)
def test_what_only_looks_like_a_credential_is_none(text: str) -> None:
    assert found(text) == []


@pytest.mark.req("CLS1")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Server=db;Pwd=Falcon!4417;Encrypt=yes", "Falcon!4417"),
        ("jdbc:x?user=a&password=Falcon4417!&ssl=1", "Falcon4417!"),
        ("| User | Password |\n|---|---|\n| a | **Falcon!4417** |", "Falcon!4417"),
        ("**Password:** `Falcon!4417`", "Falcon!4417"),
        ("Das Passwort lautet „Falcon!4417“.", "Falcon!4417"),
        ("パスワードは「Falcon4417」です。", "Falcon4417"),
        ("The password for the\nprinter is\nFalcon!4417", "Falcon!4417"),
        ("sign in with kiosk / Falcon!4417, then wait", "Falcon!4417"),
    ],
)
def test_a_finding_ends_where_the_value_ends(text: str, value: str) -> None:
    assert found(text) == [value]


@pytest.mark.req("CLS1")
def test_spans_hold_where_small_letters_would_be_longer() -> None:
    assert found("İİİ password: Falcon!4417") == ["Falcon!4417"]


_SIGNS = list(": |\n'=@-_/.(\"{")
_PIECES = st.sampled_from([*_SIGNS, "password", "is", "a", "1", "token", "eyJ", "key", "://", "パスワードは"])


@pytest.mark.req("CLS1")
@settings(max_examples=60, deadline=None)
@given(st.lists(_PIECES, max_size=80).map("".join))
def test_every_finding_is_a_span_of_the_text(text: str) -> None:
    for span in [*credentials(text), *private_keys(text)]:
        assert 0 <= span.start < span.end <= len(text)


@pytest.mark.req("CLS1")
@pytest.mark.parametrize(
    "piece",
    [
        "password ",
        "パスワードは",
        "curl -u ",
        "cookie: a=b; ",
        "eyJa.",
        "a@b ",
        "://a:",
        "'",
        "-",
        "password,",
        "1 ",
        "{{",
    ],
)
def test_work_grows_no_faster_than_the_text(piece: str) -> None:
    """Python's own steps, not time, so that every machine says the same."""
    short, long = (_calls(piece * count) for count in (400, 1600))
    assert long <= 4.6 * short + 200


def _calls(text: str) -> int:
    count = 0

    def counted(*_: object) -> None:
        nonlocal count
        count += 1

    sys.setprofile(counted)
    try:
        list(credentials(text))
    finally:
        sys.setprofile(None)
    return count
