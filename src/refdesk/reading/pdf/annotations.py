"""Form values and free-text notes: words that people see on a page but that are no page text.

Read from the annotations themselves; the form engine, which can loop for ever, is never started. Comments
(pop-ups, highlights) are talk about the document and stay out, as they do in Word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pypdfium2.raw as pdfium_c

from refdesk.reading.clean import one_line

_UNSEEN = pdfium_c.FPDF_ANNOT_FLAG_HIDDEN | pdfium_c.FPDF_ANNOT_FLAG_NOVIEW
_PASSWORD_FIELD = 1 << 13
_PARENTS = 8


def annotation_lines(page: Any) -> list[str]:
    """``Label: value`` for each filled-in field, and the words of each note; none twice."""
    found: dict[str, None] = {}
    for index in range(pdfium_c.FPDFPage_GetAnnotCount(page)):
        with _annotation(pdfium_c.FPDFPage_GetAnnot(page, index)) as annotation:
            if annotation and not pdfium_c.FPDFAnnot_GetFlags(annotation) & _UNSEEN:
                found.update(dict.fromkeys(_lines(annotation)))
    return list(found)


def _lines(annotation: Any) -> Iterable[str]:
    subtype = pdfium_c.FPDFAnnot_GetSubtype(annotation)
    if subtype == pdfium_c.FPDF_ANNOT_FREETEXT:
        return filter(None, [one_line(_string(annotation, b"Contents") or "")])
    if subtype == pdfium_c.FPDF_ANNOT_WIDGET:
        return filter(None, [_field_line(annotation)])
    return ()


def _field_line(widget: Any) -> str | None:
    if int(_inherited(widget, _number, b"Ff") or 0) & _PASSWORD_FIELD:
        return None
    value = one_line(_inherited(widget, _string, b"V") or "")
    if not value or (value == "Off" and _inherited(widget, _string, b"FT") == "Btn"):
        return None
    label = one_line(_inherited(widget, _string, b"TU") or _inherited(widget, _string, b"T") or "")
    return f"{label}: {value}" if label else value


def _inherited(widget: Any, get: Any, key: bytes) -> Any:
    """A field's value may stand in its parents; a hostile file's parents go in a circle."""
    if (value := get(widget, key)) is not None:
        return value
    return _of_parents(widget, get, key, _PARENTS)


def _of_parents(widget: Any, get: Any, key: bytes, depth: int) -> Any:
    if not depth:
        return None
    with _annotation(pdfium_c.FPDFAnnot_GetLinkedAnnot(widget, b"Parent")) as parent:
        if not parent:
            return None
        value = get(parent, key)
        return value if value is not None else _of_parents(parent, get, key, depth - 1)


def _string(annotation: Any, key: bytes) -> str | None:
    size = pdfium_c.FPDFAnnot_GetStringValue(annotation, key, None, 0)
    if size <= pdfium_c.sizeof(pdfium_c.FPDF_WCHAR):
        return None
    buffer = (pdfium_c.FPDF_WCHAR * (size // 2))()
    pdfium_c.FPDFAnnot_GetStringValue(annotation, key, buffer, size)
    return bytes(buffer)[:-2].decode("utf-16-le", "replace")


def _number(annotation: Any, key: bytes) -> float | None:
    value = pdfium_c.c_float()
    return value.value if pdfium_c.FPDFAnnot_GetNumberValue(annotation, key, value) else None


@contextmanager
def _annotation(raw: Any) -> Iterator[Any]:
    try:
        yield raw
    finally:
        if raw:
            pdfium_c.FPDFPage_CloseAnnot(raw)
