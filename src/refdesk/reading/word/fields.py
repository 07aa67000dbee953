"""Complex fields: begin, instruction, separate, result, end (ECMA-376 part 1, 17.16).

Only the result is text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from refdesk.reading.word.names import DEL, FIELD_CHAR, FIELD_CHAR_TYPE, MOVE_FROM, VAL, w
from refdesk.reading.word.xml import integer, is_on

_HYPERLINK = re.compile(r'\s*HYPERLINK\s+(?:"([^"]*)"|([^\s\\"]\S*))', re.IGNORECASE)
_DEEPEST = 64  # Word itself stops at 20
CHECKED_BOX, EMPTY_BOX = "☒", "☐"


@dataclass(slots=True)
class Frame:
    """An open field. ``start`` is where its result starts in the paragraph ``line``."""

    end: Element
    instruction: list[str] = field(default_factory=list)
    in_result: bool = False
    line: object = None
    start: int = 0


class Fields:
    """The open fields of a story. A begin without its end, or an end without its begin, is ignored:
    it must not swallow the rest of the document."""

    def __init__(self, root: Element) -> None:
        self._ends = _matched(root)
        self._open: list[Frame] = []
        self.muted = 0  # open fields whose instruction is still being read

    def begin(self, char: Element) -> None:
        end = self._ends.get(char)
        if end is not None and len(self._open) < _DEEPEST:
            self._open.append(Frame(end))
            self.muted += 1

    def instruct(self, text: str) -> None:
        if self._open and not self._open[-1].in_result:
            self._open[-1].instruction.append(text)

    def separate(self, line: object, start: int) -> None:
        if self._open and not self._open[-1].in_result:
            frame = self._open[-1]
            frame.in_result, frame.line, frame.start = True, line, start
            self.muted -= 1

    def end(self, char: Element) -> Frame | None:
        """The field that ends here, and is closed with all that are open inside it."""
        if not any(frame.end is char for frame in self._open):
            return None
        while True:
            frame = self._open.pop()
            self.muted -= not frame.in_result
            if frame.end is char:
                return frame


def hyperlink(instruction: str) -> str | None:
    """The address of a HYPERLINK field; None for other fields and for places inside the document."""
    found = _HYPERLINK.match(instruction)
    return (found[1] or found[2]) if found else None


def is_equation(instruction: str) -> bool:
    """An EQ field: Word draws it from its instruction and stores no result."""
    return instruction.split(maxsplit=1)[:1] in (["EQ"], ["eq"])


def form_value(char: Element) -> str:
    """What a legacy form field shows: a check box or a chosen entry; other fields show their result."""
    box = char.find(f"{w('ffData')}/{w('checkBox')}")
    if box is not None:
        checked = is_on(box.find(w("checked")), VAL)
        if checked is None:
            checked = is_on(box.find(w("default")), VAL)
        return CHECKED_BOX if checked else EMPTY_BOX
    choice = char.find(f"{w('ffData')}/{w('ddList')}")
    if choice is None:
        return ""
    entries = [entry.get(VAL, "") for entry in choice.iterfind(w("listEntry"))]
    chosen = choice.find(w("result"))
    if chosen is None:
        chosen = choice.find(w("default"))
    place = integer(None if chosen is None else chosen.get(VAL), 0, 0, len(entries))
    return entries[place] if place < len(entries) else ""


def _matched(root: Element) -> dict[Element, Element]:
    """Each begin with its end; those in deleted text don't count."""
    gone: set[Element] = set()
    for tag in (DEL, MOVE_FROM):
        for part in root.iter(tag):
            if part not in gone:
                gone.update(part.iter())
    begun: list[Element] = []
    ends: dict[Element, Element] = {}
    for char in root.iter(FIELD_CHAR):
        kind = char.get(FIELD_CHAR_TYPE)
        if char in gone:
            continue
        if kind == "begin":
            begun.append(char)
        elif kind == "end" and begun:
            ends[begun.pop()] = char
    return ends
