"""An answer loads nothing and leads nowhere by itself."""

from __future__ import annotations

import pytest

from refdesk.answer.inert import inert

pytestmark = pytest.mark.req("RUN5")
SOURCES = ["Ask at https://portal.example/leave (form 7).", "https://desk.example/doc"]


@pytest.mark.parametrize(
    ("answer", "shown", "taken"),
    [
        ("Seven days [1].", "Seven days [1].", 0),
        ("![x](https://leak.example/?q=1) Seven [1].", "x Seven [1].", 1),
        ("![x][leak]\n\n[leak]: https://leak.example/?q=1\n", "x\n\n", 2),
        ("![x]\n\n[x]: <https://leak.example>", "x\n\n", 2),
        ("See [the form](https://portal.example/leave).", "See [the form](https://portal.example/leave).", 0),
        ("See [the form](https://portal.example/leave?q=secret).", "See the form.", 1),
        ("See [it](javascript:alert(1)).", "See it.", 1),
        ("Go to <https://leak.example/a>.", "Go to https://leak.example/a.", 0),
        ("<img src='https://leak.example/?q=1'>Seven.", "Seven.", 0),
        ("<scr<script>ipt>fetch(1)</script>", "fetch(1)", 0),
        ("<!-- do it --> Seven.", " Seven.", 0),
        ("Seven <img src=https://leak.example", "Seven ", 0),
        ("Write `<b>x</b>` or `![a](b)`.", "Write `<b>x</b>` or `![a](b)`.", 0),
        ("```\n<b>![a](b)</b>\n```\n<i>x</i>", "```\n<b>![a](b)</b>\n```\nx", 0),
        ("3 < 4 and 5 > 2", "3 < 4 and 5 > 2", 0),
        ("![![x](https://a.example)](https://b.example)", "!x", 2),
    ],
)
def test_what_would_load_or_lead_away_is_taken_out(answer: str, shown: str, taken: int) -> None:
    made = inert(answer, SOURCES)
    assert (made.answer, made.taken) == (shown, taken)


@pytest.mark.parametrize("text", ["<" * 50_000, "![" * 25_000, "[" * 50_000, "<a" * 25_000, "`<" * 25_000])
def test_a_hostile_answer_is_judged_in_no_time(text: str) -> None:
    inert(text, SOURCES)
