"""A credential that was found once is a credential wherever else it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from refdesk.screening.model import Spotted

MIN_CHARACTERS = 8


def repeated(text: str, values: Iterable[str]) -> Iterator[Spotted]:
    """Every verbatim occurrence of ``values`` that is long and mixed enough to be no coincidence.

    One pass, however many values there are.
    """
    heads: dict[str, list[str]] = {}
    for value in {value for value in values if _telling(value)}:
        heads.setdefault(value[:MIN_CHARACTERS], []).append(value)
    for start in range(len(text) - MIN_CHARACTERS + 1) if heads else ():
        for value in heads.get(text[start : start + MIN_CHARACTERS], ()):
            if text.startswith(value, start):
                yield Spotted("credential", "repeated", start, start + len(value))


def _telling(value: str) -> bool:
    kinds = sum(bool(re.search(kind, value)) for kind in (r"[a-z]", r"[A-Z]", r"\d", r"[^\w\s]"))
    return len(value) >= MIN_CHARACTERS and kinds >= 2
