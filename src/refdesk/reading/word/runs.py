"""What one paragraph says: its text, its pictures and the boxes that hang on it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import quote
from xml.etree.ElementTree import Element

from refdesk.reading.word import fields, symbols
from refdesk.reading.word.characters import BREAK
from refdesk.reading.word.container import Relationship
from refdesk.reading.word.drawn import Kind, Shown, shown
from refdesk.reading.word.mathematics import equation
from refdesk.reading.word.names import (
    ALTERNATE,
    BR,
    CHECK_BOX,
    CHECKED,
    CHECKED_VAL,
    CR,
    DRAWN,
    ENDNOTE_REF,
    FIELD_CHAR,
    FIELD_CHAR_TYPE,
    FIELD_SIMPLE,
    FOOTNOTE_REF,
    HYPERLINK,
    INSTRUCTION,
    O_MATH,
    O_MATH_PARA,
    OBJECT,
    PICT,
    R_FONTS,
    R_PR,
    R_STYLE,
    REL_ID,
    SDT,
    SDT_CONTENT,
    SDT_PR,
    SYM,
    TAB,
    VAL,
    VANISH,
    VERTICAL,
    R,
    T,
    w,
)
from refdesk.reading.word.source import Source
from refdesk.reading.word.wrappers import TRANSPARENT, branch
from refdesk.reading.word.xml import is_on

_SCHEMES = re.compile(r"(?:https?://|mailto:)\S", re.IGNORECASE)
_MAX_URL = 2_048
_LINK_INSIDE = "]("
_URL_SAFE = "/:?#[]@!$&'*+,;=%-._~"  # round brackets would end a Markdown link


@dataclass(slots=True)
class Line:
    """``texts`` joined are the paragraph's text; a picture with ``True`` stands before any of it."""

    texts: list[str] = field(default_factory=list)
    pictures: list[tuple[int, bool]] = field(default_factory=list)
    hanging: list[Shown] = field(default_factory=list)

    _blanks: int = 0

    def is_blank(self) -> bool:
        """Whether there is no text yet. Looks at each text once, however often it is asked."""
        while self._blanks < len(self.texts) and not self.texts[self._blanks].strip():
            self._blanks += 1
        return self._blanks >= len(self.texts)


