"""Text, title and name → findings and a decision, and the three with credentials taken out.

Pure: no catalog, no file, no network; only a second engine, where one is set, runs a program. The names come
on first use: a prompt imports this package for its fences and needs no detector.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from refdesk.screening.decide import screen
    from refdesk.screening.model import (
        Decision,
        Finding,
        FindingClass,
        Part,
        Screened,
        SecondEngine,
        Spotted,
        strictest,
    )

__all__ = [
    "Decision",
    "Finding",
    "FindingClass",
    "Part",
    "Screened",
    "SecondEngine",
    "Spotted",
    "screen",
    "strictest",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{'decide' if name == 'screen' else 'model'}"), name)
