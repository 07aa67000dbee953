"""Settings: what is given comes before the environment, and that before the defaults."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from refdesk.errors import UsageError
from refdesk.settings import Settings


def test_what_is_given_comes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFDESK_HOME", "/srv/desk")
    monkeypatch.setenv("refdesk_workers", "5")
    monkeypatch.setenv("REFDESK_SECRET_KEY", "k" * 32)
    monkeypatch.setenv("REFDESK_SOMETHING_ELSE", "1")
    settings = Settings(home=Path("here"))
    assert (settings.home, settings.workers, settings.session_hours) == (Path("here"), 5, 12)
    assert settings.secret_key == SecretStr("k" * 32)
    assert "k" * 32 not in repr(settings)
    again = settings.environment()
    assert (again["REFDESK_HOME"], again["REFDESK_SECRET_KEY"]) == ("here", "k" * 32)
    assert "REFDESK_OIDC_ISSUER" not in again


def test_without_any_the_defaults_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REFDESK_CACHE", raising=False)
    settings = Settings()
    assert settings.cache == Path("~/.cache/refdesk")
    assert settings == Settings(cache=settings.cache)


@pytest.mark.parametrize(
    ("name", "value"), [("workers", "-1"), ("session_hours", "never"), ("reading_memory_mb", "8")]
)
def test_one_that_cannot_be_is_refused(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"REFDESK_{name.upper()}", value)
    with pytest.raises(UsageError, match=f"REFDESK_{name.upper()} cannot be '{value}': ") as caught:
        Settings()
    assert (caught.value.code, caught.value.actual) == ("usage", value)
