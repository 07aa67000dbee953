"""What a question must be before it is searched (W8), and the numbers that come with it."""

from __future__ import annotations

import re

from refdesk.errors import Refusal, UsageError
from refdesk.policy.model import Mode, Search

MAX_DEADLINE = 3_600  # seconds
_REMOVED = re.compile(r"[\x00\ud800-\udfff]")


def checked_question(text: str, policy: Search) -> str:
    """Trimmed, without NUL and lone surrogates; counted in characters after trimming."""
    question = _REMOVED.sub("", text).strip()
    if not any(character.isalnum() for character in question):
        raise Refusal(
            "The question has no letter or digit in any script: ask in words.", code="empty_question"
        )
    if len(question) < policy.question_min:
        raise Refusal(
            f"The question needs at least {policy.question_min} characters and has {len(question)}.",
            code="question_too_short",
            limit=policy.question_min,
            actual=len(question),
        )
    if len(question) > policy.question_max:
        raise Refusal(
            f"The question has {len(question)} characters; at most {policy.question_max} are accepted: "
            "shorten it.",
            code="question_too_long",
            limit=policy.question_max,
            actual=len(question),
        )
    return question


def checked_deadline(seconds: float | None, policy: Search) -> float | None:
    if seconds is None:
        return policy.deadline_seconds
    if not 0 <= seconds <= MAX_DEADLINE:
        raise UsageError(
            f"The deadline is {seconds} seconds; 0 to {MAX_DEADLINE} are accepted.",
            code="deadline_out_of_range",
            limit=MAX_DEADLINE,
            actual=seconds,
        )
    return seconds


def checked_top_k(top_k: int | None, policy: Search) -> int:
    wanted = policy.top_k if top_k is None else top_k
    if not 1 <= wanted <= policy.max_top_k:
        raise UsageError(
            f"top_k is {wanted}; this policy accepts 1 to {policy.max_top_k}.",
            code="top_k_out_of_range",
            limit=policy.max_top_k,
            actual=wanted,
        )
    return wanted


def checked_min_score(min_score: float | None, mode: Mode, policy: Search) -> float | None:
    wanted = policy.min_score if min_score is None else min_score
    if wanted is None:
        return None
    if not 0 <= wanted <= 1:
        raise UsageError(
            f"min_score is {wanted}; it is a similarity between 0 and 1.",
            code="min_score_out_of_range",
            limit=1,
            actual=wanted,
        )
    if mode == "keyword":
        raise UsageError(
            "min_score cannot be used with keyword search, whose hits have no similarity: "
            "leave it out, or search by meaning or hybrid.",
            code="min_score_with_keyword",
            actual=wanted,
        )
    return wanted
