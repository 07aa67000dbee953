"""The catalog's decisions for one run of a search, and whether they still hold when it ends."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

from refdesk.index.visibility import Live, Visibility


class Guard:
    """What it has once let through stays so until the run has its answer. Both halves may ask at once."""

    def __init__(self, visibility: Visibility) -> None:
        self._visibility = visibility
        self._known: dict[str, dict[str, Live | None]] = defaultdict(dict)
        self._doubted: set[tuple[str, str]] = set()
        self._gone = False

    def live(self, wanted: Mapping[str, Collection[str]]) -> Mapping[str, Mapping[str, Live | None]]:
        """By base, then id; ``None`` for what is not to be seen."""
        new = {
            base: unknown
            for base, documents in wanted.items()
            if (unknown := set(documents).difference(self._known[base]))
        }
        if new:
            found = self._visibility.live(new)
            for base, documents in new.items():
                live, known = found.get(base, {}), self._known[base]
                for document in documents:  # the other half may have asked meanwhile: the first answer stays
                    known.setdefault(document, live.get(document))
        return self._known

    def seen(self, base: str, document: str) -> Live:
        """One that was let through."""
        live = self._known[base][document]
        assert live is not None
        return live

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
        was = self._known[base].get(document)
        now = self._visibility.live({base: [document]}).get(base, {}).get(document)
        return (was and was.version) != (now and now.version)
