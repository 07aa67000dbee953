"""Styles: which are headings, which number, which hide. They inherit by ``basedOn``, perhaps in a circle."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from refdesk.reading.word.names import NUM_PR, OUTLINE, P_PR, R_PR, VAL, VANISH, w
from refdesk.reading.word.xml import integer, is_on

MAX_HEADING = 6
_ON = ("1", "true", "on")
_LONGEST_CHAIN = 64  # Word itself stops at 11
_BODY_TEXT = 9  # w:outlineLvl of text that is no heading

# Word writes built-in names in English whatever its language; other programs translate them.
_HEADING_WORDS = (
    "heading|überschrift|titre|título|titulo|titolo|kop|rubrik|overskrift|otsikko|nagłówek|nadpis|cím(?:sor)?|"
    "titlu|naslov|naslovni|başlık|заголовок|заглавие|επικεφαλίδα|fyrirsögn|pealkiri|virsraksts|antraštė|judul|"
    "tiêu đề|encabezado|cabeçalho|títol|見出し|标题|標題|제목|หัวเรื่อง|כותרת|عنوان|العنوان|शीर्षक"
)
_HEADING = re.compile(rf"(?:{_HEADING_WORDS})\s*([1-9])", re.IGNORECASE)
_TITLE = re.compile(
    r"(?:document )?title|titel|titre|título|titolo|tittel|otsikko|tytuł|název|cím|titlu|naslov|başlık|"
    r"название|заголовок|τίτλος|表題|标题|標題|제목|عنوان|العنوان|כותרת",
    re.IGNORECASE,
)


class Styles:
    """``root`` is the styles part, or None: then a style's id is taken for its name."""

    def __init__(self, root: Element | None) -> None:
        self._styles: dict[str, Element] = {}
        self._headings: dict[str | None, int] = {}
        self._hidden: dict[str | None, bool] = {}
        self._default: str | None = None
        for style in () if root is None else root.iter(w("style")):
            identity = style.get(w("styleId"))
            if identity is None:
                continue
            self._styles.setdefault(identity, style)
            if style.get(w("type")) == "paragraph" and style.get(w("default"), "0") in _ON:
                self._default = identity

    def heading(self, identity: str | None) -> int:
        """1 to 6; 0 for text. A Title is 1."""
        if identity not in self._headings:
            self._headings[identity] = self._find_heading(identity)
        return self._headings[identity]

    def hides(self, identity: str | None) -> bool:
        """Whether text of this paragraph or character style is hidden."""
        if identity not in self._hidden:
            switches = (_switch(style.find(R_PR)) for style in self._chain(identity))
            self._hidden[identity] = bool(next((on for on in switches if on is not None), False))
        return self._hidden[identity]

    def numbering(self, identity: str | None) -> Iterator[tuple[str, Element]]:
        """The ``numPr`` of the style and of those below it, nearest first, each with its style's id."""
        for style in self._chain(identity):
            found = style.find(f"{P_PR}/{NUM_PR}")
            if found is not None:
                yield style.get(w("styleId"), ""), found

    def _find_heading(self, identity: str | None) -> int:
        if identity is not None and identity not in self._styles:
            return _heading_by_name(identity)
        for style in self._chain(identity):
            outline = style.find(f"{P_PR}/{OUTLINE}")
            if outline is not None:
                return outline_heading(outline)
            name = style.find(w("name"))
            level = _heading_by_name("" if name is None else name.get(VAL, ""))
            if level:
                return level
        return 0

    def _chain(self, identity: str | None) -> Iterator[Element]:
        """The style and what it is based on, nearest first, each once."""
        identity = identity if identity is not None else self._default
        seen: set[str] = set()
        while identity in self._styles and identity not in seen and len(seen) < _LONGEST_CHAIN:
            seen.add(identity)
            style = self._styles[identity]
            yield style
            base = style.find(w("basedOn"))
            identity = None if base is None else base.get(VAL)


def outline_heading(outline: Element) -> int:
    level = integer(outline.get(VAL), _BODY_TEXT, 0, _BODY_TEXT)
    return 0 if level == _BODY_TEXT else min(level + 1, MAX_HEADING)


def _heading_by_name(name: str) -> int:
    name = " ".join(name.split())
    numbered = _HEADING.fullmatch(name)
    if numbered:
        return min(int(numbered[1]), MAX_HEADING)
    return 1 if _TITLE.fullmatch(name) else 0


def _switch(properties: Element | None) -> bool | None:
    return None if properties is None else is_on(properties.find(VANISH), VAL)
