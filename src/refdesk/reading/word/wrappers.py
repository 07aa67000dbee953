"""Elements that only wrap: content controls, tracked changes, alternatives, smart tags."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from refdesk.reading.word.names import (
    ALTERNATE,
    BLIP,
    CHART_REF,
    CUSTOM_XML,
    DIAGRAM_REF,
    IMAGE_DATA,
    INS,
    M_T,
    MOVE_TO,
    SDT,
    SDT_CONTENT,
    SMART_TAG,
    SYM,
    TEXT_PATH,
    T,
    w,
)

# Their children stand where they stand. w:del and w:moveFrom are not among them: what is in them is gone.
TRANSPARENT = (INS, MOVE_TO, CUSTOM_XML, SMART_TAG, w("bdo"), w("dir"))
_READABLE = frozenset({T, SYM, M_T, BLIP, IMAGE_DATA, TEXT_PATH, CHART_REF, DIAGRAM_REF})


def branch(alternate: Element) -> Element | tuple[()]:
    """The one branch of an mc:AlternateContent to read: the first that holds anything we can read.

    Writers put the same text box into every branch, once as a drawing and once as VML.
    """
    for choice in alternate:
        if any(element.tag in _READABLE for element in choice.iter()):
            return choice
    return ()


def unwrap(element: Element) -> Element | tuple[()] | None:
    """What stands inside a wrapper; None where the element is none."""
    if element.tag in TRANSPARENT:
        return element
    if element.tag == SDT:
        content = element.find(SDT_CONTENT)
        return () if content is None else content
    return branch(element) if element.tag == ALTERNATE else None


def wrapped(parent: Element | tuple[()], tag: str) -> Iterator[Element]:
    """The parent's children of that tag, also those in wrappers, in order."""
    for child in parent:
        if child.tag == tag:
            yield child
            continue
        inner = unwrap(child)
        if inner is not None:
            yield from wrapped(inner, tag)
