"""A fake provider in OpenAI's place, by the environment."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from refdesk.testing import FakeProvider

KEY = "sk-a-key-of-the-test-0123456789"


def as_openai(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeProvider]:
    """The body of a fixture."""
    with FakeProvider(key=KEY) as running:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{running.url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        yield running
