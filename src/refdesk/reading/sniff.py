"""What a file is by its content, whatever its name says. Standard library only; runs in the child."""

from __future__ import annotations

import re
import zipfile
import zlib
from io import BytesIO

from refdesk.reading.problem import Problem

_PDF_HEADER_WITHIN = 1024
_CONTENT_TYPES_BYTES = 1024 * 1024

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_MAGIC: tuple[tuple[bytes, str], ...] = (
    (_OLE, "an older Office file"),
    (_ZIP[0], "a zip package"),
    (_ZIP[1], "a zip package"),
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF87a", "a GIF image"),
    (b"GIF89a", "a GIF image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"\x1f\x8b", "a gzip file"),
    (b"{\\rtf", "an RTF document"),
)
_HTML = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html|head|body|!--)", re.IGNORECASE)
_PDF_START = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*%PDF-\d\.\d\s")
_WORD_MAIN = b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
_PACKAGES: tuple[tuple[bytes, str], ...] = (
    (b"macroEnabled.main+xml", "a document with macros; save it as .docx"),
    (b"wordprocessingml.template.main+xml", "a Word template; save it as .docx"),
    (b"spreadsheetml", "a spreadsheet"),
    (b"presentationml", "a slide show"),
)


def check_content(kind: str, extension: str, data: bytes) -> None:
    """``Problem`` where the content is not what ``kind`` (for an image: ``extension``) claims."""
    if not data:
        raise Problem("no_text", "The file is empty (0 bytes); add one that has content.")
    _CHECKS[kind](data, extension)


def looks_like(data: bytes) -> str | None:
    """What the first bytes say, in words; ``None`` for text and for what is not known here."""
    for magic, words in _MAGIC:
        if data.startswith(magic):
            return words
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "a WebP image"
    if _PDF_START.match(data[:_PDF_HEADER_WITHIN]):
        return "a PDF"
    return None


def _text(data: bytes, extension: str) -> None:
    if (found := looks_like(data)) is not None:
        raise _wrong(extension, found)


def _pdf(data: bytes, extension: str) -> None:
    if b"%PDF-" in data[:_PDF_HEADER_WITHIN]:
        return
    if (found := looks_like(data)) is not None:
        raise _wrong(extension, found)
    if _HTML.match(data):
        raise _wrong(extension, "an HTML page")
    raise Problem("damaged", "The file has no PDF header in its first 1,024 bytes; export the PDF again.")


def _image(data: bytes, extension: str) -> None:
    found = looks_like(data)
    wanted = {"png": "a PNG image", "jpg": "a JPEG image", "webp": "a WebP image"}[extension]
    if found == wanted:
        return
    if found is None and not _HTML.match(data):
        raise Problem("image_decode", f"The file does not begin as {wanted} does; export the image again.")
    raise _wrong(extension, found or "an HTML page")


def _word(data: bytes, extension: str) -> None:
    if data.startswith(_OLE):
        # The name of the stream that holds the whole encrypted package, as OLE directories write names.
        if "EncryptedPackage".encode("utf-16-le") in data:
            raise Problem(
                "password_protected", "The Word file is encrypted; remove its password and add it again."
            )
        raise _wrong(extension, "an older Office file; save it as .docx")
    if not data.startswith(_ZIP):
        found = looks_like(data) or ("an HTML page" if _HTML.match(data) else None)
        if found is None:
            raise Problem("damaged", "The file is no Word package; save it as .docx again.")
        raise _wrong(extension, found)
    _word_package(data, extension)


def _word_package(data: bytes, extension: str) -> None:
    try:
        with zipfile.ZipFile(BytesIO(data)) as package:
            types = _content_types(package)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, OSError, ValueError, RuntimeError):
        raise Problem(
            "damaged", "The Word package cannot be opened; save the document again in a word processor."
        ) from None
    if _WORD_MAIN in types:
        return
    raise _wrong(
        extension, next((words for mark, words in _PACKAGES if mark in types), "another zip package")
    )


def _content_types(package: zipfile.ZipFile) -> bytes:
    """The part that says what a package holds; empty where there is none."""
    for entry in package.infolist():
        if entry.filename.lower() == "[content_types].xml":
            with package.open(entry) as part:
                # UTF-16 is allowed here: without its zero bytes the names read the same.
                return part.read(_CONTENT_TYPES_BYTES).replace(b"\x00", b"")
    return b""


def _wrong(extension: str, found: str) -> Problem:
    return Problem("wrong_type", f"The name says .{extension} but the content is {found}.")


_CHECKS = {"markdown": _text, "text": _text, "pdf": _pdf, "image": _image, "word": _word}
