"""``words.toml``: the vocabulary that the detectors share."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources


@cache
def _tables() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(resources.files(__package__).joinpath("words.toml").read_text("utf-8"))


def words(table: str, name: str) -> tuple[str, ...]:
    return tuple(_tables()[table][name])


def one_of(table: str, name: str) -> str:
    """The list as alternatives of a regular expression that ignores the layout of a verbose one."""
    return "|".join(words(table, name)).replace(" ", "\\ ")


DESCRIBED = re.compile(rf"[-\s]{{0,2}}(?:{one_of('prose', 'described')})", re.IGNORECASE)
"""What follows a value that is only described: *12 characters*, *SHA-256 hashed*."""
