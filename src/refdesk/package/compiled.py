"""A package as its build carries it: ``worker.json``, plain data that the worker reads back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from refdesk.errors import Failed
from refdesk.package.calibrations import Fitted
from refdesk.package.manifest import Agent, Base, Tool
from refdesk.policy import load_policy
from refdesk.policy.model import Policy

FILE = "worker.json"
FORMAT = 1
POLICY = "package"
KNOWLEDGE = "knowledge"
"""The folder of the documents, one folder in it for each base by its key ..."""
INDEX = "index"
"""... the one of the baked indexes, alike, ..."""
MODELS = "models"
"""... and the one of the weights of a local model."""
FILE_MODE, FOLDER_MODE = 0o644, 0o755
"""Whatever the mask of whoever builds and bakes: another user runs the worker."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """``bases`` have their ``path`` in the build."""

    name: str
    agents: Mapping[str, Agent]
    tools: Mapping[str, Tool]
    bases: Mapping[str, Base]
    secrets: tuple[str, ...]
    calibrations: Fitted

    def written(self) -> bytes:
        table = {
            "format": FORMAT,
            "name": self.name,
            "agents": [asdict(one) for one in self.agents.values()],
            "tools": [asdict(one) for one in self.tools.values()],
            "bases": [asdict(one) for one in self.bases.values()],
            "secrets": list(self.secrets),
            "calibrations": dict(self.calibrations),
        }
        return json.dumps(table, ensure_ascii=False, indent=1).encode() + b"\n"


def policy_of(base: Base) -> Policy:
    """What a base says itself, and the policy for the rest."""
    policy = load_policy(POLICY)
    return replace(
        policy,
        passages=replace(
            policy.passages, size=base.chunk_size, max_size=base.chunk_size, overlap=base.chunk_overlap
        ),
        search=replace(policy.search, mode=base.mode, top_k=base.top_k, min_score=base.min_score),
    )


def read_compiled(folder: Path) -> Compiled:
    """Raises ``Failed`` where ``folder`` is no build, or one that another version made."""
    try:
        table = json.loads((folder / FILE).read_bytes())
        if table["format"] != FORMAT:
            raise Failed(
                f"{folder / FILE} has format {table['format']}, and this worker reads {FORMAT}: "
                "build it again.",
                limit=FORMAT,
                actual=table["format"],
            )
        return _read(table)
    except FileNotFoundError:
        raise Failed(f"{folder} is no build of a package: it has no {FILE}.") from None
    except OSError as error:
        raise Failed(f"{folder / FILE} cannot be read: {error.strerror}.") from None
    except (KeyError, TypeError, ValueError):
        raise Failed(f"{folder / FILE} is not as it was written: build it again.") from None


def _read(table: Mapping[str, Any]) -> Compiled:
    agents = [Agent(**{**one, "tools": tuple(one["tools"])}) for one in table["agents"]]
    tools = [Tool(**one) for one in table["tools"]]
    bases = [Base(**one) for one in table["bases"]]
    return Compiled(
        name=table["name"],
        agents={one.name: one for one in agents},
        tools={one.name: one for one in tools},
        bases={one.key: one for one in bases},
        secrets=tuple(table["secrets"]),
        calibrations={model: (on, off) for model, (on, off) in table["calibrations"].items()},
    )
