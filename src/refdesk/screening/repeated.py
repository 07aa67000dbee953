"""A credential that was found once is a credential wherever else it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from refdesk.screening.model import Spotted

MIN_CHARACTERS = 8


def repeated(text: str, values: Iterable[str]) -> Iterator[Spotted]:
    """Every verbatim occurrence of ``values`` that is long and mixed enough to be no coincidence."""
    telling = sorted({value for value in values if _telling(value)}, key=len, reverse=True)
    for value in telling:
        start = text.find(value)
        while start >= 0:
            yield Spotted("credential", "repeated", start, start + len(value))
            start = text.find(value, start + len(value))


def _telling(value: str) -> bool:
    kinds = sum(bool(re.search(kind, value)) for kind in (r"[a-z]", r"[A-Z]", r"\d", r"[^\w\s]"))
    return len(value) >= MIN_CHARACTERS and kinds >= 2
