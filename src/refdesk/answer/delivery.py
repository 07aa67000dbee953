"""How what an agent knows reaches its model (RUN1)."""

from __future__ import annotations

from refdesk.policy import Agents
from refdesk.results.agents import AgentKind, KnowledgeMode


def knowledge_mode(
    kind: AgentKind, limits: Agents, *, granted: bool, prompt: int, text: int, tools: int = 0
) -> KnowledgeMode:
    """``inline``: the whole text stands in the prompt; ``search``: the agent has to look it up; ``none``.
    ``prompt``, ``tools`` and the ``text`` of what its bases serve now are in characters. A realtime agent
    cannot search. Where the policy has no limit for text in the prompt, none is put there."""
    measured = limits.inline_characters is not None
    if not granted or (measured and text == 0):
        return "none"
    if _fits(limits, text, prompt + tools + text):
        return "inline"
    return "none" if kind == "realtime" else "search"


def _fits(limits: Agents, text: int, whole: int) -> bool:
    if limits.inline_characters is None or text > limits.inline_characters:
        return False
    return limits.prompt_characters is None or whole <= limits.prompt_characters
