"""The lines that are looked at: those that a sign leads to, each once."""

from __future__ import annotations

import re
from functools import partial

from refdesk.screening.lines import lines_with


def test_a_line_is_given_once_with_where_it_begins() -> None:
    text = "no\na < b <x> <x>\n< none\n<x>"
    assert list(lines_with(re.compile("<x>"), text, partial(text.find, "<"))) == [
        (3, "a < b <x> <x>"),
        (24, "<x>"),
    ]


def test_nothing_before_the_first_sign_of_a_line_and_of_the_next_line_is_part_of_a_match() -> None:
    text = "x <\ny\nz"
    assert not list(lines_with(re.compile("[xyz]"), text, partial(text.find, "<")))
