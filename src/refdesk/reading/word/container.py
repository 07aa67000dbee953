"""The package (OPC, ECMA-376 part 2): a zip of parts, their content types and relationships."""

from __future__ import annotations

import io
import posixpath
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from refdesk.reading.problem import Problem
from refdesk.reading.word import xml
from refdesk.reading.word.model import WordLimits

_CHUNK, _PROLOG = 262_144, 4_096
_CENTRAL_ENTRY, _CENTRAL_END = b"PK\x01\x02", b"PK\x05\x06"
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_ENCRYPTED = 0x1
# Everything zipfile raises for a file that is no zip, is cut, or lies about itself.
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
    OverflowError,
    LookupError,
)
CONTENT_TYPES = "[content_types].xml"


class TooLarge(Exception):
    """A part is larger than the caller takes."""


class BudgetSpent(Exception):
    """The document's parts together are larger than the limits allow."""


@dataclass(frozen=True, slots=True)
class Relationship:
    """``kind`` is the last step of the type's address (``image``), the same in Strict and Transitional.

    ``target`` is a part's name, or for ``external`` the address as written.
    """

    kind: str
    target: str
    external: bool


def part_name(path: str) -> str:
    """A part's name as it is compared: no leading slash, ``/`` only, unquoted, without case."""
    path = unquote(path.replace("\\", "/"))
    return posixpath.normpath("/" + path).lstrip("/").lower()


def resolve(source: str, target: str) -> str:
    """A relationship's target as a part's name; relative ones start in the source's folder."""
    target = target.replace("\\", "/").partition("#")[0]
    return part_name(target if target.startswith("/") else f"{posixpath.dirname(source)}/{target}")


class Package:
    """Raises ``Problem("damaged")`` for a zip that cannot be read or passes a limit."""

    def __init__(self, data: bytes, limits: WordLimits) -> None:
        self._limits = limits
        self._left = limits.max_total_bytes
        self._refuse_entries(data)
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except _BROKEN as error:
            raise Problem(
                "damaged", "The Word file is damaged: it is cut off or is no whole zip file."
            ) from error
        self._entries: dict[str, zipfile.ZipInfo] = {}
        for entry in self._zip.infolist():
            self._entries.setdefault(part_name(entry.filename), entry)
        self._types: dict[str, str] | None = None
        self._relationships: dict[str, dict[str, Relationship]] = {}
        self._parsed: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def xml(self, name: str) -> Element:
        self._parsed.add(name)
        return xml.parse(b"".join(self._part(name)), name, self._limits)

    def optional_xml(self, name: str | None) -> Element | None:
        return self.xml(name) if name is not None and name in self._entries else None

    def relationships(self, source: str) -> dict[str, Relationship]:
        """By id; the package's own are those of the source ``""``."""
        if source not in self._relationships:
            self._relationships[source] = self._read_relationships(source)
        return self._relationships[source]

    def _read_relationships(self, source: str) -> dict[str, Relationship]:
        folder, _, name = source.rpartition("/")
        root = self.optional_xml(part_name(f"{folder}/_rels/{name}.rels"))
        found: dict[str, Relationship] = {}
        for element in () if root is None else root:
            identity, target = element.get("Id"), element.get("Target")
            if identity is None or target is None:
                continue
            external = element.get("TargetMode", "").lower() == "external"
            kind = element.get("Type", "").rpartition("/")[2]
            found.setdefault(
                identity, Relationship(kind, target if external else resolve(source, target), external)
            )
        return found

    def content_type(self, name: str) -> str:
        """Lower case, without parameters; empty where none is given."""
        types = self.content_types()
        return types.get("/" + name) or types.get(name.rpartition(".")[2], "")

    def content_types(self) -> dict[str, str]:
        """By ``/part name`` (override) and by extension (default)."""
        if self._types is None:
            self._types = {}
            root = self.optional_xml(CONTENT_TYPES)
            for element in () if root is None else root:
                part, extension = element.get("PartName"), element.get("Extension")
                key = "/" + part_name(part) if part else (extension or "").lower()
                self._types.setdefault(key, element.get("ContentType", "").partition(";")[0].strip().lower())
        return self._types

    def refuse_doctypes(self) -> None:
        """A DOCTYPE is refused in any part, also in those that were not read."""
        for name in self._entries:
            if name.endswith((".xml", ".rels")) and name not in self._parsed:
                xml.refuse_doctype(self._part(name, _PROLOG), name)

    def _part(self, name: str, chunk_bytes: int = _CHUNK) -> Iterator[bytes]:
        limits = self._limits
        try:
            yield from self.chunks(name, limits.max_part_bytes, chunk_bytes)
        except TooLarge as error:
            raise Problem(
                "damaged",
                f"The Word file's part {name} unpacks to more than {limits.max_part_bytes:,} bytes.",
                limits.max_part_bytes,
            ) from error
        except BudgetSpent as error:
            raise Problem(
                "damaged",
                f"The Word file unpacks to more than {limits.max_total_bytes:,} bytes.",
                limits.max_total_bytes,
            ) from error

    def chunks(self, name: str, limit: int, chunk_bytes: int = _CHUNK) -> Iterator[bytes]:
        """The part's bytes. Counts what comes out: the declared size may lie.

        Raises TooLarge, BudgetSpent or ``Problem``.
        """
        entry = self._entries[name]
        if entry.flag_bits & _ENCRYPTED:
            raise Problem(
                "password_protected",
                "The Word file is a zip file with a password: save it without one and add it again.",
            )
        if entry.compress_type not in _METHODS:
            raise Problem(
                "damaged", f"The Word file is damaged: its part {name} is packed in an unknown way."
            )
        try:
            with self._zip.open(entry) as stream:
                while chunk := stream.read(chunk_bytes):
                    limit -= len(chunk)
                    self._left -= len(chunk)
                    if limit < 0:
                        raise TooLarge
                    if self._left < 0:
                        raise BudgetSpent
                    yield chunk
        except _BROKEN as error:
            raise Problem(
                "damaged", f"The Word file is damaged: its part {name} cannot be unpacked."
            ) from error

    def _refuse_entries(self, data: bytes) -> None:
        """Counted in the central directory itself, before an object is made of each."""
        end = data.rfind(_CENTRAL_END)
        if end < 0:
            return
        size = int.from_bytes(data[end + 12 : end + 16], "little")
        count = data.count(_CENTRAL_ENTRY, max(0, end - size), end)
        if count > self._limits.max_entries:
            raise Problem(
                "damaged",
                f"The Word file has {count:,} parts; at most {self._limits.max_entries:,} are read.",
                self._limits.max_entries,
                count,
            )
