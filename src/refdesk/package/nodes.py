"""YAML as it stands in a file: values with their places, and nothing made of them yet.

Aliases and merge keys are followed; a key written twice, and aliases that unfold without end, are told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import yaml

from refdesk.package.findings import Findings, Place, Source

MOST_DEPTH = 32
MOST_NODES = 20_000
"""Values of one file, with every alias unfolded."""

TAG = "tag:yaml.org,2002:"
_READ = {"str", "int", "float", "bool", "null", "timestamp", "merge", "value", "map", "seq"}


@dataclass(frozen=True, slots=True)
class Scalar:
    """``text`` is the value before YAML makes anything of it, ``written`` is it as it stands in the file;
    ``tag`` is what YAML takes it for (``str``, ``bool``, ``int`` ...)."""

    place: Place
    text: str
    written: str
    tag: str


@dataclass(frozen=True, slots=True)
class Items:
    place: Place
    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """``place`` is the key's."""

    place: Place
    key: str
    value: Node


@dataclass(frozen=True, slots=True)
class Mapping:
    place: Place
    entries: dict[str, Entry]


Node: TypeAlias = Scalar | Items | Mapping


class Unreadable(Exception):
    """The file cannot be read further than ``place``."""

    def __init__(self, place: Place, message: str) -> None:
        super().__init__(message)
        self.place = place
        self.message = message


def read(source: Source, findings: Findings) -> Node | None:
    """``None`` where the file has no value, or could not be read: then an error says so."""
    try:
        composed = _composed(source)
        return None if composed is None else _Unfolding(source, findings).node(composed)
    except Unreadable as error:
        findings.error(error.place, "yaml", error.message)
    return None


def _composed(source: Source) -> yaml.Node | None:
    try:
        _check_depth(source)
        composed: yaml.Node | None = yaml.compose(source.text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        raise _unreadable(source, error) from None
    except yaml.reader.ReaderError as error:
        place = source.place(error.position)
        sign = error.character if isinstance(error.character, str) else chr(error.character)
        raise Unreadable(
            place, f"The character U+{ord(sign):04X} is not read in YAML: take it out."
        ) from None
    return composed


def _check_depth(source: Source) -> None:
    """Before anything is composed, which calls itself for each level."""
    depth = 0
    for event in yaml.parse(source.text, Loader=yaml.SafeLoader):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > MOST_DEPTH:
            place = source.place(event.start_mark.index)
            raise Unreadable(place, f"The values are nested more than {MOST_DEPTH} deep: nothing here is.")


def _unreadable(source: Source, error: yaml.MarkedYAMLError) -> Unreadable:
    mark = error.problem_mark or error.context_mark
    index = mark.index if mark else 0
    problem = error.problem or "the text is no YAML"
    if source.text[index : index + 1] == "\t" or "'\\t'" in problem:
        return Unreadable(source.place(index), "A tab stands where YAML wants spaces: indent with spaces.")
    if "undefined alias" in problem:
        return Unreadable(source.place(index), f"The file is no YAML here: {problem}, which no anchor names.")
    if index >= len(source.text.rstrip()) and (opened := _never_closed(source)) is not None:
        return Unreadable(source.place(opened), f"What begins here does not end: {problem}.")
    context = f" {error.context}," if error.context else ""
    return Unreadable(source.place(index), f"The file is no YAML here:{context} {problem}.")


def _never_closed(source: Source) -> int | None:
    """The innermost bracket or quote that is open where the text ends."""
    opened: list[int] = []
    try:
        for token in yaml.scan(source.text, Loader=yaml.SafeLoader):
            if isinstance(token, (yaml.FlowSequenceStartToken, yaml.FlowMappingStartToken)):
                opened.append(token.start_mark.index)
            elif isinstance(token, (yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken)) and opened:
                opened.pop()
    except yaml.MarkedYAMLError as error:
        if error.context_mark is not None:
            opened.append(error.context_mark.index)
    return opened[-1] if opened else None


class _Unfolding:
    def __init__(self, source: Source, findings: Findings) -> None:
        self._source = source
        self._findings = findings
        self._nodes = 0
        self._open: set[int] = set()

    def node(self, composed: yaml.Node) -> Node:
        place = self._source.place(composed.start_mark.index)
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise Unreadable(place, f"The aliases unfold to more than {MOST_NODES:,} values: write them out.")
        tag = composed.tag.removeprefix(TAG)
        if tag not in _READ:
            written = self._source.text[composed.start_mark.index :].split(maxsplit=1)[0]
            raise Unreadable(place, f"`{written[:80]}` is a tag, and none is read here: take it away.")
        if isinstance(composed, yaml.ScalarNode):
            written = self._source.text[composed.start_mark.index : composed.end_mark.index]
            return Scalar(place, composed.value, written.strip(), tag)
        if id(composed) in self._open:
            raise Unreadable(place, "What begins here holds an alias of itself, which has no end.")
        if len(self._open) >= MOST_DEPTH:
            raise Unreadable(place, f"With their aliases the values are nested more than {MOST_DEPTH} deep.")
        self._open.add(id(composed))
        try:
            if isinstance(composed, yaml.SequenceNode):
                return Items(place, tuple(self.node(one) for one in composed.value))
            return self._mapping(composed, place)
        finally:
            self._open.discard(id(composed))

    def _mapping(self, composed: yaml.Node, place: Place) -> Mapping:
        entries: dict[str, Entry] = {}
        merged: list[Mapping] = []
        for key, value in composed.value:
            at = self._source.place(key.start_mark.index)
            if not isinstance(key, yaml.ScalarNode):
                raise Unreadable(at, "A key is a list or a mapping, and keys here are words.")
            if key.tag == f"{TAG}merge":
                merged += self._merged(value)
                continue
            if key.value in entries:
                first = entries[key.value].place.line
                self._findings.error(
                    at,
                    "duplicate_key",
                    f"`{key.value}` stands here a second time; the first is in line {first}.",
                )
                continue
            entries[key.value] = Entry(at, key.value, self.node(value))
        for other in merged:
            for name, entry in other.entries.items():
                entries.setdefault(name, entry)
        return Mapping(place, entries)

    def _merged(self, value: yaml.Node) -> Iterator[Mapping]:
        """Those that stand first win, and what is written out wins over all."""
        several = value.value if isinstance(value, yaml.SequenceNode) else [value]
        for one in several:
            node = self.node(one)
            if not isinstance(node, Mapping):
                raise Unreadable(node.place, "`<<` merges mappings, and this is none.")
            yield node
