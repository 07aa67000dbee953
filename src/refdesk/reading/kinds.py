"""Which kind of document a name and a declared type announce, and whether the policy takes it.

Both are checked before a byte of the body is read. What the body really is, the child checks (``sniff``).
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import NamedTuple

from refdesk.errors import Refusal
from refdesk.policy.model import Kind, Policy


class Format(NamedTuple):
    """A kind with the one extension that stands for it, its content type, and the others that agree."""

    kind: Kind
    extension: str
    type: str
    others: frozenset[str] = frozenset()

    def agrees(self, declared: str) -> bool:
        return declared == self.type or declared in self.others


_MARKDOWN = Format("markdown", "md", "text/markdown", frozenset({"text/x-markdown", "text/plain"}))
_TEXT = Format("text", "txt", "text/plain")
_WORD = Format("word", "docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document")
_PDF = Format("pdf", "pdf", "application/pdf", frozenset({"application/x-pdf"}))
_PNG = Format("image", "png", "image/png", frozenset({"image/x-png"}))
_JPEG = Format("image", "jpg", "image/jpeg", frozenset({"image/jpg", "image/pjpeg"}))
_WEBP = Format("image", "webp", "image/webp")

_BY_EXTENSION = {
    "md": _MARKDOWN,
    "txt": _TEXT,
    "docx": _WORD,
    "pdf": _PDF,
    "png": _PNG,
    "jpg": _JPEG,
    "jpeg": _JPEG,
    "webp": _WEBP,
}
_FORMATS = (_TEXT, _MARKDOWN, _WORD, _PDF, _PNG, _JPEG, _WEBP)

_CALLED: dict[Kind, str] = {
    "markdown": "Markdown",
    "text": "text",
    "word": "a Word document",
    "pdf": "a PDF",
    "image": "an image",
}

_SAYS_NOTHING = frozenset({"", "application/octet-stream", "binary/octet-stream", "application/x-download"})

_OTHERS = (
    "7z bmp csv doc docm dot dotm dotx eml emf epub exe gif gz heic htm html ico json key mht mhtml msg "
    "numbers odg odp ods odt pages potx pps ppsx ppt pptm pptx ps rar rtf svg tar tif tiff tsv vsd vsdx wmf "
    "wps xls xlsb xlsm xlsx xml xps zip"
)
_NOT_READ = frozenset(_OTHERS.split())
"""Extensions that say what a file is, so that no declared type can make it something else."""


def kind_of(name: str, declared_type: str | None, policy: Policy) -> Kind:
    """The kind that both announce; a ``Refusal`` where they disagree or the policy does not read it."""
    return format_of(name, declared_type, policy).kind


def format_of(name: str, declared_type: str | None, policy: Policy) -> Format:
    extension = _extension(name)
    declared = plain_type(declared_type) or ""
    found = _BY_EXTENSION.get(extension) or _by_type(extension, declared)
    if found is None or found.kind not in policy.documents.kinds:
        raise _unsupported(extension, declared, policy)
    if declared and not found.agrees(declared):
        raise Refusal(
            f"The name ends in .{extension} but the declared type is {declared}; "
            "make the two agree, or declare no type.",
            code="wrong_type",
        )
    return found


def plain_type(declared_type: str | None) -> str | None:
    """A content type without its parameters; ``None`` for one that says nothing."""
    declared = (declared_type or "").partition(";")[0].strip().lower()
    return None if declared in _SAYS_NOTHING else declared


def check_size(kind: Kind, size: int, policy: Policy) -> None:
    """``size`` in bytes: of the whole file, or of what has arrived so far."""
    limit = policy.documents.max_bytes[kind]
    if size > limit:
        raise Refusal(
            f"The file has {size:,} bytes and the limit for {_CALLED[kind]} is {limit:,}; "
            "make it smaller or split it, and add it again.",
            code="too_large",
            limit=limit,
            actual=size,
        )


def _extension(name: str) -> str:
    return PurePosixPath(name.replace("\\", "/")).suffix.lower().lstrip(".")


def _by_type(extension: str, declared: str) -> Format | None:
    if extension in _NOT_READ:
        return None
    return next((each for each in _FORMATS if each.agrees(declared)), None)


def _unsupported(extension: str, declared: str, policy: Policy) -> Refusal:
    if extension:
        what = f".{extension} files are not read here"
    elif declared:
        what = f"Files of the type {declared} are not read here"
    else:
        what = "The name has no extension and no type was declared"
    read = [f".{each}" for each, its in _BY_EXTENSION.items() if its.kind in policy.documents.kinds]
    return Refusal(f"{what}; the policy {policy.name} reads {', '.join(read)}.", code="unsupported_type")
