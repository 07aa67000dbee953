"""What a drawing shows: pictures, text boxes, word art, charts and diagrams, each once, in order.

Drawings are DrawingML (``w:drawing``) or VML (``w:pict``, ``w:object``), perhaps both as alternatives.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from xml.etree.ElementTree import Element

from refdesk.reading.word.characters import clean
from refdesk.reading.word.names import (
    ALTERNATE,
    ANCHOR,
    BLIP,
    CHART_REF,
    DIAGRAM_REF,
    DOC_PR,
    GROUPED,
    IMAGE_DATA,
    INLINE,
    OFFICE_TITLE,
    PIC,
    PIC_PR,
    REL_DM,
    REL_EMBED,
    REL_ID,
    REL_LINK,
    TEXT_BOX,
    TEXT_PATH,
)
from refdesk.reading.word.wrappers import branch

# Old versions of Word put the path of the author's own file into the alternative text.
_PRIVATE_PATH = re.compile(
    r"(?:^|[\s\"'(])(?:[a-z]:[\\/]|\\\\[^\s\\]|file:|/(?:users|home|root|tmp|var|mnt)/)", re.IGNORECASE
)


_MAX_ALT = 2_000


class Kind(StrEnum):
    PICTURE = "picture"
    TEXT_BOX = "text box"
    WORDS = "words"
    CHART = "chart"
    DIAGRAM = "diagram"


@dataclass(frozen=True, slots=True)
class Shown:
    """``reference`` is a relationship's id; ``text`` a picture's alternative text or the words themselves."""

    kind: Kind
    element: Element
    reference: str | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class _Around:
    """What the elements above say of a picture."""

    alt: str = ""
    grouped: bool = False


def shown(drawing: Element) -> list[Shown]:
    found: list[Shown] = []
    _search(drawing, _Around(), found)
    return found


def _search(parent: Element | tuple[()], around: _Around, found: list[Shown]) -> None:
    for child in parent:
        reader = _READERS.get(child.tag)
        if reader is not None:
            reader(child, around, found)
        else:
            _search(child, _closer(child, around), found)


def _closer(element: Element, around: _Around) -> _Around:
    """A VML shape may carry the alternative text of the picture inside."""
    alt = clean_alt(element.get("alt"))
    return _Around(alt, around.grouped) if alt else around


def _frame(element: Element, around: _Around, found: list[Shown]) -> None:
    properties = element.find(DOC_PR)
    if properties is not None:
        if properties.get("hidden") in ("1", "true"):
            return
        around = _Around(clean_alt(properties.get("descr")) or clean_alt(properties.get("title")))
    _search(element, around, found)


def _group(element: Element, around: _Around, found: list[Shown]) -> None:
    _search(element, _Around(around.alt, grouped=True), found)


def _picture(element: Element, around: _Around, found: list[Shown]) -> None:
    """In a group the picture's own text says more than the group's; alone it is often the file's name."""
    properties = next(element.iter(PIC_PR), None)
    own = (
        "" if properties is None else clean_alt(properties.get("descr")) or clean_alt(properties.get("title"))
    )
    alt = (own or around.alt) if around.grouped else (around.alt or own)
    _search(element, _Around(alt, around.grouped), found)


def _blip(element: Element, around: _Around, found: list[Shown]) -> None:
    reference = element.get(REL_EMBED) or element.get(REL_LINK)
    found.append(Shown(Kind.PICTURE, element, reference, around.alt))


def _image_data(element: Element, around: _Around, found: list[Shown]) -> None:
    alt = around.alt or clean_alt(element.get(OFFICE_TITLE))
    found.append(Shown(Kind.PICTURE, element, element.get(REL_ID), alt))


def _words(element: Element, _: _Around, found: list[Shown]) -> None:
    found.append(Shown(Kind.WORDS, element, text=element.get("string", "")))


_READERS: dict[str, Callable[[Element, _Around, list[Shown]], None]] = {
    ALTERNATE: lambda element, around, found: _search(branch(element), around, found),
    INLINE: _frame,
    ANCHOR: _frame,
    GROUPED: _group,
    PIC: _picture,
    BLIP: _blip,
    IMAGE_DATA: _image_data,
    TEXT_PATH: _words,
    TEXT_BOX: lambda element, _, found: found.append(Shown(Kind.TEXT_BOX, element)),
    CHART_REF: lambda element, _, found: found.append(Shown(Kind.CHART, element, element.get(REL_ID))),
    DIAGRAM_REF: lambda element, _, found: found.append(Shown(Kind.DIAGRAM, element, element.get(REL_DM))),
}


def clean_alt(text: str | None) -> str:
    """One line, at most _MAX_ALT characters; empty where it tells a path on somebody's disk."""
    if not text or _PRIVATE_PATH.search(text):
        return ""
    return " ".join(clean(text[:_MAX_ALT]).split())
