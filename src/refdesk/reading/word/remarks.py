"""What was in a document and is not in its text, as sentences for a person."""

from __future__ import annotations

from collections import Counter

_SENTENCES = {
    "altChunk": (
        "1 embedded file (HTML, RTF or Word) was not read.",
        "{} embedded files (HTML, RTF or Word) were not read.",
    ),
    "sub-documents": ("1 linked sub-document was not opened.", "{} linked sub-documents were not opened."),
    "chart": ("1 chart was not read.", "{} charts were not read."),
    "diagram": ("1 diagram was not read.", "{} diagrams were not read."),
    "equation field": (
        "1 equation written as a field (EQ) was not read.",
        "{} equations written as fields (EQ) were not read.",
    ),
    "symbols": (
        "1 sign of a symbol font has no letter and was left out.",
        "{} signs of symbol fonts have no letter and were left out.",
    ),
}


class Remarks:
    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def count(self, what: str, times: int = 1) -> None:
        self._counts[what] += times

    def sentences(self) -> list[str]:
        return [
            one if self._counts[what] == 1 else many.format(self._counts[what])
            for what, (one, many) in _SENTENCES.items()
            if self._counts[what]
        ]
