"""XML of a hostile document: no DOCTYPE, bounded in elements and depth, Strict names made Transitional."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from xml.etree import ElementTree
from xml.etree.ElementTree import Element
from xml.parsers import expat
from xml.parsers.expat import XMLParserType

from refdesk.reading.problem import Problem
from refdesk.reading.word.model import WordLimits
from refdesk.reading.word.names import STRICT

_CHUNK = 4_096
# The first element after declarations and comments only; each is taken whole: (?>…) has no other reading.
_PLAIN_START = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:(?><\?.*?\?>|<!--.*?-->)\s*)*+<[A-Za-z_]", re.DOTALL)
_STRICT_MARK = "http://purl.oclc.org/ooxml/"
_OFF = frozenset({"0", "false", "off"})


def parse(data: bytes, part: str, limits: WordLimits) -> Element:
    """The part's root. Raises ``Problem("damaged")`` for what is not XML, has a DOCTYPE or passes a limit."""
    refuse_doctype([data], part)
    _refuse_elements(data, part, limits)
    try:
        root = ElementTree.fromstring(data)  # noqa: S314 - no DOCTYPE, so no entities
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise Problem(
            "damaged", f"The Word file is damaged: its part {part} is not well-formed XML."
        ) from error
    _refuse_depth(root, part, limits)
    if _is_strict(root):
        _to_transitional(root)
    return root


def refuse_doctype(chunks: Iterable[bytes], part: str) -> None:
    """Reads up to the first element: a DOCTYPE can only stand before it."""
    parser = expat.ParserCreate()
    started: list[str] = []

    def doctype(*_: object) -> None:
        raise Problem(
            "damaged", f"The Word file is damaged: its part {part} has a DOCTYPE, which is not read."
        )

    parser.StartDoctypeDeclHandler = doctype
    parser.StartElementHandler = lambda name, _: started.append(name)
    remaining = iter(chunks)
    first = next(remaining, b"")
    if _PLAIN_START.match(first):
        return
    for _ in _steps(parser, chain([first], remaining)):
        if started:
            return


def _steps(parser: XMLParserType, chunks: Iterable[bytes]) -> Iterator[None]:
    """Feeds the parser, to its end or to what is not XML: that is told by whoever needs the part.

    The end has to be told: newer versions of expat hold long tokens back until then.
    """
    try:
        for chunk in chunks:
            for offset in range(0, len(chunk), _CHUNK):
                parser.Parse(chunk[offset : offset + _CHUNK], False)
                yield
        parser.Parse(b"", True)
    except (expat.ExpatError, ValueError, LookupError):
        return
    yield


def _refuse_elements(data: bytes, part: str, limits: WordLimits) -> None:
    """Counts before the tree is built: a million empty elements take 4 MB of file and 100 MB of memory."""
    if data.count(b"<") <= limits.max_elements:
        return
    parser = expat.ParserCreate()
    count = 0

    def start(*_: object) -> None:
        nonlocal count
        count += 1

    parser.StartElementHandler = start
    for _ in _steps(parser, [data]):
        if count > limits.max_elements:
            raise Problem(
                "damaged",
                f"The Word file's part {part} has more than {limits.max_elements:,} XML elements.",
                limits.max_elements,
                count,
            )


def _refuse_depth(root: Element, part: str, limits: WordLimits) -> None:
    depth, level = 0, [root]
    while level:
        depth += 1
        if depth > limits.max_depth:
            raise Problem(
                "damaged",
                f"The Word file's part {part} nests more than {limits.max_depth} elements deep.",
                limits.max_depth,
                depth,
            )
        level = [child for parent in level for child in parent]


def _is_strict(root: Element) -> bool:
    return any(_STRICT_MARK in name for name in (root.tag, *root.attrib)) or any(
        _STRICT_MARK in child.tag for child in root
    )


def _to_transitional(root: Element) -> None:
    known: dict[str, str] = {}

    def name(strict: str) -> str:
        if strict not in known:
            space, _, local = strict.removeprefix("{").rpartition("}")
            known[strict] = f"{{{STRICT[space]}}}{local}" if space in STRICT else strict
        return known[strict]

    for element in root.iter():
        element.tag = name(element.tag)
        if element.attrib:
            attributes = {name(key): value for key, value in element.attrib.items()}
            element.attrib.clear()
            element.attrib.update(attributes)


def is_on(element: Element | None, name: str) -> bool | None:
    """A switch such as ``<w:vanish w:val="0"/>``: None where it is absent, on where it has no value."""
    if element is None:
        return None
    return element.get(name, "1").lower() not in _OFF


def integer(value: str | None, default: int, low: int, high: int) -> int:
    """Numbers of a hostile file: what is none is ``default``, what is out of range is the nearest in it."""
    try:
        number = int(value) if value is not None else default
    except ValueError:
        return default
    return max(low, min(high, number))
