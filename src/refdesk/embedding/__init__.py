"""Texts to vectors: the embedding accounts, the models behind them, and what a cosine means.

The names come on first use: a search imports this package and needs no service's adapter.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from refdesk.embedding.accounts import LOCAL, LOCAL_MULTILINGUAL, open_embedder
    from refdesk.embedding.batches import Limits
    from refdesk.embedding.bedrock import AwsKeys, BedrockEmbedder
    from refdesk.embedding.cache import CachedEmbedder, cache_file
    from refdesk.embedding.calibration import similarity
    from refdesk.embedding.google import GoogleEmbedder
    from refdesk.embedding.huggingface import HuggingFaceEmbedder
    from refdesk.embedding.local import LocalEmbedder
    from refdesk.embedding.model import Embedder, Fingerprint, Interrupted, Vector, Vectors
    from refdesk.embedding.models import (
        DEFAULT_MODEL,
        ModelState,
        Pulled,
        installed,
        list_models,
        model_folder,
        pull,
    )
    from refdesk.embedding.nano import NanoEmbedder
    from refdesk.embedding.openai import OpenAIEmbedder
    from refdesk.embedding.scripts import reads
    from refdesk.outgoing.patience import Patience

__all__ = [
    "DEFAULT_MODEL",
    "LOCAL",
    "LOCAL_MULTILINGUAL",
    "AwsKeys",
    "BedrockEmbedder",
    "CachedEmbedder",
    "Embedder",
    "Fingerprint",
    "GoogleEmbedder",
    "HuggingFaceEmbedder",
    "Interrupted",
    "Limits",
    "LocalEmbedder",
    "ModelState",
    "NanoEmbedder",
    "OpenAIEmbedder",
    "Patience",
    "Pulled",
    "Vector",
    "Vectors",
    "cache_file",
    "installed",
    "list_models",
    "model_folder",
    "open_embedder",
    "pull",
    "reads",
    "similarity",
]

_HOME = {
    "DEFAULT_MODEL": "models",
    "LOCAL": "accounts",
    "LOCAL_MULTILINGUAL": "accounts",
    "AwsKeys": "bedrock",
    "BedrockEmbedder": "bedrock",
    "CachedEmbedder": "cache",
    "Embedder": "model",
    "Fingerprint": "model",
    "GoogleEmbedder": "google",
    "HuggingFaceEmbedder": "huggingface",
    "Interrupted": "model",
    "Limits": "batches",
    "LocalEmbedder": "local",
    "ModelState": "models",
    "NanoEmbedder": "nano",
    "OpenAIEmbedder": "openai",
    "Patience": "service",
    "Pulled": "models",
    "Vector": "model",
    "Vectors": "model",
    "cache_file": "cache",
    "installed": "models",
    "list_models": "models",
    "model_folder": "models",
    "open_embedder": "accounts",
    "pull": "models",
    "reads": "scripts",
    "similarity": "calibration",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
