"""One reader for all tests of reading: its child stays warm, as in the product."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from refdesk.policy import Policy, load_policy
from refdesk.reading import Reader, Reading

ReadBytes = Callable[..., Reading]


@pytest.fixture(scope="session")
def reader() -> Iterator[Reader]:
    with Reader() as reader:
        yield reader


@pytest.fixture(scope="session")
def packs() -> Policy:
    return load_policy("packs")


@pytest.fixture
def read_bytes(reader: Reader, packs: Policy, tmp_path: Path) -> ReadBytes:
    """Reads bytes as an upload called ``name``; the policy is packs with ``overrides``, or ``policy``."""

    def read(
        data: bytes, name: str, declared: str | None = None, policy: str = "packs", **overrides: object
    ) -> Reading:
        file = tmp_path / "upload"
        file.write_bytes(data)
        dotted = {key.replace("__", "."): value for key, value in overrides.items()}
        return reader.read(file, name, declared, load_policy(policy, dotted))

    return read
