"""The embedding models of a worker: one for each that is named, begun while everything else starts."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from refdesk.errors import RefdeskError
from refdesk.package.calibrations import Fitted
from refdesk.package.compiled import MODELS
from refdesk.package.manifest import Base

if TYPE_CHECKING:
    from refdesk.search.halves import Meaning

log = logging.getLogger(__name__)


class Meanings:
    def __init__(self, folder: Path, calibrations: Fitted) -> None:
        self._folder = folder
        self._calibrations = calibrations
        self._locks: dict[str, threading.Lock] = {}
        self._opened: dict[str, Meaning] = {}

    def begin(self, bases: Iterable[Base]) -> None:
        """Imports and loads beside the caller what their questions will need. No service is asked."""
        for base in {base.embed: base for base in bases if base.embed}.values():
            threading.Thread(target=self._begin, args=(base,), name="refdesk-model", daemon=True).start()

    def get(self, base: Base) -> Meaning:
        """Of a base that embeds. Raises ``Failed``."""
        name = base.embed or ""
        with self._locks.setdefault(name, threading.Lock()):
            if name not in self._opened:
                self._opened[name] = meaning_of(base, self._folder / MODELS, self._calibrations)
            return self._opened[name]

    def _begin(self, base: Base) -> None:
        try:
            meaning = self.get(base)
            load = getattr(meaning.embedder, "load", None)
            if load is not None:
                load()
        except RefdeskError as error:  # whoever asks first is told again
            log.error("model=%s cause=%s", base.embed, error.message)


def meaning_of(base: Base, models: Path, calibrations: Fitted) -> Meaning:
    """As ``open_embedder``, with what its cosines mean: by the package's own calibration where it has one."""
    from refdesk.package.embedders import open_embedder

    embedder = open_embedder(base, models)
    from refdesk.embedding.calibration import between, similarity
    from refdesk.embedding.scripts import multilingual, reads
    from refdesk.search.halves import Meaning

    fingerprint = embedder.fingerprint
    fitted = calibrations.get(fingerprint.model)
    meant = partial(between, *fitted) if fitted else partial(similarity, fingerprint)
    return Meaning(embedder, meant, partial(reads, fingerprint), multilingual(fingerprint))
