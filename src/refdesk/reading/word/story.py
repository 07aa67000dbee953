"""The blocks of a story: the body, or a note. Cells and text boxes are containers inside of one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from xml.etree.ElementTree import Element

from refdesk.reading.word import graphics
from refdesk.reading.word.blocks import Block, Cell, Paragraph, Picture, Table
from refdesk.reading.word.characters import clean, trim
from refdesk.reading.word.drawn import Kind
from refdesk.reading.word.mathematics import equation
from refdesk.reading.word.names import (
    ALT_CHUNK,
    ALTERNATE,
    DEL,
    DROP_CAP,
    FRAME,
    MOVE_FROM,
    NUM_PR,
    O_MATH,
    O_MATH_PARA,
    OUTLINE,
    P_PR,
    P_STYLE,
    R_PR,
    SDT,
    TBL,
    TC,
    TR,
    VAL,
    VANISH,
    P,
    w,
)
from refdesk.reading.word.runs import Line, Runs
from refdesk.reading.word.source import Source
from refdesk.reading.word.styles import outline_heading
from refdesk.reading.word.wrappers import TRANSPARENT, unwrap, wrapped
from refdesk.reading.word.xml import integer, is_on

_MAX_COLUMNS = 1_024  # Word itself stops at 63
_MAX_WIDTH = 31_680  # twentieths of a point: the widest page
_GONE = (DEL, MOVE_FROM)


@dataclass(slots=True)
class _Flow:
    """Blocks so far; ``carried`` are the texts of paragraphs whose end is deleted: they open the next one."""

    blocks: list[Block] = field(default_factory=list)
    carried: list[str] = field(default_factory=list)

    def take(self) -> str:
        text = trim("".join(self.carried))
        self.carried.clear()
        return text

    def end(self) -> list[Block]:
        text = self.take()
        if text:
            self.blocks.append(Paragraph(text))
        return self.blocks


class Story:
    """One part's text. ``root`` is the part's root: fields may span all of it."""

    def __init__(self, source: Source, part: str, root: Element) -> None:
        self._source = source
        self._relationships = source.package.relationships(part)
        self._runs = Runs(source, self._relationships, root)
        self._readers: dict[str, Callable[[Element, _Flow], None]] = {
            P: self._paragraph,
            TBL: self._table,
            O_MATH: self._equation,
            O_MATH_PARA: self._equation,
            ALT_CHUNK: lambda _, __: source.remarks.count("altChunk"),
            **dict.fromkeys((SDT, ALTERNATE, *TRANSPARENT), self._wrapper),
        }

    def blocks(self, container: Element | tuple[()]) -> list[Block]:
        flow = _Flow()
        self._walk(container, flow)
        return flow.end()

    def _walk(self, container: Element | tuple[()], flow: _Flow) -> None:
        for child in container:
            reader = self._readers.get(child.tag)
            if reader is not None:
                reader(child, flow)

    def _wrapper(self, element: Element, flow: _Flow) -> None:
        inner = unwrap(element)
        if inner is not None:
            self._walk(inner, flow)

    def _equation(self, element: Element, flow: _Flow) -> None:
        text = trim(clean(equation(element)))
        if text:
            flow.blocks.append(Paragraph(text))

    def _paragraph(self, element: Element, flow: _Flow) -> None:
        properties = element.find(P_PR)
        style = _style(properties)
        line = self._runs.read(element, self._source.styles.hides(style))
        text = clean("".join(line.texts))
        self._source.length.add(len(text) + len(line.pictures))
        flow.blocks.extend(Picture(number) for number, before in line.pictures if before)
        flow.carried.append(text)
        if properties is None or not _runs_on(properties):
            self._finish(properties, style, flow.take(), flow)
        flow.blocks.extend(Picture(number) for number, before in line.pictures if not before)
        self._hang(line, flow)

    def _finish(self, properties: Element | None, style: str | None, text: str, flow: _Flow) -> None:
        mark = None if properties is None else properties.find(R_PR)
        if not text and mark is not None and is_on(mark.find(VANISH), VAL):
            return  # hidden with all that is in it: Word doesn't count it either
        label = self._source.numbering.label(None if properties is None else properties.find(NUM_PR), style)
        if not text:
            return
        outline = None if properties is None else properties.find(OUTLINE)
        heading = self._source.styles.heading(style) if outline is None else outline_heading(outline)
        flow.blocks.append(Paragraph(text, heading, label))

    def _hang(self, line: Line, flow: _Flow) -> None:
        for thing in line.hanging:
            if thing.kind is Kind.TEXT_BOX:
                flow.blocks.extend(self.blocks(thing.element))
            elif thing.kind is Kind.WORDS:
                text = trim(clean(thing.text))
                flow.blocks.extend([Paragraph(text)] if text else [])
            else:
                link = self._relationships.get(thing.reference or "")
                found = graphics.read(thing.kind, link, self._source.package)
                self._source.remarks.count(thing.kind.value, not found)
                flow.blocks.extend(found)

    def _table(self, element: Element, flow: _Flow) -> None:
        flow.end()
        rows = [self._row(row) for row in wrapped(element, TR) if not _is_gone_row(row)]
        flow.blocks.append(Table(rows, _widths(element)))

    def _row(self, row: Element) -> list[Cell]:
        cells: list[Cell] = []
        properties = row.find(w("trPr"))
        column = _grid(properties, "gridBefore", 0)
        is_header = properties is not None and bool(is_on(properties.find(w("tblHeader")), VAL))
        for cell in wrapped(row, TC):
            properties = cell.find(w("tcPr"))
            if properties is not None and properties.find(w("cellDel")) is not None:
                continue
            blocks = self.blocks(cell)
            span = _grid(properties, "gridSpan", 1)
            if blocks or not _continues(properties, "hMerge"):
                cells.append(Cell(column, blocks, span, _continues(properties, "vMerge"), is_header))
            column = min(column + span, _MAX_COLUMNS)
        return cells


def _style(properties: Element | None) -> str | None:
    style = None if properties is None else properties.find(P_STYLE)
    return None if style is None else style.get(VAL)


def _runs_on(properties: Element) -> bool:
    """Whether its end is deleted, or it is a drop cap: then the next paragraph goes on with its text."""
    frame, mark = properties.find(FRAME), properties.find(R_PR)
    if frame is not None and frame.get(DROP_CAP) in ("drop", "margin"):
        return True
    return mark is not None and any(mark.find(tag) is not None for tag in _GONE)


def _widths(table: Element) -> list[int]:
    columns = table.iterfind(f"{w('tblGrid')}/{w('gridCol')}")
    widths = [integer(column.get(w("w")), 0, 0, _MAX_WIDTH) for column in islice(columns, _MAX_COLUMNS)]
    return widths if any(widths) else []


def _is_gone_row(row: Element) -> bool:
    properties = row.find(w("trPr"))
    if properties is None:
        return False
    return properties.find(DEL) is not None or bool(is_on(properties.find(w("hidden")), VAL))


def _continues(properties: Element | None, merge: str) -> bool:
    """A merged cell that is not the first: ``w:vMerge`` without a value means ``continue``."""
    found = None if properties is None else properties.find(w(merge))
    return found is not None and found.get(VAL, "continue") == "continue"


def _grid(properties: Element | None, name: str, default: int) -> int:
    found = None if properties is None else properties.find(w(name))
    return default if found is None else integer(found.get(VAL), default, default, _MAX_COLUMNS)
