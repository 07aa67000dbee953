"""Footnotes and endnotes, numbered together in the order in which the text refers to them."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from refdesk.reading.word.container import Package
from refdesk.reading.word.names import ENDNOTE_REF, FOOTNOTE_REF, w

_KINDS = {FOOTNOTE_REF: ("footnotes", w("footnote")), ENDNOTE_REF: ("endnotes", w("endnote"))}
_LINES = frozenset({"separator", "continuationSeparator", "continuationNotice"})


class Notes:
    """``parts`` are names by the kind of their relationship; a part is read when the text refers to it."""

    def __init__(self, package: Package, parts: dict[str, str]) -> None:
        self._package = package
        self._parts = parts
        self._roots: dict[str, Element] = {}
        self._notes: dict[str, dict[str, Element]] = {}
        self._numbers: dict[tuple[str, str], int] = {}

    def refer(self, reference: Element) -> int | None:
        """The note's number, from 1; None where there is no such note."""
        kind, tag = _KINDS[reference.tag]
        part = self._parts.get(kind)
        if part is None or part not in self._package:
            return None
        if part not in self._notes:
            self._roots[part] = self._package.xml(part)
            self._notes[part] = _by_id(self._roots[part], tag)
        identity = reference.get(w("id"), "")
        if identity not in self._notes[part]:
            return None
        return self._numbers.setdefault((part, identity), len(self._numbers) + 1)

    def referred(self) -> Iterator[tuple[int, str, Element]]:
        """Number, part and element of each. A note may refer to others while it is read."""
        done = 0
        while done < len(self._numbers):
            for (part, identity), number in list(self._numbers.items())[done:]:
                yield number, part, self._notes[part][identity]
                done += 1

    def root(self, part: str) -> Element:
        return self._roots[part]


def _by_id(root: Element, tag: str) -> dict[str, Element]:
    notes: dict[str, Element] = {}
    for note in root.iter(tag):
        if note.get(w("type")) not in _LINES:
            notes.setdefault(note.get(w("id"), ""), note)
    return notes
