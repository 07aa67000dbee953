"""What a baked index was made under: the settings that passages and vectors depend on, and the content."""

from __future__ import annotations

from refdesk.index.analysis import VERSION
from refdesk.package.embedders import model_of
from refdesk.package.manifest import Base

FILES = "files"
"""The setting with what is known of each document's file."""


def stamp(base: Base, digest: str) -> dict[str, str]:
    """``digest`` is of the documents. An index with another stamp would answer from the wrong passages."""
    return {
        "embed": base.embed or "none",
        "model": model_of(base.embed),
        "chunk_size": str(base.chunk_size),
        "chunk_overlap": str(base.chunk_overlap),
        "analyzer": str(VERSION),
        "documents": digest,
    }
