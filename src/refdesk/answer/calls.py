"""What a call begins with."""

from __future__ import annotations

from refdesk.answer.model import Reference
from refdesk.answer.tools import none, search_knowledge, whole_texts
from refdesk.policy import Policy
from refdesk.results.calls import Call, StartedCall


def started(call: Call, prompt: str, texts: tuple[Reference, ...], policy: Policy) -> StartedCall:
    if call.knowledge_mode == "search":
        return StartedCall(call, prompt, None, (search_knowledge(policy),))
    text = whole_texts(texts, policy) if texts else none(policy)
    return StartedCall(call, prompt, text, ())
