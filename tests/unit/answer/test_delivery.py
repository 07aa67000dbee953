"""How what an agent knows reaches its model, for each policy's limits."""

from __future__ import annotations

from typing import Any

import pytest

from refdesk.answer.delivery import knowledge_mode
from refdesk.policy import POLICIES, load_policy

VOICE = load_policy("voice").agents


def mode(kind: Any = "text", granted: bool = True, **sizes: int) -> str:
    return knowledge_mode(kind, VOICE, granted=granted, **{"prompt": 0, "text": 100, **sizes})


@pytest.mark.req("RUN1")
@pytest.mark.parametrize(
    ("sizes", "text", "realtime"),
    [
        ({"text": 0}, "none", "none"),
        ({"text": 1}, "inline", "inline"),
        ({"text": 12_000}, "inline", "inline"),
        ({"text": 12_001}, "search", "none"),
        ({"text": 12_000, "prompt": 20_000}, "inline", "inline"),
        ({"text": 12_000, "prompt": 20_001}, "search", "none"),
        ({"text": 12_000, "prompt": 15_000, "tools": 5_000}, "inline", "inline"),
        ({"text": 12_000, "prompt": 15_000, "tools": 5_001}, "search", "none"),
        ({"text": 500_000, "prompt": 1}, "search", "none"),
    ],
)
def test_small_knowledge_stands_in_the_prompt_and_large_is_searched(
    sizes: dict[str, int], text: str, realtime: str
) -> None:
    assert (mode(**sizes), mode("realtime", **sizes)) == (text, realtime)


@pytest.mark.req("RUN1", "KB2")
@pytest.mark.parametrize("policy", POLICIES)
def test_without_a_grant_there_is_nothing_to_know(policy: str) -> None:
    limits = load_policy(policy).agents
    assert knowledge_mode("text", limits, granted=False, prompt=0, text=0) == "none"
    assert knowledge_mode("realtime", limits, granted=False, prompt=0, text=0) == "none"


@pytest.mark.req("RUN1")
@pytest.mark.parametrize("policy", ["packs", "bases", "package"])
@pytest.mark.parametrize("text", [0, 1, 1_000_000])
def test_a_policy_that_puts_no_text_in_the_prompt_has_it_searched(policy: str, text: int) -> None:
    limits = load_policy(policy).agents
    assert knowledge_mode("text", limits, granted=True, prompt=0, text=text) == "search"
    assert knowledge_mode("realtime", limits, granted=True, prompt=0, text=text) == "none"


@pytest.mark.req("RUN1")
def test_a_projects_own_limits_are_the_ones_that_count() -> None:
    limits = load_policy("packs", {"agents.inline_characters": 500}).agents
    for text, expected in ((0, "none"), (500, "inline"), (501, "search")):
        assert knowledge_mode("text", limits, granted=True, prompt=40_000, text=text) == expected
