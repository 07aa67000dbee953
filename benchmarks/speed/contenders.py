"""Who is compared: an engine's module in ``engines``, its label, and the environment that it runs in."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Environment:
    """``made_by`` installs it; ``without`` and engines' names are how to go without these."""

    python: Path
    made_by: str
    without: str

    @property
    def name(self) -> str:
        return self.python.parents[1].name


def _environment(folder: str, made_by: str, without: str) -> Environment:
    root = Path(__file__).parents[2]
    return Environment(root / folder / "bin" / "python", made_by, without)


OWN = Environment(Path(sys.executable), "make bench", "with --skip")
BENCH = _environment(".venv-bench", "make bench", "with --skip")
ALSO = _environment(".venv-bench-also", "make bench-also", "without --also")


@dataclass(frozen=True, slots=True)
class Contender:
    """``searches`` names the engine that has built what this one searches, where that is another."""

    label: str
    environment: Environment = OWN
    searches: str | None = None


REFDESK = "refdesk"
BAKED = "baked"
TUNED = "lance_tuned"
COLUMNS = {
    REFDESK: Contender("Refdesk"),
    "local_index": Contender("its index alone"),
    BAKED: Contender("baked"),
    "lance": Contender("LanceDB", BENCH),
    TUNED: Contender("LanceDB tuned", BENCH, searches="lance"),
    "chroma": Contender("Chroma", BENCH),
    "sqlite": Contender("FTS5 + sqlite-vec", BENCH),
    "sqlite_rare": Contender("the same, rare words", BENCH, searches="sqlite"),
    "txtai": Contender("txtai", ALSO),
    "llamaindex": Contender("LlamaIndex", ALSO),
}
"""In the order of the table."""
OPTIONAL = [name for name, one in COLUMNS.items() if one.environment is ALSO]
CONTENDERS = COLUMNS | {
    "refdesk_embedding": Contender("Refdesk with its embedding model", searches=REFDESK),
    "local_index_bits": Contender("its index alone, by bits"),
    "lance_indexed": Contender("LanceDB with its index", BENCH),
}
"""With those that are measured for a row or for recall alone."""
