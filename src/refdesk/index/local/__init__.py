"""The index of the embedded default: a folder per base, and its baked copies.

What is baked comes on first use: a desk searches none.
"""

from typing import TYPE_CHECKING, Any

from refdesk.index.local.index import LocalIndex

if TYPE_CHECKING:
    from refdesk.index.local.baked import BakedIndex, Manifests, open_baked

__all__ = ["BakedIndex", "LocalIndex", "Manifests", "open_baked"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from refdesk.index.local import baked

    return getattr(baked, name)
