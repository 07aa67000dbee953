"""Reads a policy file, with a project's own values laid over it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, NamedTuple, get_type_hints

from refdesk.errors import UsageError
from refdesk.policy.model import Policy

if TYPE_CHECKING:
    from pydantic import TypeAdapter

POLICIES = ("packs", "bases", "voice", "package")

_LINE = re.compile(
    r"^(?P<key>[a-z_.]+)\s*=\s*(?P<value>.*?)\s*#\s*(?P<source>[A-Z][A-Z0-9, ]*\d)(?:: (?P<note>.*))?$"
)


class PolicyLine(NamedTuple):
    """One value of a policy file with the requirement that it comes from."""

    key: str
    value: Any
    source: str
    note: str


@cache
def _text(name: str) -> str:
    if name not in POLICIES:
        raise UsageError(
            f"There is no policy {name!r}; the policies are {', '.join(POLICIES)}.", code="unknown_policy"
        )
    return resources.files("refdesk.policy").joinpath(f"{name}.toml").read_text("utf-8")


@cache
def _plain(name: str) -> Policy:
    """As its file says; a test validates the files, which takes ten times as long as to read one."""
    table = tomllib.loads(_text(name))
    sections = get_type_hints(Policy)
    return Policy(**{key: _section(sections[key], value) for key, value in table.items()})


def _section(kind: Any, value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return kind(**{key: tuple(one) if isinstance(one, list) else one for key, one in value.items()})


def _validated(table: Mapping[str, Any]) -> Policy:
    """Raises pydantic's ``ValidationError``."""
    return _shape().validate_python(table)


@cache
def _shape() -> TypeAdapter[Policy]:
    from pydantic import TypeAdapter  # 60 ms, and a policy that was loaded needs it no more

    return TypeAdapter(Policy)


def load_policy(name: str, overrides: Mapping[str, Any] | None = None) -> Policy:
    """The policy ``name``; ``overrides`` maps dotted keys (``search.top_k``) to values."""
    if not overrides:
        return _plain(name)
    table = tomllib.loads(_text(name))
    for key, value in overrides.items():
        _set(table, key.split("."), value, key)
    from pydantic import ValidationError

    try:
        return _validated(table)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"The policy value {place} is not valid: {first['msg']}.") from None


def _set(table: dict[str, Any], path: list[str], value: object, key: str) -> None:
    for part in path[:-1]:
        if not isinstance(table.get(part), dict):
            raise UsageError(f"There is no policy value {key!r}.")
        table = table[part]
    table[path[-1]] = value


def lines_in_force(name: str, overrides: Mapping[str, Any]) -> list[PolicyLine]:
    """As ``policy_lines``, with the project's own values in their place."""
    lines = {line.key: line for line in policy_lines(name)}
    for key, value in overrides.items():
        note = (
            f"set for this project; the policy has {lines[key].value}"
            if key in lines
            else "set for this project"
        )
        lines[key] = PolicyLine(key, value, "", note)
    return list(lines.values())


def policy_lines(name: str) -> list[PolicyLine]:
    """Every value of the file as it stands there, with its requirement id and note."""
    lines, section = [], ""
    for raw in _text(name).splitlines():
        if raw.startswith("["):
            section = raw.strip("[] ")
        elif (match := _LINE.match(raw)) is not None:
            key = f"{section}.{match['key']}" if section else match["key"]
            value = tomllib.loads(f"value = {match['value']}")["value"]
            lines.append(PolicyLine(key, value, match["source"], match["note"] or ""))
    return lines
