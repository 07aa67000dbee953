"""The bases of a build, open: baked ones are mapped into memory, others indexed first, which the log says."""

from __future__ import annotations

import logging
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from refdesk.errors import Failed
from refdesk.index.local.bake import MANIFEST
from refdesk.index.local.baked import BakedIndex, Manifests, open_baked
from refdesk.index.model import FINGERPRINT
from refdesk.ingest.settings import languages_in
from refdesk.package.compiled import INDEX, Compiled, policy_of
from refdesk.package.contents import contents
from refdesk.package.documents import documents
from refdesk.package.embedders import check_credential
from refdesk.package.manifest import Base
from refdesk.package.stamp import FILES, stamp
from refdesk.package.worker.meanings import Meanings
from refdesk.policy.model import Policy
from refdesk.search.halves import Searched
from refdesk.search.model import Found
from refdesk.search.search import search

log = logging.getLogger(__name__)


class OpenBase:
    def __init__(
        self, policy: Policy, base: Base, index: BakedIndex, meanings: Meanings, *, baked: bool
    ) -> None:
        self.base = base
        self.baked = baked
        self.index = index
        self.policy = policy
        self._meanings = meanings
        self._visibility = Manifests({base.key: index})
        self._searched = _searched(base, index)

    @property
    def passages(self) -> int:
        return self.index.statistics(()).passages

    def find(self, question: str) -> Found:
        """Raises ``Refusal`` for a question that is not accepted, ``Failed`` where meaning cannot be had."""
        meaning = self._meanings.get(self.base) if self.base.embed else None
        found = search(
            question,
            [self._searched],
            self._visibility,
            self.policy.search,
            meaning=meaning,
            mode=self.base.mode,
        )
        if self.base.mode == "meaning" and found.answered_by == "keyword":
            raise Failed(
                f"The base {self.base.key} is searched by meaning alone. {' '.join(found.notes)}",
                code="embedding_unavailable",
            )
        return found


class Knowledge:
    """Every base of a build. A context manager."""

    def __init__(self, folder: Path, compiled: Compiled, meanings: Meanings) -> None:
        """Raises ``Failed`` where a base cannot be opened: nothing starts then."""
        self._meanings = meanings
        self._stack = ExitStack()
        try:
            self.bases: Mapping[str, OpenBase] = {
                key: self._open(folder, base) for key, base in compiled.bases.items()
            }
        except BaseException:
            self._stack.close()
            raise

    def close(self) -> None:
        self._stack.close()

    def _open(self, folder: Path, base: Base) -> OpenBase:
        check_credential(base)
        place = folder / INDEX / base.key
        baked = (place / MANIFEST).exists()
        if not baked:
            place = self._index_now(folder, base)
        index = _checked(folder, base, place)
        self._stack.callback(index.close)
        log.info(
            "base=%s %s documents=%d passages=%d",
            *(base.key, "baked" if baked else "indexed at start", len(index.documents)),
            index.statistics(()).passages,
        )
        return OpenBase(policy_of(base), base, index, self._meanings, baked=baked)

    def _index_now(self, folder: Path, base: Base) -> Path:
        """The same as a bake, for this process alone."""
        from refdesk.package.bake import bake_base

        by = f"embedding its documents with {base.embed}" if base.embed else "indexing its documents"
        log.warning("base=%s is not baked: %s now, in this process", base.key, by)
        started = time.monotonic()
        work = self._stack.enter_context(tempfile.TemporaryDirectory(prefix="refdesk-worker-"))
        made = bake_base(folder, base, Path(work) / base.key)
        log.warning(
            "base=%s indexed documents=%d skipped=%d seconds=%.1f",
            *(base.key, made.documents, len(made.skipped), time.monotonic() - started),
        )
        return Path(work) / base.key


def _checked(folder: Path, base: Base, place: Path) -> BakedIndex:
    """Raises ``Failed`` where the index was not made of these documents under these settings."""
    index = open_baked(place)
    known = index.settings()
    now = contents(documents(folder / base.path, folder).files, known.get(FILES))
    for name, value in stamp(base, now.digest).items():
        if known.get(name) == value:
            continue
        index.close()
        was = "other documents" if name == "documents" else f"{name} {known.get(name)}"
        asked = "those that are here" if name == "documents" else value
        raise Failed(
            f"The base {base.key} was baked with {was}, and is asked for with {asked}: bake it again, or "
            f"delete {place}.",
            code="bake_mismatch",
            limit=value,
            actual=known.get(name),
        )
    return index


def _searched(base: Base, index: BakedIndex) -> Searched:
    settings = index.settings()
    return Searched(
        id=base.key,
        name=base.key,
        index=index,
        languages=languages_in(settings),
        fingerprint=settings.get(FINGERPRINT),
    )
