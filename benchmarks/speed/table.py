"""The table of one comparison: a row for each measure, Refdesk against the best of the others.

The others of a ratio are LanceDB, Chroma and FTS5 with sqlite-vec, whose environment is ``BENCH``. What is
taken in by ``--also`` has a column and stands in no ratio, so bars do not depend on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median, quantiles
from typing import Any

from speed.contenders import BAKED, BENCH, COLUMNS, REFDESK

Results = Mapping[str, Mapping[str, Any]]
"""By engine, then by task; what a worker printed."""
Value = Callable[[Mapping[str, Any]], float]

TUNED_FROM = 100_000
"""Passages of a base from which LanceDB has a vector index, whose settings decide what it finds."""
OTHERS = [name for name, one in COLUMNS.items() if one.environment is BENCH]
THIRD = 1 / 3
CHANGE_MS = 50.0
FIRST_MS = 20.0
"""CPU of open and first answer by keyword, imports not counted, of a baked base of ..."""
FIRST_PASSAGES = 20_000
KEYWORD_MS = {20_000: 2.0, 200_000: 10.0}
HYBRID_MS = {20_000: 6.0, 200_000: 40.0}
"""Median CPU of a search in one base, without embedding the question."""
COMPARABLE = 0.9
"""A search that compares vectors is measured against engines that find so much of the nearest: one that finds
half of them is faster for that."""


@dataclass(frozen=True, slots=True)
class Row:
    """``value`` raises ``KeyError`` where an engine has no such thing. ``ratio`` is the most that Refdesk's
    share of the best other may be, ``most`` the most that the value of ``own`` may be."""

    label: str
    value: Value
    ratio: float | None = None
    most: float | None = None
    own: str = REFDESK
    nearest: bool = False
    """Vectors are compared, and engines of ``COMPARABLE`` recall are the others."""


def rows(passages: int, bases: int) -> Iterator[Row]:
    """The bars of searches hold from 20,000 passages on, the goals where everything is in one base."""
    yield Row("build, CPU s", lambda of: of["build"]["cpu"])
    yield Row("build, wall s", lambda of: of["build"]["wall"])
    yield Row("on disk, MB", lambda of: of["disk"])
    yield Row("add a document of 100 passages, CPU", _change("add", "cpu"), most=CHANGE_MS)
    yield Row("add a document of 100 passages, wall", _change("add", "wall"))
    yield Row("delete it, CPU", _change("delete", "cpu"), most=CHANGE_MS)
    yield Row("delete it, wall", _change("delete", "wall"))
    yield Row("add it while others search, CPU", _change("add", "cpu", "beside"), most=CHANGE_MS)
    yield Row("delete it while others search, CPU", _change("delete", "cpu", "beside"), most=CHANGE_MS)
    yield Row("deleted bytes off the disk, CPU", lambda of: of["change"]["clean"]["cpu"])
    yield Row("import, wall", _first(lambda run: run["import"]["wall"]))
    yield Row("open, wall", _first(lambda run: run["open"]), ratio=1.0)
    yield Row("open and first answer, wall", _first(lambda run: run["open"] + run["answer"]), ratio=1.0)
    third = THIRD if passages in KEYWORD_MS else None
    one = bases == 1
    first = FIRST_MS if one and passages == FIRST_PASSAGES else None
    yield Row("open and first answer, CPU", _first(lambda run: run["cpu"]), ratio=1.0, most=first, own=BAKED)
    yield from _search("keyword", third, KEYWORD_MS.get(passages) if one else None)
    yield from _search("meaning")
    yield from _search("hybrid", third, HYBRID_MS.get(passages) if one else None)
    yield from _search("hybrid with embedding", third)
    for mode in ("keyword", "hybrid"):
        for percent in (50, 95):
            label = f"{mode} while others add and delete, CPU p{percent}"
            yield Row(label, _percentile(mode, "cpu", percent, "beside"))
    for mode in ("keyword", "meaning", "hybrid"):
        yield Row(f"{mode} in all bases at once, CPU mean", _mean(f"{mode} in all bases"))
    yield Row("memory after the first answer, MB", _first(lambda run: run["memory"]["peak"]), ratio=1.0)
    yield Row("memory after all searches, MB", lambda of: of["search"]["memory"]["peak"], ratio=1.0)
    yield Row("of it private, MB", lambda of: of["search"]["memory"]["private"])
    yield Row("recall@10 by meaning, these vectors", lambda of: of["recall"]["recall"])


def _search(mode: str, ratio: float | None = None, most: float | None = None) -> Iterator[Row]:
    row = partial(Row, nearest=mode != "keyword")
    yield row(f"{mode}, CPU mean", _mean(mode), ratio=ratio)
    yield row(f"{mode}, CPU p50", _percentile(mode, "cpu", 50), most=most)
    yield row(f"{mode}, CPU p95", _percentile(mode, "cpu", 95))
    yield row(f"{mode}, wall p50", _percentile(mode, "wall", 50))
    yield row(f"{mode}, wall p95", _percentile(mode, "wall", 95))


def _change(name: str, clock: str, task: str = "change") -> Value:
    return lambda of: median(of[task][name][clock])


def _first(value: Callable[[Any], float]) -> Value:
    return lambda of: median(map(value, of["first"]))


def _mean(mode: str) -> Value:
    return lambda of: of["search"][mode]["mean"]


def _percentile(mode: str, clock: str, percent: int, task: str = "search") -> Value:
    return lambda of: quantiles(of[task][mode][clock], n=100, method="inclusive")[percent - 1]


def show(results: Results, wanted: Sequence[Row]) -> Iterator[bool]:
    """Prints a Markdown table; gives for each bar whether it is met."""
    engines = [name for name in COLUMNS if name in results]
    lines = [["ms, unless said", *(COLUMNS[name].label for name in engines), "Refdesk / best", "bar"]]
    for row in wanted:
        values = {name: value for name in engines if (value := _value(row, results[name])) is not None}
        if values:
            share = _share({name: value for name, value in values.items() if _comparable(row, results[name])})
            bars = list(_bars(row, values, share))
            yield from (met for _, met in bars)
            cells = [_number(values.get(name)) for name in engines]
            lines.append([row.label, *cells, _number(share), "; ".join(said for said, _ in bars)])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    lines.insert(1, ["-" * width for width in widths])
    for line in lines:
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |")


def _value(row: Row, results: Mapping[str, Any]) -> float | None:
    try:
        return row.value(results)
    except KeyError:
        return None


def _comparable(row: Row, results: Mapping[str, Any]) -> bool:
    recall = results.get("recall", {}).get("recall", 1.0)
    return not row.nearest or bool(recall >= COMPARABLE)


def _share(values: Mapping[str, float]) -> float | None:
    others = [values[name] for name in OTHERS if name in values]
    return values[REFDESK] / min(others) if others and REFDESK in values else None


def _bars(row: Row, values: Mapping[str, float], share: float | None) -> Iterator[tuple[str, bool]]:
    whose = "" if row.own == REFDESK else f"{COLUMNS[row.own].label} "
    for said, bar, value in (("ratio ", row.ratio, share), (whose, row.most, values.get(row.own))):
        if bar is not None and value is not None:
            met = value <= bar
            yield f"{said}≤ {bar:.2g} {'met' if met else 'MISSED'}", met


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"
