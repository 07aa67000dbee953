"""The words of diagrams (SmartArt) and the numbers of charts: both stand in parts of their own."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree.ElementTree import Element

from refdesk.reading.problem import Problem
from refdesk.reading.word.blocks import Block, Cell, Paragraph, Table
from refdesk.reading.word.characters import clean, trim
from refdesk.reading.word.container import Package, Relationship
from refdesk.reading.word.drawn import Kind
from refdesk.reading.word.names import a, chart, diagram
from refdesk.reading.word.numbering import Label
from refdesk.reading.word.xml import integer

_MAX_POINTS = 100_000
_WORDS = frozenset({"node", "asst"})  # points of other types only connect, or show another point again
_CATEGORIES, _VALUES = (chart("cat"), chart("xVal")), (chart("val"), chart("yVal"))


def read(kind: Kind, link: Relationship | None, package: Package) -> list[Block]:
    """Empty where nothing can be read. A document is not refused for a chart."""
    if link is None or link.external:
        return []
    try:
        root = package.optional_xml(link.target)
    except Problem:
        return []
    return [] if root is None else _READERS[kind](root)


def _diagram(root: Element) -> list[Block]:
    """Each entry is an item of a list, each of its paragraphs too."""
    points = (point for point in root.iter(diagram("pt")) if point.get("type", "node") in _WORDS)
    texts = (_text(paragraph) for point in points for paragraph in point.iter(a("p")))
    return [Paragraph(text, label=Label("", 0)) for text in texts if text]


def _chart(root: Element) -> list[Block]:
    """Its title, then a table: a row for each category, a column for each series."""
    series = [
        (_name(one), _points(one, _CATEGORIES), _points(one, _VALUES)) for one in root.iter(chart("ser"))
    ]
    series = [one for one in series if one[2]]
    title = root.find(f"{chart('chart')}/{chart('title')}")
    heading = "" if title is None else _text(title)
    blocks: list[Block] = [Paragraph(heading)] if heading else []
    if not series:
        return blocks
    categories: dict[int, str] = {}
    for _, names, _ in series:
        categories = names | categories
    places = sorted(set().union(*(values for _, _, values in series)))
    rows = [_row(["", *(name for name, _, _ in series)])]
    rows += [
        _row([categories.get(at, ""), *(values.get(at, "") for _, _, values in series)]) for at in places
    ]
    return [*blocks, Table(rows)]


def _row(texts: list[str]) -> list[Cell]:
    return [Cell(column, [Paragraph(text)] if text else []) for column, text in enumerate(texts)]


def _name(series: Element) -> str:
    name = series.find(chart("tx"))
    return "" if name is None else " ".join(_value(value) for value in name.iter(chart("v")))


def _points(series: Element, tags: tuple[str, str]) -> dict[int, str]:
    """What was last computed, by place; of categories on several levels the innermost."""
    found = next((part for tag in tags if (part := series.find(tag)) is not None), None)
    points: dict[int, str] = {}
    for point in () if found is None else found.iter(chart("pt")):
        value = point.find(chart("v"))
        if value is not None:
            points.setdefault(integer(point.get("idx"), 0, 0, _MAX_POINTS), _value(value))
    return points


def _value(element: Element) -> str:
    return trim(clean(element.text or ""))


def _text(element: Element) -> str:
    return trim(clean("".join(part.text or "" for part in element.iter(a("t")))))


_READERS: dict[Kind, Callable[[Element], list[Block]]] = {Kind.CHART: _chart, Kind.DIAGRAM: _diagram}
