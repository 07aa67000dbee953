"""Footnotes and endnotes, numbered together in the order in which the text refers to them."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from refdesk.reading.word.container import Package
from refdesk.reading.word.names import ENDNOTE_REF, FOOTNOTE_REF, w

_KINDS = {FOOTNOTE_REF: ("footnotes", w("footnote")), ENDNOTE_REF: ("endnotes", w("endnote"))}
_LINES = frozenset({"separator", "continuationSeparator", "continuationNotice"})


class Notes:
    """``parts`` are the parts' names by the kind of their relationship: footnotes, endnotes."""

    def __init__(self, package: Package, parts: dict[str, str]) -> None:
        self._notes: dict[str, dict[str, Element]] = {}
        self._numbers: dict[tuple[str, str], int] = {}
        self.roots: dict[str, Element] = {}
        for kind, tag in _KINDS.values():
            root = package.optional_xml(parts.get(kind))
            self._notes[kind] = {} if root is None else _by_id(root, tag)
            if root is not None:
                self.roots[kind] = root

    def refer(self, reference: Element) -> int | None:
        """The note's number, from 1; None where there is no such note."""
        kind, _ = _KINDS[reference.tag]
        identity = reference.get(w("id"), "")
        if identity not in self._notes[kind]:
            return None
        return self._numbers.setdefault((kind, identity), len(self._numbers) + 1)

    def referred(self) -> Iterator[tuple[int, str, Element]]:
        """Number, kind and element of each. A note may refer to others while they are read."""
        done = 0
        while done < len(self._numbers):
            for (kind, identity), number in list(self._numbers.items())[done:]:
                yield number, kind, self._notes[kind][identity]
                done += 1


def _by_id(root: Element, tag: str) -> dict[str, Element]:
    notes: dict[str, Element] = {}
    for note in root.iter(tag):
        if note.get(w("type")) not in _LINES:
            notes.setdefault(note.get(w("id"), ""), note)
    return notes
