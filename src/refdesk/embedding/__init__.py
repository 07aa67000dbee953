"""Texts to vectors: the embedding accounts, the models behind them, and what a cosine means."""

from refdesk.embedding.accounts import LOCAL, open_embedder
from refdesk.embedding.cache import CachedEmbedder, cache_file
from refdesk.embedding.calibration import similarity
from refdesk.embedding.local import LocalEmbedder
from refdesk.embedding.model import Embedder, Fingerprint, Vector, Vectors
from refdesk.embedding.models import (
    DEFAULT_MODEL,
    ModelState,
    Pulled,
    installed,
    list_models,
    model_folder,
    pull,
)

__all__ = [
    "DEFAULT_MODEL",
    "LOCAL",
    "CachedEmbedder",
    "Embedder",
    "Fingerprint",
    "LocalEmbedder",
    "ModelState",
    "Pulled",
    "Vector",
    "Vectors",
    "cache_file",
    "installed",
    "list_models",
    "model_folder",
    "open_embedder",
    "pull",
    "similarity",
]
