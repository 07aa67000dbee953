"""The catalog's decisions for one run of a search, and whether they still hold when it ends."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from refdesk.index.visibility import Live, Visibility


class Guard:
    """What it has once let through stays so until the run has its answer. Both halves may ask at once."""

    def __init__(self, visibility: Visibility) -> None:
        self._visibility = visibility
        self._known: dict[str, dict[str, Live | None]] = defaultdict(dict)
        self._doubted: set[tuple[str, str]] = set()
        self._gone = False

    def live(self, base: str, documents: Sequence[str]) -> Mapping[str, Live]:
        known = self._known[base]
        new = [document for document in documents if document not in known]
        if new:
            found = self._visibility.live(base, new)
            for document in new:  # the other half may have asked meanwhile: the first answer stays
                known.setdefault(document, found.get(document))
        return {document: live for document in documents if (live := known[document]) is not None}

    def doubt(self, base: str, document: str) -> None:
        """The index holds a newer version than was let through: it may have been switched to since."""
        self._doubted.add((base, document))

    def gone(self) -> None:
        """A passage that was let through has no text any more."""
        self._gone = True

    def outdated(self) -> bool:
        """Whether the run may have missed a passage because a version was switched, written anew or deleted
        meanwhile."""
        return self._gone or any(self._switched(*doubted) for doubted in list(self._doubted))

    def _switched(self, base: str, document: str) -> bool:
        was, now = self._known[base].get(document), self._visibility.live(base, [document]).get(document)
        return (was and was.version) != (now and now.version)
