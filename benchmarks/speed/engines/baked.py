"""A baked base of Refdesk, as a built agent searches it: read-only files, no catalog, all of the search."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from refdesk.index.local import Manifests, open_baked
from refdesk.index.visibility import Live
from refdesk.policy import load_policy
from refdesk.search import Meaning, Searched, search
from speed.engines import local_index
from speed.engines.model import Hit, Mode
from speed.given import Given, key
from speed.lookup import LookedUp

if TYPE_CHECKING:
    from speed.engines.model import Vector

PACKAGES = local_index.PACKAGES


class Adapter(local_index.Adapter):
    """What is baked is made as ``local_index`` makes it."""

    def __init__(self, store: Path, given: Given) -> None:
        super().__init__(store / "index", given)
        self._baked = store / "baked"
        modes: Sequence[Mode] = ("keyword", "meaning", "hybrid")
        self.searches = {mode: partial(self._search, mode) for mode in modes}

    def build(self) -> None:
        super().build()
        for base in range(self._given.bases):
            names = dict.fromkeys(one.document for one in self._given.passages() if one.base == base)
            live = [Live(name, 1, name, Path(name).stem, None, {}) for name in names]
            self._index(base).bake(self._baked / str(base), live)

    def open(self) -> None:
        found = {str(base): open_baked(self._baked / str(base)) for base in range(self._given.bases)}
        self._visible = Manifests(found)
        self._policy = load_policy("packs").search
        embedder = LookedUp(self._given)
        self._meaning_of = Meaning(embedder, lambda cosine: cosine)
        fingerprint = embedder.fingerprint.key
        self._searched = [
            Searched(base, base, index, local_index.LANGUAGES, fingerprint) for base, index in found.items()
        ]

    def _search(self, mode: Mode, bases: Sequence[int], question: str, vector: Vector, k: int) -> list[Hit]:
        searched = [self._searched[base] for base in bases]
        meaning = self._meaning_of
        found = search(question, searched, self._visible, self._policy, meaning=meaning, mode=mode, top_k=k)
        return [Hit(key(hit.name, hit.position), hit.text) for hit in found.hits]

    def close(self) -> None:
        for searched in self._searched:
            searched.index.close()
