"""Provider accounts: made, verified against a real server, changed, removed; their secrets stay secret."""

from __future__ import annotations

import logging
import sqlite3
from importlib.util import find_spec
from pathlib import Path

import pytest
from pydantic import SecretStr
from tests.conftest import need
from tests.unit.accounts.conftest import KEY, Opener

from refdesk import Desk
from refdesk.desk.accounts import Account
from refdesk.errors import NotFound, Refusal, UsageError
from refdesk.secrets import KEY_FILE
from refdesk.testing import FakeProvider, WordEmbedder


def added(desk: Desk, provider: FakeProvider, name: str = "Embeddings", secret: str = KEY) -> Account:
    return desk.accounts.create(
        name, "openai-compatible", model="words", base_url=provider.url + "/v1", secret=secret
    )


def listed(desk: Desk) -> list[Account]:
    """Without those that are ready, which depend on what is installed."""
    return [account for account in desk.accounts.list() if account.created_at is not None]


@pytest.mark.req("ING6")
def test_an_account_is_verified_with_one_short_text_and_tells_its_dimensions(
    desk: Desk, provider: FakeProvider
) -> None:
    made = added(desk, provider)
    assert (made.state, made.dimensions, made.verified_at) == ("unverified", None, None)
    assert provider.asked == []
    verified = desk.accounts.verify(made.id)
    assert (verified.state, verified.error, verified.dimensions) == ("verified", None, 64)
    assert verified.verified_at is not None
    assert [len(asked.texts) for asked in provider.asked] == [1]
    assert desk.accounts.get("EMBEDDINGS") == desk.accounts.get(made.id) == verified
    assert listed(desk) == [verified]


@pytest.mark.parametrize("name", ["openai", "google", "huggingface", "bedrock"])
def test_every_provider_is_verified_in_its_own_protocol(
    name: str, desk: Desk, provider: FakeProvider
) -> None:
    paths = {"openai": "/v1", "google": "/v1beta", "huggingface": "/hf-inference", "bedrock": ""}
    models = {"openai": "words", "google": "words", "huggingface": "org/words", "bedrock": None}
    if name == "bedrock":
        need(find_spec("boto3") is not None, "refdesk[bedrock] is not installed")
    provider.dimensions = 256
    made = desk.accounts.create(
        name,
        name,
        model=models[name],
        dimensions=256,
        base_url=provider.url + paths[name],
        region="eu-central-1" if name == "bedrock" else None,
        secret=f"{KEY}:secret-access-key" if name == "bedrock" else KEY,
    )
    verified = desk.accounts.verify(made.id)
    assert (verified.state, verified.error, verified.dimensions) == ("verified", None, 256)
    assert [asked.provider for asked in provider.asked] == [name]


@pytest.mark.req("ING6")
@pytest.mark.parametrize(
    ("mode", "said"),
    [
        ("401", "refuses the key (401)"),
        ("402", "quota is used up"),
        ("404", 'has nothing for the model words (404); it says "It is a test"'),
        ("400", "does not accept the request (400)"),
        ("garbage", "something else than the embeddings"),
        ("refuse", "cannot be reached"),
    ],
)
def test_a_provider_that_fails_is_quoted_and_tried_again(
    mode: str, said: str, desk: Desk, provider: FakeProvider
) -> None:
    made = added(desk, provider)
    provider.mode = mode  # type: ignore[assignment]
    failed = desk.accounts.verify(made.id)
    assert failed.state == "failed"
    assert said in (failed.error or "")
    assert KEY not in (failed.error or "")
    provider.mode = "answer"
    assert desk.accounts.verify(made.id).state == "verified"


def test_a_server_with_other_dimensions_than_were_said_is_not_verified(
    desk: Desk, provider: FakeProvider
) -> None:
    made = desk.accounts.create(
        "Said", "openai-compatible", model="words", base_url=provider.url + "/v1", secret=KEY, dimensions=32
    )
    failed = desk.accounts.verify(made.id)
    assert failed.state == "failed"
    assert "64 dimensions, and the account says 32" in (failed.error or "")


