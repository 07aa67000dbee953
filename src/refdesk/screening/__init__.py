"""Text, title and name → findings and a decision, and the three with credentials taken out.

Pure: no catalog, no file, no network; only a second engine, where one is set, runs a program.
"""

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
from refdesk.screening.screen import screen

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
