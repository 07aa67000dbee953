"""Whether a file is a Word document (.docx), and if not, what it is instead."""

from __future__ import annotations

import io
import zipfile

from refdesk.reading.problem import Problem
from refdesk.reading.word.container import Package

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06")
_ZIP_TRACES = (b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06")
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
# By what the content type of the main part holds, in this order.
_OTHERS = (
    ("ms-word.document.macroenabled", "a Word document with macros (.docm)"),
    ("ms-word.template", "a Word template with macros (.dotm)"),
    ("wordprocessingml.template", "a Word template (.dotx)"),
    ("spreadsheetml", "a spreadsheet"),
    ("ms-excel", "a spreadsheet"),
    ("presentationml", "a presentation"),
    ("ms-powerpoint", "a presentation"),
    ("visio", "a drawing"),
)
# Content types that say nothing: then the part's own root element decides.
_UNSAID = frozenset({"", "application/xml", "text/xml", "application/octet-stream"})


def refuse_other_files(data: bytes) -> None:
    """By the first bytes: empty files, OLE (old .doc, or encrypted), and whatever is no zip."""
    if not data:
        raise Problem("no_text", "The Word file is empty: it has 0 bytes.")
    if data.startswith(_OLE):
        if _OLE_ENCRYPTED in data:
            raise Problem(
                "password_protected", "The Word file needs a password: save it without one and add it again."
            )
        raise _wrong("an old binary Office file (such as .doc)")
    if data.startswith(_ZIP_STARTS) or zipfile.is_zipfile(io.BytesIO(data)):
        return
    if any(trace in data for trace in _ZIP_TRACES):
        raise Problem("damaged", "The Word file is damaged: its beginning and its directory cannot be read.")
    raise _wrong("no zip file, which every .docx is")


def main_part(package: Package) -> str:
    """The document's own part, by the package's relationships, whatever it is called."""
    targets = [link for link in package.relationships("").values() if link.kind == "officeDocument"]
    name = next((link.target for link in targets if not link.external), None)
    if name is None:
        overrides = package.content_types().items()
        name = next((part[1:] for part, kind in overrides if kind == _WORD and part.startswith("/")), None)
    if name is None:
        raise _wrong("a zip file of another kind")
    kind = package.content_type(name)
    if kind != _WORD and kind not in _UNSAID:
        raise _wrong(next((what for mark, what in _OTHERS if mark in kind), "an Office file of another kind"))
    if name not in package:
        raise Problem("damaged", f"The Word file is damaged: its main part {name} is missing.")
    return name


def _wrong(what: str) -> Problem:
    return Problem("wrong_type", f"The file is named .docx but is {what}: save it as .docx and add it again.")