def test_a_secret_is_never_told_logged_or_stored_as_it_is(
    open_desk: Opener, provider: FakeProvider, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    desk = open_desk()
    made = added(desk, provider)
    verified = desk.accounts.verify(made.id)
    row = desk._parts.catalog.accounts.by_id(made.id)
    told = repr((verified, verified.to_dict(), row, desk.settings, desk.accounts.list()))
    assert KEY not in told + caplog.text
    assert row is not None
    assert row.secret is not None
    assert row.secret not in told
    desk.close()
    files = [path for path in (tmp_path / "desk").rglob("*") if path.is_file()]
    assert (tmp_path / "desk" / KEY_FILE) in files
    assert not [path for path in files if KEY.encode() in path.read_bytes()]


def test_another_secret_is_to_be_verified_again(desk: Desk, provider: FakeProvider) -> None:
    made = added(desk, provider, secret="sk-wrong-000000000000")
    assert "refuses the key" in (desk.accounts.verify(made.id).error or "")
    changed = desk.accounts.update(made.id, name="Vectors", secret=SecretStr(f" {KEY}\n"))
    assert (changed.name, changed.state, changed.error) == ("Vectors", "unverified", None)
    assert desk.accounts.verify("vectors").state == "verified"


def test_a_secret_moved_to_another_account_does_not_open(
    desk: Desk, provider: FakeProvider, tmp_path: Path
) -> None:
    """Whoever can write to the database cannot have a key sent to an address of their own."""
    victim, thief = added(desk, provider, "Victim"), added(desk, provider, "Thief", "sk-mine")
    with sqlite3.connect(tmp_path / "desk" / "catalog.sqlite") as database:
        database.execute(
            "UPDATE accounts SET secret = (SELECT secret FROM accounts WHERE id = ?) WHERE id = ?",
            (victim.id, thief.id),
        )
    database.close()
    assert "does not open" in (desk.accounts.verify(thief.id).error or "")
    assert provider.asked == []


def test_a_lost_key_is_told_with_the_account_and_a_new_secret_mends_it(
    open_desk: Opener, provider: FakeProvider, tmp_path: Path
) -> None:
    made = added(open_desk(), provider)
    desk = open_desk(secret_key="k" * 40)
    failed = desk.accounts.verify(made.id)
    assert failed.state == "failed"
    assert f"The secret of {made.id} does not open with REFDESK_SECRET_KEY" in (failed.error or "")
    desk.accounts.update(made.id, secret=KEY)
    assert desk.accounts.verify(made.id).state == "verified"


def test_verifying_seals_the_secret_with_the_newest_key(open_desk: Opener, provider: FakeProvider) -> None:
    made = added(open_desk(secret_key="o" * 32), provider)
    assert open_desk(secret_key=f"{'n' * 32},{'o' * 32}").accounts.verify(made.id).state == "verified"
    assert open_desk(secret_key="n" * 32).accounts.verify(made.id).state == "verified"


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"provider": "cohere"}, "the providers are openai, anthropic"),
        ({"provider": "openai"}, "needs its secret"),
        ({"provider": "openai", "secret": "x\ty"}, "characters that none has"),
        ({"provider": "openai", "secret": "k", "model": "own"}, "give its `dimensions`"),
        ({"provider": "openai", "secret": "k", "region": "eu-central-1"}, "Bedrock's alone"),
        ({"provider": "openai", "secret": "k", "dimensions": 0}, "1 to 16384"),
        ({"provider": "openai-compatible", "model": "own"}, "needs its address"),
        ({"provider": "openai-compatible", "base_url": "https://a.example/v1"}, "no name of a model"),
        ({"provider": "openai-compatible", "model": "m", "base_url": "https://u:p@a.example"}, "http://"),
        ({"provider": "huggingface", "secret": "k", "model": "../../admin"}, "no name of a model"),
        ({"provider": "bedrock", "secret": "a:b"}, "needs its region"),
        ({"provider": "bedrock", "secret": "a:b", "region": "evil.example/"}, "needs its region"),
        ({"provider": "bedrock", "secret": "alone", "region": "eu-central-1"}, "ACCESS_KEY_ID:"),
        ({"provider": "google", "secret": "k", "question_prefix": "query: "}, "leave the prefixes out"),
        ({"provider": "openai", "secret": "k", "name": " "}, "no letter or digit"),
    ],
)
def test_what_cannot_be_an_account_is_refused_and_leaves_nothing(
    values: dict[str, object], said: str, desk: Desk
) -> None:
    with pytest.raises(UsageError) as caught:
        desk.accounts.create(**{"name": "Embeddings", **values})  # type: ignore[arg-type]
    assert said in caught.value.message
    assert listed(desk) == []


def test_private_hosts_need_the_setting_and_the_sentence_says_which(
    open_desk: Opener, provider: FakeProvider
) -> None:
    desk = open_desk(allow_private_hosts=False)
    for url in ("http://localhost:11434/v1", "https://169.254.169.254/v1"):
        with pytest.raises(Refusal, match="REFDESK_ALLOW_PRIVATE_HOSTS=true") as caught:
            desk.accounts.create("Ollama", "openai-compatible", model="words", base_url=url)
        assert caught.value.code == "host_not_allowed"
    named = desk.accounts.create(
        "Name", "openai-compatible", model="words", base_url="https://localhost:1/v1", secret=KEY
    )
    assert "REFDESK_ALLOW_PRIVATE_HOSTS=true" in (desk.accounts.verify(named.id).error or "")
    assert provider.asked == []


def test_names_are_unique_and_accounts_stay_in_their_project(
    open_desk: Opener, provider: FakeProvider
) -> None:
    desk, other = open_desk(), open_desk(project="other")
    made = added(desk, provider)
    with pytest.raises(UsageError) as caught:
        added(desk, provider, "ＥＭＢＥＤＤＩＮＧＳ")
    assert caught.value.code == "name_taken"
    assert listed(other) == []
    for reach in (other.accounts.get, other.accounts.verify, other.accounts.delete):
        with pytest.raises(NotFound):
            reach(made.id)
    assert added(other, provider).name == "Embeddings"
    desk.accounts.delete(made.id)
    assert listed(desk) == []
    assert added(desk, provider).id != made.id


def test_ready_accounts_are_there_where_their_model_is(open_desk: Opener) -> None:
    assert "local" not in {one.id for one in open_desk().accounts.list()}
    desk = open_desk(embedders={"local": WordEmbedder(), "mine": WordEmbedder(32)})
    ready = {one.id: (one.state, one.dimensions) for one in desk.accounts.list()}
    assert (ready["local"], ready["mine"]) == (("verified", 64), ("verified", 32))
    assert desk.accounts.verify("mine") == desk.accounts.get("mine")
    for refused in (desk.accounts.delete, lambda name: desk.accounts.update(name, secret="x")):
        with pytest.raises(UsageError, match="made by nobody"):
            refused("local")
    with pytest.raises(UsageError, match="is an account that is ready"):
        desk.accounts.create("mine", "openai", secret="k")


def test_what_happens_to_accounts_is_in_the_audit(desk: Desk, provider: FakeProvider) -> None:
    made = added(desk, provider)
    desk.accounts.update(made.id, secret="sk-another")
    desk.accounts.delete(made.id)
    done = [line.action for line in desk.audit.list() if line.resource == made.id]
    assert done == ["account.delete", "account.secret", "account.create"]
