"""A document's figures in its text: their markers, and the line that says what was not kept (FIG3, FIG4)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_PLACEHOLDER = re.compile("\ue000([0-9]+)\ue001")
_ALONE = re.compile("(?:\\A|\n\n?)\ue000([0-9]+)\ue001(?=\n|\\Z)")

REASONS = ("type", "pixels", "bytes", "size", "count", "pool", "deadline", "decode")
REDACTED = "redacted"
"""Why a picture is not kept that reading would keep."""


def placeholders(text: str) -> list[int]:
    return [int(number) for number in _PLACEHOLDER.findall(text)]


def marker(number: int, label: str) -> str:
    return f"[Figure {number}: {label}]" if label else f"[Figure {number}]"


def short_label(text: str, limit: int) -> str:
    """At most ``limit`` characters, cut at a word with ``…``; no line end or bracket that ends the marker."""
    return cut_at_word(" ".join(text.split()).translate(str.maketrans("[]", "()")), limit)


def cut_at_word(line: str, limit: int) -> str:
    if len(line) <= limit:
        return line
    head = line[:limit]
    cut = head[: limit - 1] if " " not in head else head[: head.rindex(" ")]
    return f"{cut.rstrip()}…"


def image_line(kept: int, not_kept: Mapping[str, int], unseen: Sequence[int]) -> str:
    """``Images: 2 kept, 1 not kept (type: 1); page 5 not looked at``, each part where it holds, or empty."""
    parts = [f"{kept} kept"]
    if not_kept:
        reasons = ", ".join(
            f"{reason}: {not_kept[reason]}" for reason in (*REASONS, REDACTED) if reason in not_kept
        )
        parts.append(f"{sum(not_kept.values())} not kept ({reasons})")
    line = f"Images: {', '.join(parts)}"
    if unseen:
        line += f"; {'page' if len(unseen) == 1 else 'pages'} {listed(unseen)} not looked at"
    return line if not_kept or unseen else ""


def listed(numbers: Sequence[int]) -> str:
    """``3, 7, 9–12``: three in a row and more become a range."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs)


def with_markers(text: str, markers: Mapping[int, str]) -> str:
    """Each placeholder replaced by its marker; of a picture that is not kept, nothing stays, nor its line."""
    if "\ue000" not in text:
        return text
    text = _ALONE.sub(lambda alone: alone[0] if int(alone[1]) in markers else "", text)
    return _PLACEHOLDER.sub(lambda inline: markers.get(int(inline[1]), ""), text).strip("\n")
