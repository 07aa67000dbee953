"""The figures that stand in references: by their picture's SHA-256, and as pictures for a model that sees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from refdesk.answer.model import Picture, Reference, ReferenceFigure
from refdesk.desk.parts import Parts
from refdesk.ingest.kept import figure_part
from refdesk.reading.figures import marker

_MARKED = "[Figure "


def figured(parts: Parts, references: Sequence[Reference]) -> tuple[Reference, ...]:
    """With the figures whose markers stand in each one's text (FIG5)."""
    documents = list({one.document for one in references if _MARKED in one.text})
    known = parts.catalog.figures.of(documents) if documents else {}
    return tuple(
        replace(one, figures=_within(one.text, known.get((one.document, one.version), ())))
        for one in references
    )


def shown(parts: Parts, references: Sequence[Reference]) -> tuple[tuple[Reference, ...], Sequence[Picture]]:
    """As many pictures as the policy lets a model see, in the order of the references, and these with the
    figures marked that it is shown."""
    left, told, pictures = parts.policy.figures.shown, [], []
    for reference in references:
        figures = []
        for figure in reference.figures:
            webp = picture(parts, reference.document, figure.sha256) if left else None
            if webp is not None:
                left -= 1
                pictures.append(Picture(f"Figure {figure.number} of reference [{reference.number}]:", webp))
            figures.append(replace(figure, shown=webp is not None))
        told.append(replace(reference, figures=tuple(figures)))
    return tuple(told), pictures


def picture(parts: Parts, document: str, sha256: str) -> bytes | None:
    """``None`` where no version of the document that still exists has it."""
    for files in parts.catalog.figures.folders(document, sha256):
        webp = parts.blobs.get(document, files, figure_part(sha256))
        if webp is not None:
            return webp
    return None


def _within(text: str, figures: Sequence[Mapping[str, Any]]) -> tuple[ReferenceFigure, ...]:
    return tuple(ReferenceFigure(**one) for one in figures if marker(one["number"], one["label"]) in text)
