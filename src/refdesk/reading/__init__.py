"""A file to its text, pages and figures, read in a process that can be killed.

The names come on first use: the reading child imports this package and needs none of the parent's half.
"""

from typing import TYPE_CHECKING, Any

__all__ = ["Figure", "Page", "Reader", "Reading", "check_size", "kind_of", "read"]

if TYPE_CHECKING:
    from refdesk.reading.kinds import check_size, kind_of
    from refdesk.reading.model import Figure, Page, Reading
    from refdesk.reading.reader import Reader, read

_HOME = {
    "Figure": "model",
    "Page": "model",
    "Reading": "model",
    "Reader": "reader",
    "read": "reader",
    "check_size": "kinds",
    "kind_of": "kinds",
}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
