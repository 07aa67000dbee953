"""The JSON Schemas of ``agent.yaml`` and ``tools/NAME.yaml``, for editors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from refdesk.package.keys import AGENT, AGENT_KEYS, BASE, BASE_KEYS, KNOWLEDGE_KEYS, TOOL_KEYS, TOP, Key

_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def agent_schema() -> dict[str, Any]:
    agents = _each(AGENT.pattern, _object(AGENT_KEYS))
    keyword = {"properties": {"mode": {"const": "keyword"}}, "required": ["mode"]}
    base = _object(BASE_KEYS) | {"if": keyword, "then": {"properties": {"min_score": False}}}
    top = _object(TOP, agents=agents | {"minProperties": 1}, knowledge=_each(BASE.pattern, base))
    return {"$schema": _DRAFT, "title": "agent.yaml", **top, "patternProperties": {"^x-": True}}


def tool_schema() -> dict[str, Any]:
    return {
        "$schema": _DRAFT,
        "title": "tools/NAME.yaml",
        **_object(TOOL_KEYS, knowledge=_object(KNOWLEDGE_KEYS)),
    }


def _object(keys: Mapping[str, Key], **inner: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: _property(key, inner.get(name, {})) for name, key in keys.items()},
        "required": [name for name, key in keys.items() if key.required],
        "additionalProperties": False,
    }


def _property(key: Key, inner: Mapping[str, Any]) -> dict[str, Any]:
    default = {} if key.default is None else {"default": key.default}
    return {"description": key.help, **key.takes, **inner, **default}


def _each(pattern: str, one: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "patternProperties": {f"^{pattern}$": one}, "additionalProperties": False}
