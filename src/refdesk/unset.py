"""A value that a call leaves out, where ``None`` is one that it may give."""

from __future__ import annotations

from enum import Enum
from typing import Final, Literal


class Unset(Enum):
    UNSET = "unset"


UNSET: Final[Literal[Unset.UNSET]] = Unset.UNSET
