"""Secrets at rest: sealed, bound to their place, opened by their key alone, and shown by nothing."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pydantic import SecretStr

from refdesk.errors import Failed
from refdesk.secrets import KEY_FILE, Vault

SECRET = SecretStr("sk-live-1f0c7a55d0e94b")
OLD, NEW = "o" * 32, "n" * 40


def refused(vault: Vault, sealed: str, place: str = "acc_1") -> str:
    with pytest.raises(Failed) as caught:
        vault.open(sealed, place)
    assert caught.value.code == "secret_key"
    assert SECRET.get_secret_value() not in caught.value.message
    return caught.value.message


def test_a_sealed_secret_opens_and_never_shows(tmp_path: Path) -> None:
    vault = Vault(tmp_path)
    sealed = vault.seal(SECRET, "acc_1")
    assert vault.open(sealed, "acc_1") == SECRET
    assert SECRET.get_secret_value() not in sealed + repr(vault) + (tmp_path / KEY_FILE).read_text()
    assert vault.seal(SECRET, "acc_1") != sealed, "equal secrets are not seen to be equal"


def test_the_key_file_is_made_on_first_need_for_its_owner_alone(tmp_path: Path) -> None:
    vault = Vault(tmp_path)
    refused(vault, "v1.AAAA")
    assert not (tmp_path / KEY_FILE).exists(), "opening makes no key"
    vault.seal(SECRET, "acc_1")
    assert stat.S_IMODE((tmp_path / KEY_FILE).stat().st_mode) == 0o600
    assert [one.name for one in tmp_path.iterdir()] == [KEY_FILE]


def test_many_that_need_a_key_at_once_make_one(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        sealed = list(pool.map(lambda number: Vault(tmp_path).seal(SECRET, f"acc_{number}"), range(64)))
    opened = {Vault(tmp_path).open(one, f"acc_{number}") for number, one in enumerate(sealed)}
    assert opened == {SECRET}


def test_a_secret_does_not_open_in_another_place(tmp_path: Path) -> None:
    vault = Vault(tmp_path)
    refused(vault, vault.seal(SECRET, "acc_1"), "acc_2")


def test_a_lost_or_wrong_key_is_one_clear_sentence(tmp_path: Path) -> None:
    sealed = Vault(tmp_path).seal(SECRET, "acc_1")
    assert "REFDESK_SECRET_KEY" in refused(Vault(tmp_path, SecretStr(NEW)), sealed)
    (tmp_path / KEY_FILE).write_text("another key, as long as it must be")
    assert str(tmp_path / KEY_FILE) in refused(Vault(tmp_path), sealed)
    (tmp_path / KEY_FILE).unlink()
    assert "no key to open them" in refused(Vault(tmp_path), sealed)


@pytest.mark.parametrize("damaged", ["", "v1.", "v1.@@@", "v1.AAAA", "nothing like it", "v1." + "A" * 80])
def test_what_is_damaged_does_not_open(damaged: str, tmp_path: Path) -> None:
    refused(Vault(tmp_path, SecretStr(NEW)), damaged)


def test_keys_are_changed_one_after_the_other(tmp_path: Path) -> None:
    sealed = Vault(tmp_path, SecretStr(OLD)).seal(SECRET, "acc_1")
    both = Vault(tmp_path, SecretStr(f"{NEW}, {OLD}"))
    assert both.open(sealed, "acc_1") == SECRET
    again = both.seal(both.open(sealed, "acc_1"), "acc_1")
    assert Vault(tmp_path, SecretStr(NEW)).open(again, "acc_1") == SECRET
    assert not (tmp_path / KEY_FILE).exists(), "a key that is given makes no file"


@pytest.mark.parametrize("short", ["", "k" * 31, f"{NEW},short"])
def test_a_key_that_could_be_tried_out_is_refused(short: str, tmp_path: Path) -> None:
    with pytest.raises(Failed, match="at least 32 characters") as caught:
        Vault(tmp_path, SecretStr(short)).seal(SECRET, "acc_1")
    assert caught.value.limit == 32
