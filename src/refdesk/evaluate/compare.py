"""Whether one run is better than another: the same queries, a paired bootstrap of the difference."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from refdesk.errors import NotFound, UsageError
from refdesk.evaluate.ranking import CUT
from refdesk.evaluate.report import Report

MEASURE = f"ndcg_at_{CUT}"
RESAMPLES = 10_000
SEED = 20_260_101
"""Any would do; one of its own makes the interval the same on every run."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Of the means over ``queries`` common queries, this run's less the other's; the true one lies between
    ``low`` and ``high`` with 95 % confidence."""

    queries: int
    mean: float
    low: float
    high: float

    @property
    def certain(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.low > 0 or self.high < 0

    def to_dict(self) -> dict[str, int | float]:
        return {
            "queries": self.queries,
            f"{MEASURE}_difference": round(self.mean, 4),
            "low": round(self.low, 4),
            "high": round(self.high, 4),
        }


def compare(mine: Mapping[str, float], other: Mapping[str, float]) -> Difference:
    """Both map a query to its value. Raises ``UsageError`` where they have no query in common."""
    common = [query for query in mine if query in other]
    if not common:
        raise UsageError("The two runs have no query in common: compare runs of the same set.")
    differences = np.array([mine[query] - other[query] for query in common])
    generator = np.random.default_rng(SEED)
    means = np.array([generator.choice(differences, len(differences)).mean() for _ in range(RESAMPLES)])
    low, high = np.percentile(means, (2.5, 97.5))
    return Difference(len(common), float(differences.mean()), float(low), float(high))


def per_query(report: Report) -> dict[str, float]:
    return {query: score.ndcg for query, score in report.scores.items()}


def save_run(report: Report, file: Path) -> None:
    """Raises ``UsageError`` where the file cannot be written."""
    content = {"mode": report.mode, **report.to_dict(), "per_query": {MEASURE: per_query(report)}}
    try:
        file.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"The run cannot be written to {file}: {error.strerror or error}.") from None


def load_run(file: Path) -> dict[str, float]:
    """The value of each query of a saved run. Raises ``NotFound``, and ``UsageError`` for another file."""
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        values = content["per_query"][MEASURE]
        return {str(query): float(value) for query, value in values.items()}
    except FileNotFoundError:
        raise NotFound(f"There is no file {str(file)!r}.", code="file_not_found") from None
    except OSError as error:
        raise UsageError(f"The run {file} cannot be read: {error.strerror or error}.") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UsageError(
            f"{file} is no run of `refdesk eval`: save one with `refdesk eval DIR --save FILE`."
        ) from None
