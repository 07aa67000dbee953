"""A Word file as Markdown text with its pictures: opens the package, reads the body, then the notes."""

from __future__ import annotations

import re

from refdesk.reading.problem import Problem
from refdesk.reading.word.characters import BREAK, clean, place_pictures
from refdesk.reading.word.container import Package
from refdesk.reading.word.images import Images
from refdesk.reading.word.kind import main_part, refuse_other_files
from refdesk.reading.word.length import Length
from refdesk.reading.word.markdown import Writer
from refdesk.reading.word.model import PICTURE_CLOSE, PICTURE_OPEN, WordLimits, WordText
from refdesk.reading.word.names import BODY, DOCUMENT
from refdesk.reading.word.notes import Notes
from refdesk.reading.word.numbering import Numbering
from refdesk.reading.word.source import Source
from refdesk.reading.word.story import Story
from refdesk.reading.word.styles import Styles

_CORE_TITLE = "{http://purl.org/dc/elements/1.1/}title"
_MAX_TITLE = 1_000
_REFERENCE = re.compile(r"\[\^[0-9]+\]")
_LINK = re.compile(r"\[((?:[^\[\]\\]|\\.)*)\]\([^()\s]*\)")


def read(data: bytes, limits: WordLimits) -> WordText:
    refuse_other_files(data)
    package = Package(data, limits)
    main = main_part(package)
    root = package.xml(main)
    if root.tag != DOCUMENT:
        raise Problem("damaged", "The Word file is damaged: its main part is no Word document.")
    source = _source(package, main, limits)
    length = Length(limits.max_characters)
    writer = Writer(length)
    body = root.find(BODY)
    writer.write(Story(source, main, root).blocks(() if body is None else body))
    _write_notes(source, writer)
    package.refuse_doctypes()
    if not writer.has_text:
        raise Problem("no_text", " ".join(["The Word document has no text.", *source.remarks.sentences()]))
    length.refuse_over()
    title = _plain(writer.title) or _core_title(package)
    return WordText(
        place_pictures(writer.text(), PICTURE_OPEN, PICTURE_CLOSE),
        title,
        source.images.drawn,
        source.remarks.sentences(),
    )


def _source(package: Package, main: str, limits: WordLimits) -> Source:
    parts: dict[str, str] = {}
    for link in package.relationships(main).values():
        if not link.external:
            parts.setdefault(link.kind, link.target)
    styles = Styles(package.optional_xml(parts.get("styles")))
    numbering = Numbering(package.optional_xml(parts.get("numbering")), styles)
    notes, images, length = Notes(package, parts), Images(package, limits), Length(limits.max_characters)
    return Source(package, styles, numbering, notes, images, length)


def _write_notes(source: Source, writer: Writer) -> None:
    stories: dict[str, Story] = {}
    for number, part, note in source.notes.referred():
        if part not in stories:
            stories[part] = Story(source, part, source.notes.root(part))
        writer.note(number, stories[part].blocks(note))


def _plain(title: str | None) -> str | None:
    """A heading as a title: without links, references to notes and line breaks."""
    plain = (
        _LINK.sub(r"\1", _REFERENCE.sub("", (title or "")[:_MAX_TITLE]))
        .replace(BREAK, " ")
        .replace("\\[", "[")
        .replace("\\]", "]")
    )
    return " ".join(clean(plain).split()) or None


def _core_title(package: Package) -> str | None:
    links = package.relationships("").values()
    name = next((link.target for link in links if link.kind == "core-properties" and not link.external), None)
    try:
        root = package.optional_xml(name)
    except Problem:
        return None  # a document is not refused for its card
    return None if root is None else _plain(root.findtext(_CORE_TITLE))
