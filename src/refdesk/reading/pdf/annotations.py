"""Form values and free-text notes: words that people see on a page but that are no page text.

Read from the annotations themselves; the form engine, which can loop for ever, is never started. Comments
(pop-ups, highlights) are talk about the document and stay out, as they do in Word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from ctypes import c_float
from typing import Any

import pypdfium2.raw as pdfium_c

from refdesk.reading.clean import one_line

_UNSEEN = pdfium_c.FPDF_ANNOT_FLAG_HIDDEN | pdfium_c.FPDF_ANNOT_FLAG_NOVIEW
_PASSWORD_FIELD = 1 << 13

_SHOWN = re.compile(r"((?:\((?:[^()\\]|\\.)*\)|\[[^\[\]]*\]))\s*(?:Tj|TJ|'|\")", re.DOTALL)
_LITERAL = re.compile(r"\(((?:[^()\\]|\\.)*)\)", re.DOTALL)
_ESCAPED = re.compile(r"\\([()\\])")


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
        return filter(None, [one_line(_string(annotation, b"Contents"))])
    if subtype == pdfium_c.FPDF_ANNOT_WIDGET:
        return filter(None, [_field_line(annotation)])
    return ()


def _field_line(widget: Any) -> str | None:
    if int(_number(widget, b"Ff")) & _PASSWORD_FIELD:
        return None
    value = one_line(_string(widget, b"V")) or _appearance(widget)
    if not value or (value == "Off" and _string(widget, b"FT") == "Btn"):
        return None
    label = one_line(_string(widget, b"TU") or _string(widget, b"T"))
    return f"{label}: {value}" if label else value


def _appearance(widget: Any) -> str:
    """The words that a field draws: its value may stand in a parent field, which pdfium does not open here.

    Only buttons have an appearance state; what they draw are check marks.
    """
    if pdfium_c.FPDFAnnot_HasKey(widget, b"AS"):
        return ""
    drawn = _text(pdfium_c.FPDFAnnot_GetAP, widget, pdfium_c.FPDF_ANNOT_APPEARANCEMODE_NORMAL)
    shown = ("".join(_LITERAL.findall(operands)) for operands in _SHOWN.findall(drawn))
    return one_line(_ESCAPED.sub(r"\1", " ".join(shown)))


def _string(annotation: Any, key: bytes) -> str:
    return _text(pdfium_c.FPDFAnnot_GetStringValue, annotation, key)


def _text(get: Any, *of: Any) -> str:
    size = get(*of, None, 0)
    buffer = (pdfium_c.FPDF_WCHAR * (size // 2))()
    get(*of, buffer, size)
    return bytes(buffer)[:-2].decode("utf-16-le", "replace")


def _number(annotation: Any, key: bytes) -> float:
    """0 where there is none."""
    value = c_float()
    pdfium_c.FPDFAnnot_GetNumberValue(annotation, key, value)
    return value.value


@contextmanager
def _annotation(raw: Any) -> Iterator[Any]:
    try:
        yield raw
    finally:
        if raw:
            pdfium_c.FPDFPage_CloseAnnot(raw)