class Runs:
    """Reads the paragraphs of one story; fields may span several."""

    def __init__(self, source: Source, relationships: dict[str, Relationship], root: Element) -> None:
        self._source = source
        self._relationships = relationships
        self.fields = fields.Fields(root)
        self._line = Line()
        self._hidden = False
        self._inline: dict[str, Callable[[Element], None]] = {
            R: self._run,
            HYPERLINK: self._hyperlink,
            FIELD_SIMPLE: self._simple_field,
            SDT: self._control,
            ALTERNATE: lambda element: self._each(branch(element)),
            O_MATH: self._equation,
            O_MATH_PARA: self._equation,
            w("subDoc"): lambda _: self._source.remarks.count("sub-documents"),
            **dict.fromkeys(TRANSPARENT, self._each),
        }
        self._content: dict[str, Callable[[Element], None]] = {
            TAB: lambda _: self._line.texts.append("\t"),
            w("ptab"): lambda _: self._line.texts.append("\t"),
            BR: lambda _: self._line.texts.append(BREAK),
            CR: lambda _: self._line.texts.append(BREAK),
            w("noBreakHyphen"): lambda _: self._line.texts.append("-"),
            SYM: self._symbol,
            w("ruby"): self._ruby,
            FOOTNOTE_REF: self._note,
            ENDNOTE_REF: self._note,
            DRAWN: self._drawing,
            PICT: self._drawing,
            OBJECT: self._drawing,
            ALTERNATE: self._alternate,
        }

    def read(self, paragraph: Element, hidden: bool) -> Line:
        """``hidden`` is what the paragraph's style says of its text."""
        self._line, self._hidden = Line(), hidden
        self._each(paragraph)
        return self._line

    def _each(self, parent: Element | tuple[()]) -> None:
        inline = self._inline
        for child in parent:
            reader = inline.get(child.tag)
            if reader is not None:
                reader(child)

    def _run(self, run: Element) -> None:
        properties = run.find(R_PR)
        hidden = self._hidden if properties is None else self._hides(properties)
        for child in run:
            tag = child.tag
            if tag == FIELD_CHAR:
                self._field_char(child, hidden)
            elif tag == INSTRUCTION:
                self.fields.instruct(child.text or "")
            elif hidden or self.fields.muted:
                continue
            elif tag == T:
                self._text(child.text or "", properties)
            elif tag in self._content:
                self._content[tag](child)

    def _hides(self, properties: Element) -> bool:
        """Directly, else by style: a switch that both styles set is off again (ECMA-376 part 1, 17.7.3)."""
        direct = is_on(properties.find(VANISH), VAL)
        if direct is not None:
            return direct
        style = properties.find(R_STYLE)
        return self._hidden != (style is not None and self._source.styles.hides(style.get(VAL)))

    def _text(self, text: str, properties: Element | None) -> None:
        if properties is not None:
            raised = properties.find(VERTICAL)
            if raised is not None:
                text = symbols.small(text, raised.get(VAL, ""))
        if not text.isascii() and symbols.PRIVATE.search(text):
            fonts = None if properties is None else properties.find(R_FONTS)
            signs = symbols.readable(text, "" if fonts is None else fonts.get(w("ascii"), ""))
            self._source.remarks.count("symbols", len(text) - len(signs))
            text = signs
        self._line.texts.append(text)

    def _symbol(self, element: Element) -> None:
        try:
            code = int(element.get(w("char"), ""), 16)
        except ValueError:
            return
        sign = symbols.letter(element.get(w("font"), ""), code)
        if sign:
            self._line.texts.append(sign)
        else:
            self._source.remarks.count("symbols")

    def _ruby(self, element: Element) -> None:
        """The base alone: the small letters above it only say how it is read."""
        base = element.find(w("rubyBase"))
        if base is not None:
            self._each(base)

    def _alternate(self, element: Element) -> None:
        for child in branch(element):
            if child.tag == T:
                self._line.texts.append(child.text or "")
            elif child.tag in self._content:
                self._content[child.tag](child)

    def _equation(self, element: Element) -> None:
        if not self.fields.muted:
            self._line.texts.append(equation(element))

    def _control(self, element: Element) -> None:
        content = element.find(SDT_CONTENT)
        before = len(self._line.texts)
        if content is not None:
            self._each(content)
        box = element.find(f"{SDT_PR}/{CHECK_BOX}")
        if box is not None and len(self._line.texts) == before and not self.fields.muted:
            checked = is_on(box.find(CHECKED), CHECKED_VAL)
            self._line.texts.append(fields.CHECKED_BOX if checked else fields.EMPTY_BOX)

    def _note(self, element: Element) -> None:
        number = self._source.notes.refer(element)
        if number is not None:
            self._line.texts.append(f"[^{number}]")

    # fields and links

    def _field_char(self, char: Element, hidden: bool) -> None:
        kind = char.get(FIELD_CHAR_TYPE)
        if kind == "begin":
            if not (hidden or self.fields.muted):
                self._line.texts.append(fields.form_value(char))
            self.fields.begin(char)
        elif kind == "separate":
            self.fields.separate(self._line, len(self._line.texts))
        elif kind == "end":
            frame = self.fields.end(char)
            if frame is not None:
                self._finish_field(frame)

    def _finish_field(self, frame: fields.Frame) -> None:
        instruction = "".join(frame.instruction)
        if frame.line is self._line:
            self._link(frame.start, fields.hyperlink(instruction))
        elif not frame.in_result and fields.is_equation(instruction):
            self._source.remarks.count("equation field")

    def _simple_field(self, element: Element) -> None:
        start = len(self._line.texts)
        self._each(element)
        self._link(start, fields.hyperlink(element.get(w("instr"), "")))

    def _hyperlink(self, element: Element) -> None:
        start = len(self._line.texts)
        self._each(element)
        relationship = self._relationships.get(element.get(REL_ID, ""))
        if relationship is not None and relationship.external:
            anchor = element.get(w("anchor"))
            self._link(start, relationship.target + (f"#{anchor}" if anchor else ""))

    def _link(self, start: int, url: str | None) -> None:
        """Makes what the paragraph says from ``start`` on a link, if it may be one."""
        texts = self._line.texts
        label = "".join(texts[start:])
        url = "".join((url or "").split())
        if not label.strip() or len(url) > _MAX_URL or not _SCHEMES.match(url) or _LINK_INSIDE in label:
            return
        label = label.replace(BREAK, " ").replace("[", "\\[").replace("]", "\\]")
        texts[start:] = [f"[{label.strip()}]({quote(url, safe=_URL_SAFE)})"]
        self._source.length.add(len(url))

    # drawings

    def _drawing(self, element: Element) -> None:
        line = self._line
        for thing in shown(element):
            if thing.kind is Kind.PICTURE:
                relationship = self._relationships.get(thing.reference or "")
                line.pictures.append((self._source.images.add(relationship, thing.text), line.is_blank()))
            else:
                line.hanging.append(thing)
