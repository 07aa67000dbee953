"""What of a reading is kept: the text and the figures as blobs, the facts in the catalog."""

from __future__ import annotations

import hashlib
from typing import Any

from refdesk.blobs import Blobs
from refdesk.catalog.document_rows import Content
from refdesk.reading.model import Figure, Reading


def store_reading(blobs: Blobs, document: str, files: str, reading: Reading) -> None:
    """A picture that is drawn again is stored once (D12)."""
    blobs.put(document, files, "text", reading.text.encode())
    for sha256, webp in {_sha256(figure.webp): figure.webp for figure in reading.figures}.items():
        blobs.put(document, files, figure_part(sha256), webp)


def figure_part(sha256: str) -> str:
    return f"figures/{sha256}.webp"


def content_of(raw: bytes, reading: Reading | None, content_type: str | None) -> Content:
    """The facts of a version; without a reading those that its bytes alone tell."""
    if reading is None:
        return Content(_sha256(raw), len(raw), None, None, None, [], declared_type=content_type)
    return Content(
        sha256=_sha256(raw),
        bytes=len(raw),
        chars=len(reading.text),
        passages=None,
        pages=[(page.number, page.start, page.end) for page in reading.pages],
        notes=reading.notes,
        figures=[_facts(figure) for figure in reading.figures],
        declared_type=content_type,
    )


def _facts(figure: Figure) -> dict[str, Any]:
    return {
        "number": figure.number,
        "label": figure.label,
        "page": figure.page,
        "width": figure.width,
        "height": figure.height,
        "sha256": _sha256(figure.webp),
    }


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
