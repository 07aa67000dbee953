"""Several short texts looked through in one pass, since most of the cost on them is in beginning."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate
from typing import TypeVar

from refdesk.screening.model import Spotted
from refdesk.screening.spans import merged

_BETWEEN = "\n\n\x1e\n\n"
"""No detector reads across an empty line and a control character, which stored text cannot have."""

Key = TypeVar("Key")


def spotted(parts: Mapping[Key, str], find: Callable[[str], Iterable[Spotted]]) -> dict[Key, list[Spotted]]:
    """What ``find`` sees in each of ``parts``, in that part's own characters."""
    lengths = [len(content) + len(_BETWEEN) for content in parts.values()]
    starts = list(accumulate(lengths, initial=0))[:-1]
    seen = merged(find(_BETWEEN.join(parts.values())))
    return {
        part: list(_within(seen, start, start + len(content)))
        for (part, content), start in zip(parts.items(), starts, strict=True)
    }


def _within(seen: Iterable[Spotted], start: int, end: int) -> Iterator[Spotted]:
    for span in seen:
        if start <= span.start and span.end <= end:
            yield Spotted(span.cls, span.detector, span.start - start, span.end - start)
