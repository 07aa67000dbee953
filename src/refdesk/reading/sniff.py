"""What a file is by its content, whatever its name says. The Word reader looks into its packages itself."""

from __future__ import annotations

import re

from refdesk.reading.problem import Problem

_PDF_HEADER_WITHIN = 1024

_OLE_FILE = "an older Office file"
_ZIP_FILE = "a zip package"
_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", _OLE_FILE),
    (b"PK\x03\x04", _ZIP_FILE),
    (b"PK\x05\x06", _ZIP_FILE),
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
_PDF_START = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*%PDF-\d\.\d[ \t]*[\r\n]")


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
    """What an OLE file or a zip package is, the Word reader finds out."""
    found = looks_like(data)
    if found is not None and found not in (_OLE_FILE, _ZIP_FILE):
        raise _wrong(extension, found)


def _wrong(extension: str, found: str) -> Problem:
    return Problem(
        "wrong_type",
        f"The name says .{extension} but the content is {found}; name it as what it is, or export it as "
        f".{extension}.",
    )


_CHECKS = {"markdown": _text, "text": _text, "word": _word, "pdf": _pdf, "image": _image}
