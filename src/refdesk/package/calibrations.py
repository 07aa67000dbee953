"""What the cosines of a package's embedding models mean, where nobody ships that: ``calibration.json``.

``{"MODEL": {"on_topic": 0.61, "off_topic": 0.12}}``: the median cosines of questions that are answered, and
of others (``refdesk.embedding.calibration``). ``refdesk calibrate --write`` fits them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from refdesk.errors import UsageError

FILE = "calibration.json"

Fitted = Mapping[str, tuple[float, float]]
"""Median cosines on and off the topic, by the name of the model."""


def read_calibrations(package: Path) -> Fitted:
    """None where there is no file. Raises ``UsageError`` for one of another shape."""
    try:
        raw = (package / FILE).read_bytes()
    except FileNotFoundError:
        return {}
    try:
        return {model: _checked(said) for model, said in json.loads(raw).items()}
    except (ValueError, TypeError, KeyError, AttributeError):
        raise UsageError(
            f"{package / FILE} is no calibration: run `refdesk calibrate {package} --write`, or delete it."
        ) from None


def write_calibrations(package: Path, fitted: Fitted) -> None:
    """Beside those of other models that are there."""
    every = {**read_calibrations(package), **fitted}
    said = {model: {"on_topic": on, "off_topic": off} for model, (on, off) in sorted(every.items())}
    (package / FILE).write_text(json.dumps(said, indent=1) + "\n", "utf-8")


def _checked(said: Mapping[str, Any]) -> tuple[float, float]:
    on, off = float(said["on_topic"]), float(said["off_topic"])
    if not -1 <= off < on <= 1:
        raise ValueError
    return on, off
