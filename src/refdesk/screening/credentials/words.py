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


def any_of(table: str, *names: str) -> re.Pattern[str]:
    """Any word of the lists, each of which begins with a letter. Those with the same first letter stand
    together, which is what makes looking for many of them fast; of these the first that matches is taken."""
    rests: dict[str, list[str]] = {}
    for word in (word.replace(" ", "\\ ") for name in names for word in words(table, name)):
        rests.setdefault(word[0], []).append(word[1:])
    return re.compile("|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in rests.items()))


DESCRIBED = re.compile(rf"[-\s]{{0,2}}(?:{one_of('prose', 'described')})", re.IGNORECASE)
"""What follows a value that is only described: *12 characters*, *SHA-256 hashed*."""
