"""Embedding services over real HTTP: what is asked, what comes back, and each way to fail told apart."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec

import numpy as np
import pytest
from pydantic import SecretStr
from tests.conftest import need

from refdesk.embedding import (
    AwsKeys,
    BedrockEmbedder,
    GoogleEmbedder,
    HuggingFaceEmbedder,
    Interrupted,
    Limits,
    OpenAIEmbedder,
    Patience,
)
from refdesk.embedding.service import ServiceEmbedder
from refdesk.errors import Failed, UsageError
from refdesk.testing import FakeProvider, Mode, WordEmbedder

KEY = "sk-test-7f3a9c1e55d04b"
HASTY = Patience(request=20.0, batch=15.0, question=3.0)
PROVIDERS = ("openai", "google", "huggingface", "bedrock")

Opener = Callable[..., ServiceEmbedder]


@pytest.fixture
def provider() -> Iterator[FakeProvider]:
    with FakeProvider() as made:
        yield made


def opened(
    name: str, url: str, key: str = KEY, patience: Patience = HASTY, **more: object
) -> ServiceEmbedder:
    if name == "openai":
        return OpenAIEmbedder("words", key, url + "/v1", dimensions=64, patience=patience, **more)  # type: ignore[arg-type]
    if name == "google":
        return GoogleEmbedder("words", key, url + "/v1beta", dimensions=64, patience=patience, **more)  # type: ignore[arg-type]
    if name == "huggingface":
        address = url + "/hf-inference"
        return HuggingFaceEmbedder("org/words", key, address, dimensions=64, patience=patience, **more)  # type: ignore[arg-type]
    need(find_spec("boto3") is not None, "refdesk[bedrock] is not installed")
    return BedrockEmbedder(
        dimensions=64,
        region="eu-central-1",
        keys=AwsKeys(key, SecretStr("secret-" + key)),
        endpoint_url=url,
        patience=patience,
        **more,  # type: ignore[arg-type]
    )


@pytest.fixture(params=PROVIDERS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def sentence(embedder: ServiceEmbedder, text: str = "Where is the parcel of Ms Rosenblum?") -> str:
    """The one sentence of a failure, which never holds the key or what was sent."""
    with pytest.raises(Failed) as caught:
        embedder.passages([text])
    assert caught.value.code == "embedding_unavailable"
    assert KEY not in caught.value.message
    assert text not in caught.value.message
    assert caught.value.message.count(". ") == 0
    return caught.value.message


@pytest.mark.req("CMP4")
def test_vectors_are_the_services_own_at_unit_length_and_in_order(name: str, provider: FakeProvider) -> None:
    provider.key = KEY
    embedder = opened(name, provider.url)
    texts = [f"passage {number} about parcels" for number in range(40)]
    told: list[int] = []
    vectors = embedder.passages(texts, told.append)
    assert vectors.dtype == np.float32
    assert np.allclose(vectors, WordEmbedder().passages(texts), atol=1e-6)
    assert sum(told) == len(texts)
    assert list(provider.texts) == texts
    assert np.allclose(embedder.question("red apple"), WordEmbedder().question("red apple"), atol=1e-6)
    assert embedder.passages([]).shape == (0, 64)
    assert {asked.provider for asked in provider.asked} == {name}
    assert (embedder.fingerprint.provider, embedder.fingerprint.dimensions) == (name, 64)


@pytest.mark.parametrize(
    ("name", "most", "requests"), [("openai", 2048, 2), ("google", 100, 21), ("huggingface", 32, 65)]
)
def test_batches_hold_what_the_service_takes(
    name: str, most: int, requests: int, provider: FakeProvider
) -> None:
    opened(name, provider.url).passages(["few words"] * 2050)
    assert len(provider.asked) == requests
    assert max(len(asked.texts) for asked in provider.asked) == most


def test_batches_stay_within_the_tokens_of_a_request(provider: FakeProvider) -> None:
    limits = Limits(texts=100, tokens=1000)
    texts = ["ä" * length for length in (100, 300, 200, 900, 10)]
    opened("openai", provider.url, limits=limits).passages(texts)
    assert [len(asked.texts) for asked in provider.asked] == [2, 1, 1, 1]
    assert list(provider.texts) == texts


def test_a_text_is_cut_to_what_the_service_takes(provider: FakeProvider) -> None:
    opened("openai", provider.url, limits=Limits(texts=5, text_tokens=100)).passages(
        ["ä" * 500, "short\x00\ud800"]
    )
    assert list(provider.texts) == ["ä" * 100, "short"]


def test_questions_are_asked_as_questions(provider: FakeProvider) -> None:
    google = opened("google", provider.url)
    google.passages(["a passage"])
    google.question("a question")
    assert [asked.question for asked in provider.asked] == [False, True]
    prefixed = opened("openai", provider.url, question_prefix="query: ", passage_prefix="passage: ")
    prefixed.passages(["a"])
    prefixed.question("b")
    assert list(provider.texts)[2:] == ["passage: a", "query: b"]
    assert prefixed.fingerprint.question_prefix == "query: "


def test_bedrock_speaks_coheres_shape_too(provider: FakeProvider) -> None:
    need(find_spec("boto3") is not None, "refdesk[bedrock] is not installed")
    provider.dimensions = 1024
    embedder = BedrockEmbedder(
        "cohere.embed-multilingual-v3",
        region="eu-central-1",
        keys=AwsKeys(KEY, SecretStr("secret")),
        endpoint_url=provider.url,
        patience=HASTY,
    )
    assert embedder.passages(["x" * 5000, *["few words"] * 99]).shape == (100, 1024)
    embedder.question("a question")
    assert [len(asked.texts) for asked in provider.asked] == [96, 4, 1]
    assert [asked.question for asked in provider.asked] == [False, False, True]
    assert len(provider.texts[0]) == 2048


WORDS: Sequence[tuple[Mode, str]] = [
    ("401", "refuses the key"),
    ("402", "quota is used up"),
    ("404", "has nothing for the model"),
    ("400", "does not accept the request"),
    ("garbage", "no JSON"),
    ("empty", "something else than the embeddings asked for"),
    ("refuse", "cannot be reached"),
]


@pytest.mark.req("ING6")
@pytest.mark.parametrize(("mode", "words"), WORDS, ids=[mode for mode, _ in WORDS])
def test_what_no_second_try_helps_is_told_apart_at_once(
    name: str, mode: Mode, words: str, provider: FakeProvider
) -> None:
    embedder = opened(name, provider.url)
    provider.mode = mode
    assert words in sentence(embedder)
    assert len(provider.asked) == (0 if mode == "refuse" else 1)


@pytest.mark.parametrize(
    ("mode", "words"),
    [("429", "asked too often"), ("500", "failed (500)"), ("close", "closed the connection")],
)
def test_what_a_second_try_may_help_is_tried_within_the_time(
    name: str, mode: Mode, words: str, provider: FakeProvider
) -> None:
    embedder = opened(name, provider.url, patience=Patience(request=5.0, batch=2.5, question=5.0))
    embedder.passages(["what opens the connection"])
    provider.script = [mode]
    assert embedder.passages(["a text"]).shape == (1, 64)
    assert len(provider.asked) == 3
    provider.mode = mode
    assert words in sentence(embedder)
    assert len(provider.asked) > 4


@pytest.mark.parametrize(
    ("name", "mode"),
    [*((name, "hang") for name in PROVIDERS), *((name, "drip") for name in PROVIDERS if name != "bedrock")],
)  # boto3's time is between two bytes
def test_a_hang_ends_at_the_requests_time(name: str, mode: Mode, provider: FakeProvider) -> None:
    provider.mode = mode
    impatient = opened(name, provider.url, patience=Patience(request=0.3, batch=3.0, question=3.0))
    assert "did not answer within 0.3 s" in sentence(impatient)
    assert len(provider.asked) < 2


def test_a_hanging_question_has_a_time_of_its_own(name: str, provider: FakeProvider) -> None:
    provider.mode = "hang"
    embedder = opened(name, provider.url, patience=Patience(request=60.0, batch=60.0, question=0.3))
    with pytest.raises(Failed, match=r"did not answer within 0\.3 s"):
        embedder.question("Where is it?")


def test_retry_after_is_honoured_by_every_thread(provider: FakeProvider) -> None:
    provider.retry_after = "2"
    provider.script = ["429"]
    embedder = opened("openai", provider.url, patience=Patience(5.0, 6.0, 6.0))
    start = time.monotonic()
    other = threading.Timer(0.5, embedder.question, ["meanwhile"])
    other.start()
    embedder.passages(["a text"])
    other.join()
    assert time.monotonic() - start >= 2.0
    assert len(provider.asked) == 3
    provider.script, provider.retry_after = ["429"], "3600"
    assert "asked too often" in sentence(embedder)  # not waited for: it is past the time
    assert "try again in 3" in sentence(embedder)  # and not asked again before
    assert len(provider.asked) == 4


def test_googles_wait_stands_in_the_body(provider: FakeProvider) -> None:
    provider.retry_after = ""
    provider.script = ["429"]
    assert opened("google", provider.url).passages(["a text"]).shape == (1, 64)
    assert len(provider.asked) == 2


def test_requests_are_paced(provider: FakeProvider) -> None:
    start = time.monotonic()
    limits = Limits(texts=1)
    opened("openai", provider.url, limits=limits, requests_per_minute=300).passages(["a", "b", "c"])
    assert time.monotonic() - start >= 0.4
    assert len(provider.asked) == 3


@pytest.mark.req("ING6")
def test_what_was_made_before_a_failure_comes_with_it(provider: FakeProvider) -> None:
    embedder = opened("openai", provider.url, limits=Limits(texts=2))
    texts = ["one", "two", "three", "four", "five"]
    provider.script = ["answer", "answer", "401"]
    told: list[int] = []
    with pytest.raises(Interrupted) as caught:
        embedder.passages(texts, told.append)
    assert np.allclose(caught.value.made, WordEmbedder().passages(texts[:4]), atol=1e-6)
    assert sum(told) == 4


def test_the_services_own_sentence_is_quoted_without_what_was_sent(name: str, provider: FakeProvider) -> None:
    text = "The parcel of Ms Rosenblum is in locker 12."
    embedder = opened(name, provider.url)
    provider.mode = "400"
    assert "It is a test" in sentence(embedder, text)
    for echo in (text, text.upper(), "parcel of Ms Rosenblum", KEY):
        provider.echo = f": {echo}"
        assert "It is a test" not in sentence(embedder, text)
    provider.echo = ": Zoe"
    assert "It is a test" not in sentence(embedder, "Zoe")


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ([1.0, "x"], "not all numbers"),
        ([1.0] * 63, "63 dimensions"),
        ([0.0] * 64, "without a direction"),
        ([float("nan")] * 64, "without a direction"),
    ],
)
def test_vectors_that_are_none_are_refused(
    row: object, words: str, provider: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provider, "_rows", lambda asked: [row])
    assert words in sentence(opened("huggingface", provider.url))
    monkeypatch.setattr(provider, "_rows", lambda asked: [])
    assert "0 vectors for 1 texts" in sentence(opened("openai", provider.url))


def test_nothing_prints_a_secret_or_what_is_sent(
    name: str, provider: FakeProvider, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("DEBUG"):
        embedder = opened(name, provider.url)
        embedder.passages(["The parcel of Ms Rosenblum"])
    held = [*vars(embedder).values(), embedder.fingerprint, embedder._secrets]
    assert all(
        "secret-" not in shown and (name == "bedrock" or KEY not in shown) for shown in map(repr, held)
    )
    assert KEY not in caplog.text
    assert "Rosenblum" not in caplog.text
    assert isinstance(embedder._secrets[0], SecretStr)


@pytest.mark.parametrize("bad", ["", "  ", "with\nbreak", "schlüssel"])
def test_a_key_that_is_none_is_refused_without_showing_it(bad: str) -> None:
    with pytest.raises(UsageError) as caught:
        OpenAIEmbedder(key=bad)
    assert bad.strip() == "" or bad not in caught.value.message


def test_a_key_may_come_with_a_line_break_at_its_end(provider: FakeProvider) -> None:
    provider.key = KEY
    assert opened("openai", provider.url, key=KEY + "\n").passages(["a"]).shape == (1, 64)


@pytest.mark.parametrize(
    "address", ["localhost", "ftp://host/v1", "https://me:password@host/v1", "http://", "::"]
)
def test_an_address_is_http_and_holds_no_password(address: str) -> None:
    with pytest.raises(UsageError) as caught:
        OpenAIEmbedder("words", None, address, dimensions=64)
    assert "password" not in caught.value.message


def test_dimensions_are_known_said_or_asked_for(provider: FakeProvider) -> None:
    assert OpenAIEmbedder(key=KEY).fingerprint.dimensions == 1536
    assert GoogleEmbedder(key=KEY).fingerprint.dimensions == 3072
    with pytest.raises(UsageError, match="give its `dimensions`"):
        OpenAIEmbedder("nomic-embed-text", None, "http://localhost:11434/v1")
    with pytest.raises(UsageError, match="1536 dimensions, not of 512"):
        OpenAIEmbedder("text-embedding-ada-002", KEY, dimensions=512)
    short = OpenAIEmbedder("text-embedding-3-small", KEY, provider.url + "/v1", dimensions=256)
    assert short.question("a").shape == (256,)
    assert provider.asked[0].dimensions == 256
    opened("openai", provider.url).question("a")
    assert provider.asked[1].dimensions is None  # other servers may not know the parameter
    assert len({short.fingerprint.key, opened("openai", provider.url).fingerprint.key}) == 2


def test_a_bedrock_model_must_be_one_that_is_spoken() -> None:
    with pytest.raises(UsageError, match="titan"):
        BedrockEmbedder("meta.llama3")


@pytest.mark.req("CMP4")
def test_bedrock_is_asked_in_the_region_that_the_environment_names(monkeypatch: pytest.MonkeyPatch) -> None:
    need(find_spec("boto3") is not None, "refdesk[bedrock] is not installed")
    monkeypatch.delenv("AWS_DEFAULT_REGION", raising=False)
    monkeypatch.setenv("AWS_REGION", "eu-west-3")
    keys = AwsKeys(KEY, SecretStr("secret-" + KEY))
    assert BedrockEmbedder(keys=keys)._client(question=True).meta.region_name == "eu-west-3"
    given = BedrockEmbedder(keys=keys, region="eu-central-1")._client(question=True)
    assert given.meta.region_name == "eu-central-1"
