"""The index of the embedded default: a folder per base, and its baked copies."""

from refdesk.index.local.baked import BakedIndex, Manifests, open_baked
from refdesk.index.local.index import LocalIndex

__all__ = ["BakedIndex", "LocalIndex", "Manifests", "open_baked"]
