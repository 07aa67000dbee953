"""The index of the embedded default: a folder per base."""

from refdesk.index.local.index import LocalIndex

__all__ = ["LocalIndex"]
