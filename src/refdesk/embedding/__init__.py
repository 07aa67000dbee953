"""Texts to vectors: the embedding accounts, the models behind them, and what a cosine means."""

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
from refdesk.embedding.patience import Patience

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
    "similarity",
]
