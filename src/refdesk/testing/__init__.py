"""Test doubles for users' own tests."""

from refdesk.testing.embedder import WordEmbedder

__all__ = ["WordEmbedder"]
