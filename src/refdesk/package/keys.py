"""Every key of ``agent.yaml`` and ``tools/NAME.yaml``: what it takes, and what it means.

The check, the published JSON Schemas and the documentation are made of this one table.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from refdesk.policy.model import Grounding, Mode

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
AGENT = re.compile(r"[A-Za-z0-9_-]{1,64}")
TOOL = re.compile(r"[a-z][a-z0-9_]{0,63}")
BASE = re.compile(r"[a-z0-9_]{3,64}")
SECRET = re.compile(r"[A-Z][A-Z0-9_]{0,127}")

MODES: tuple[Mode, ...] = get_args(Mode)
GROUNDINGS: tuple[Grounding, ...] = get_args(Grounding)

MAX_CHUNK_SIZE = 2_048  # SPL4
CHUNK_SIZE = 90  # SPL4
CHUNK_OVERLAP = 20  # SPL4
MAX_TOP_K = 20  # SRCH3
TOP_K = 3  # SRCH3

EMBED = "openai"  # CMP4
LOCAL = "local"

SECRETS: Mapping[str, tuple[str, ...]] = {
    "openai": ("OPENAI_API_KEY",),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    "bedrock": (),
    "huggingface": ("HF_TOKEN", "HUGGINGFACE_API_KEY", "HUGGINGFACEHUB_API_TOKEN"),
    LOCAL: (),
}
"""The embedding services, each with the names that its credential may have; the first one listed is used.
Bedrock has none of its own: the AWS credential chain finds what there is."""
SERVICES = tuple(SECRETS)


@dataclass(frozen=True, slots=True)
class Key:
    """``takes`` is its JSON Schema, ``default`` what holds where it is left out."""

    takes: Mapping[str, Any]
    help: str
    required: bool = False
    default: str | int | None = None


def _text(**more: Any) -> Mapping[str, Any]:
    return {"type": "string", "minLength": 1, **more}


def _named(pattern: re.Pattern[str]) -> str:
    return f"^{pattern.pattern}$"


TOP = {
    "name": Key(_text(pattern=_named(NAME)), "What the built worker is called.", default="refdesk-worker"),
    "agents": Key({"type": "object"}, "The agents, each by its name.", required=True),
    "secrets": Key(
        {"type": "array", "items": _text(pattern=_named(SECRET)), "uniqueItems": True},
        "The environment variables that hold credentials: their names, never their values.",
    ),
    "knowledge": Key({"type": "object"}, "The knowledge bases, each by its key: 3 to 64 of `a-z 0-9 _`."),
}
"""Keys that begin with ``x-`` are for anchors and are not read."""

AGENT_KEYS = {
    "prompt": Key(_text(), "What the agent is told before every question.", required=True),
    "model": Key(_text(), "The chat model, `provider:model`; `quoting` needs no service.", default="quoting"),
    "grounding": Key(
        {"enum": list(GROUNDINGS)}, "How far an answer must rest on the documents.", default="preferred"
    ),
    "tools": Key(
        {"type": "array", "items": _text(pattern=_named(TOOL)), "uniqueItems": True},
        "The tools that the agent is given: files of `tools/`, without their ending. It sees no other base.",
    ),
}

BASE_KEYS = {
    "path": Key(_text(), "A folder inside the package with .txt, .md or .pdf documents.", required=True),
    "embed": Key({"enum": list(SERVICES)}, "The embedding service; `keyword` ignores it.", default=EMBED),
    "mode": Key({"enum": list(MODES)}, "How the base is searched.", default="hybrid"),
    "chunk_size": Key(
        {"type": "integer", "minimum": 1, "maximum": MAX_CHUNK_SIZE},
        "The size of a passage in tokens.",
        default=CHUNK_SIZE,
    ),
    "chunk_overlap": Key(
        {"type": "integer", "minimum": 0, "maximum": MAX_CHUNK_SIZE},
        "Tokens that neighbouring passages share, up to `chunk_size`.",
        default=CHUNK_OVERLAP,
    ),
    "top_k": Key(
        {"type": "integer", "minimum": 1, "maximum": MAX_TOP_K},
        "Passages that a lookup gives at most.",
        default=TOP_K,
    ),
    "min_score": Key(
        {"type": "number", "minimum": 0, "maximum": 1},
        "Drops what is less similar than this; not with `mode: keyword`. Left out, nothing is dropped.",
    ),
}

TOOL_KEYS = {
    "description": Key(_text(), "Tells a model what is in the base and when to look it up."),
    "announce": Key(_text(), "What a voice says while it looks something up."),
    "interruption": Key(
        {"type": ["boolean", "string"]},
        "Whether a caller may speak over the announcement; handed to the voice framework as it stands.",
    ),
    "knowledge": Key({"type": "object"}, "The base that the tool searches.", required=True),
}
REFUSED_TOOL_KEYS = ("input", "output", "inject", "effect")

KNOWLEDGE_KEYS = {"base": Key(_text(pattern=_named(BASE)), "A base of `agent.yaml`.", required=True)}
