"""Spans of one text: overlapping ones joined, and what takes their place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from refdesk.screening.edits import Edit
from refdesk.screening.model import CLASSES, FindingClass, Spotted


def merged(spans: Iterable[Spotted]) -> list[Spotted]:
    """In order; overlapping spans of one class are one, by its first detector. Other classes stay apart."""
    result: list[Spotted] = []
    last: dict[FindingClass, int] = {}
    for span in sorted(spans, key=_order):
        at = last.get(span.cls)
        if at is not None and span.start < result[at].end:
            result[at] = replace(result[at], end=max(result[at].end, span.end))
        else:
            last[span.cls] = len(result)
            result.append(span)
    return result


def redactions(spans: Iterable[Spotted]) -> list[Edit]:
    """Each stretch of ``spans`` by ``[REDACTED:class]``, the gravest class of what overlaps there."""
    return [Edit(one.start, one.end, f"[REDACTED:{one.cls}]") for one in _stretches(spans)]


def _stretches(spans: Iterable[Spotted]) -> list[Spotted]:
    result: list[Spotted] = []
    for span in sorted(spans, key=_order):
        if result and span.start < result[-1].end:
            cls = min(result[-1].cls, span.cls, key=CLASSES.index)
            result[-1] = replace(result[-1], cls=cls, end=max(result[-1].end, span.end))
        else:
            result.append(span)
    return result


def _order(span: Spotted) -> tuple[int, int, int]:
    return span.start, -span.end, CLASSES.index(span.cls)
