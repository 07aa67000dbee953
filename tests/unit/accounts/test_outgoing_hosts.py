"""Where requests may go: configured hosts, public ones, and those of one's own network only where allowed."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import pytest

from refdesk.embedding import OpenAIEmbedder, Patience
from refdesk.errors import Failed, Refusal, UsageError
from refdesk.outgoing import NotAsked, Outgoing
from refdesk.testing import FakeProvider

PRIVATE = [
    "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
    "224.0.0.1", "[::1]", "[::]", "[fd00:ec2::254]", "[fe80::1]", "[::ffff:127.0.0.1]",
    "[64:ff9b::7f00:1]", "[2002:7f00:1::]",
]  # fmt: skip
HASTY = Patience(request=3.0, batch=3.0, question=3.0)

Resolved = dict[str, list[str]]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Resolved:
    """What names resolve to, one list for each; every other name is the system's."""
    table: Resolved = {}
    real = socket.getaddrinfo

    def resolve(host: Any, port: Any, *rest: Any, **more: Any) -> Any:
        if host not in table:
            return real(host, port, *rest, **more)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in table[host]]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return table


@pytest.fixture
def provider() -> Iterator[FakeProvider]:
    with FakeProvider() as made:
        yield made


def embedder(url: str, outgoing: Outgoing) -> OpenAIEmbedder:
    return OpenAIEmbedder("words", "key", url + "/v1", dimensions=64, patience=HASTY, outgoing=outgoing)


@pytest.mark.parametrize("host", PRIVATE)
def test_private_addresses_are_refused_as_they_stand(host: str) -> None:
    with pytest.raises(Refusal, match="REFDESK_ALLOW_PRIVATE_HOSTS") as caught:
        Outgoing().check(f"https://{host}:8443/v1")
    assert caught.value.code == "host_not_allowed"
    Outgoing(allow_private=True).check(f"http://{host}:8080/v1")


@pytest.mark.req("H4")
@pytest.mark.parametrize(
    "url",
    ["", "models.example.com", "//models.example.com", "https://", "ftp://models.example.com/v1", "file:///v1",
     "https://models.example.com:99999/v1", "https://[::1/v1", "https://me:secret@models.example.com/v1",
     "https://models.example.com/\ud800"],
)  # fmt: skip
@pytest.mark.parametrize("allow_private", [True, False])
def test_what_is_no_address_is_said_to_be_none(url: str, allow_private: bool) -> None:
    with pytest.raises(UsageError, match="http:// or https://") as caught:
        Outgoing(allow_private=allow_private).check(url)
    assert "secret" not in caught.value.message


def test_plain_http_is_refused_and_public_https_is_not() -> None:
    with pytest.raises(Refusal, match="only https is asked"):
        Outgoing().check("http://93.184.215.14/v1")
    Outgoing().check("https://93.184.215.14/v1")
    Outgoing().check("https://api.openai.com/v1")
    Outgoing().check("https://[2606:4700::1111]/v1")


@pytest.mark.parametrize("host", ["localhost", "2130706433", "0x7f.1", "127.1"])
def test_names_and_odd_spellings_of_this_machine_are_found_out(host: str) -> None:
    with pytest.raises(NotAsked, match="this machine"):
        Outgoing().addresses(f"https://{host}:8443/v1")


def test_one_private_address_among_public_ones_bars_the_host(names: Resolved) -> None:
    names["models.example.com"] = ["93.184.215.14", "10.0.0.7"]
    with pytest.raises(NotAsked, match=r"models.example.com \(10.0.0.7\)"):
        Outgoing().addresses("https://models.example.com/v1")
    names["models.example.com"] = ["93.184.215.14"]
    assert Outgoing().addresses("https://models.example.com/v1") == ["93.184.215.14"]


def test_a_barred_host_is_asked_nothing_and_says_which_setting_allows_it(provider: FakeProvider) -> None:
    with pytest.raises(Failed, match="REFDESK_ALLOW_PRIVATE_HOSTS=true") as caught:
        embedder(provider.url, Outgoing()).question("anything")
    assert caught.value.code == "embedding_unavailable"
    assert provider.asked == []
    assert embedder(provider.url, Outgoing(allow_private=True)).question("anything").shape == (64,)


def test_the_connection_goes_to_the_address_that_was_checked(
    names: Resolved, provider: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the name resolves to by then: it is not looked up again."""
    names["models.example.com"] = ["127.0.0.1"]
    asked: list[Any] = []
    resolve = socket.getaddrinfo

    def noted(host: Any, *rest: Any, **more: Any) -> Any:
        asked.append(host)
        return resolve(host, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", noted)
    port = provider.url.rpartition(":")[2]
    embedder(f"http://models.example.com:{port}", Outgoing(allow_private=True)).question("anything")
    assert asked.count("models.example.com") == 1
    assert len(provider.asked) == 1


def test_a_host_with_several_addresses_is_asked_at_one_that_answers(
    names: Resolved, provider: FakeProvider
) -> None:
    names["models.example.com"] = ["127.0.0.9", "127.0.0.1"]
    port = provider.url.rpartition(":")[2]
    made = embedder(f"http://models.example.com:{port}", Outgoing(allow_private=True))
    assert made.question("anything").shape == (64,)


def test_a_redirect_is_not_followed(provider: FakeProvider) -> None:
    with FakeProvider() as other:
        provider.location = other.url + "/v1/embeddings"
        provider.mode = "redirect"
        with pytest.raises(Failed, match="307"):
            embedder(provider.url, Outgoing(allow_private=True)).question("anything")
        assert (len(provider.asked), other.asked) == (1, [])


def test_an_unknown_host_is_said_to_be_unknown(names: Resolved, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(*_: Any, **__: Any) -> Any:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", nobody)
    with pytest.raises(Failed, match=r"nowhere\.example\.com is not known"):
        embedder("https://nowhere.example.com", Outgoing()).question("anything")
