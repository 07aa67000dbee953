"""Control tokens of chat models in a text: what a model that somebody runs may take for the end of a message
or for the beginning of the system's.

Hosted models read them as text. A server of open models may read them as what they are called, wherever they
stand. So each loses the signs that make it a token, and its word stays: ``<|im_start|>`` reads ``im_start``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import chain

from refdesk.screening.edits import Edit
from refdesk.screening.lines import after, lines_with

_BAR = "[|\uff5c]"
_TOKEN = re.compile(
    rf"<{_BAR}(?P<barred>[\w \u2581.:/-]{{1,60}}){_BAR}>"
    r"|</?(?P<angle>(?:start|end)_of_(?:turn|image)|(?:begin|end)_of_text|bos|eos|pad|unk)>"
    r"|\[/?(?P<square>INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_RESULTS|TOOL_CALLS)\]"
    r"|<</?(?P<double>SYS)>>"
)
_MAY_HOLD = re.compile(
    rf"<{_BAR}|<</?SYS|</?(?:start|end|begin)_of_|</?(?:bos|eos|pad|unk)>|\[/?[A-Z_]{{4,15}}\]"
)
_BEGIN = "<["
"""What any of these begins with."""
_EDGES = "_ \u2581/-"
_SIGNS = re.compile("[<>\\[\\]|\uff5c]")

Span = tuple[int, int, str]


def control_tokens(text: str) -> list[Edit]:
    """The replacements. What they leave holds no token, also where one stood inside another."""
    lines = dict(
        chain.from_iterable(lines_with(_MAY_HOLD, text, partial(text.find, sign)) for sign in _BEGIN)
    )
    return [
        Edit(start + begin, start + end, word)
        for start, line in lines.items()
        for begin, end, word in _in_line(line)
    ]


def _in_line(line: str) -> list[Span]:
    spans = list(_spans(line))
    if spans and _TOKEN.search(after(line, spans)):
        return [(sign.start(), sign.end(), " ") for sign in _SIGNS.finditer(line)]
    return spans


def _spans(line: str) -> Iterator[Span]:
    for found in _TOKEN.finditer(line):
        word = next(filter(None, found.groups()), "")
        yield found.start(), found.end(), f" {word.strip(_EDGES)} "
