"""What an evaluation found: means over queries, over those of each type, and the scores they are of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from refdesk.evaluate.answered import Answers
from refdesk.evaluate.metrics import mean
from refdesk.evaluate.ranking import CUT, Overlap, Score
from refdesk.policy.model import Mode


@dataclass(frozen=True, slots=True)
class Means:
    """Over ``queries`` queries, each value 0-1; ``recall`` and ``overlap`` by their cut-offs."""

    queries: int
    ndcg: float
    mrr: float
    recall: Mapping[int, float]
    overlap: Mapping[int, Overlap]

    @classmethod
    def of(cls, scores: Sequence[Score]) -> Means:
        cuts = scores[0].recall if scores else ()
        spans = scores[0].overlap if scores else ()
        return cls(
            queries=len(scores),
            ndcg=mean([score.ndcg for score in scores]),
            mrr=mean([score.reciprocal_rank for score in scores]),
            recall={cut: mean([score.recall[cut] for score in scores]) for cut in cuts},
            overlap={cut: _mean_overlap([score.overlap[cut] for score in scores]) for cut in spans},
        )


@dataclass(frozen=True, slots=True)
class Report:
    """``scores`` has those queries that have a relevant document, by id, and ``types`` the type of each that
    has one; ``notes`` are for a person. ``answers``: what every query got, where a model was asked.

    Latencies are of whole searches, the question's embedding included, in milliseconds.
    """

    mode: Mode
    scores: Mapping[str, Score]
    p50_ms: float
    p95_ms: float
    passages: int
    ingest_seconds: float
    types: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    answers: Answers | None = None

    @property
    def means(self) -> Means:
        return Means.of(list(self.scores.values()))

    @property
    def by_type(self) -> dict[str, Means]:
        """Types in the order in which queries have them; empty where none has one."""
        groups: dict[str, list[Score]] = {}
        for query, score in self.scores.items():
            if query in self.types:
                groups.setdefault(self.types[query], []).append(score)
        return {name: Means.of(scores) for name, scores in groups.items()}

    def to_dict(self) -> dict[str, object]:
        means = self.means
        recalls = {f"recall_at_{cut}": round(value, 4) for cut, value in sorted(means.recall.items())}
        answers = {} if self.answers is None else {"answers": self.answers.to_dict()}
        return {
            "queries": means.queries,
            f"ndcg_at_{CUT}": round(means.ndcg, 4),
            **recalls,
            f"mrr_at_{CUT}": round(means.mrr, 4),
            "p50_ms": round(self.p50_ms, 2),
            "p95_ms": round(self.p95_ms, 2),
            "passages": self.passages,
            "ingest_seconds": round(self.ingest_seconds, 2),
            **answers,
        }


def _mean_overlap(overlaps: Sequence[Overlap]) -> Overlap:
    return Overlap(*(mean(values) for values in zip(*overlaps, strict=True)))
