"""One evaluation: documents in, every judged query asked, the rankings held against the judgements."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from refdesk.embedding.accounts import LOCAL, open_embedder
from refdesk.embedding.cache import CachedEmbedder, cache_file
from refdesk.embedding.calibration import similarity
from refdesk.embedding.model import Embedder
from refdesk.errors import Failed, Refusal, UsageError
from refdesk.evaluate.ingestion import BASE, Everything, Ingestion, Ready, Ticker
from refdesk.evaluate.metrics import mean, percentile
from refdesk.evaluate.ranking import CUT, By, Judge, Score
from refdesk.evaluate.sets import Questions, Span, load_questions
from refdesk.index.local import LocalIndex
from refdesk.index.model import Index
from refdesk.index.visibility import Visibility
from refdesk.ingest.context import Progress, silent
from refdesk.ingest.settings import IndexSettings
from refdesk.policy.model import Mode, Policy
from refdesk.search import Meaning, Searched, search
from refdesk.search.model import Hit
from refdesk.settings import Settings

DEPTH = 50
"""Passages that a ranking is made of, however few an agent would get."""


@dataclass(frozen=True, slots=True)
class Report:
    """``queries`` counts those that have a relevant document; ``notes`` are for a person.

    Latencies are of whole searches, the question's embedding included, in milliseconds.
    """

    mode: Mode
    queries: int
    ndcg: float
    recall: Mapping[int, float]
    mrr: float
    p50_ms: float
    p95_ms: float
    passages: int
    ingest_seconds: float
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, int | float]:
        recalls = {f"recall_at_{cut}": round(value, 4) for cut, value in sorted(self.recall.items())}
        return {
            "queries": self.queries,
            f"ndcg_at_{CUT}": round(self.ndcg, 4),
            **recalls,
            f"mrr_at_{CUT}": round(self.mrr, 4),
            "p50_ms": round(self.p50_ms, 2),
            "p95_ms": round(self.p95_ms, 2),
            "passages": self.passages,
            "ingest_seconds": round(self.ingest_seconds, 2),
        }


def evaluate(
    folder: Path,
    *,
    documents: Path | None = None,
    mode: Mode | None = None,
    top_k: int | None = None,
    by: By = "document",
    policy: Policy,
    settings: Settings,
    progress: Progress = silent,
) -> Report:
    """``folder`` holds a set (sets.py), ``documents`` files in place of its corpus. ``top_k`` is a second
    cut-off for recall, up to 50. ``progress`` hears the stages read, embed, index and ask.

    Raises ``NotFound``, ``UsageError``, and ``Failed`` where vectors were asked for and cannot be made.
    """
    cuts = (CUT, _checked_top_k(policy.search.top_k if top_k is None else top_k))
    questions = load_questions(folder)
    embedder, why_keyword = _embedder(mode, policy, settings)
    ingestion = Ingestion(policy, settings, progress)
    started = time.monotonic()
    ready = ingestion.prepare(ingestion.sources(folder, documents))
    with TemporaryDirectory(prefix="refdesk-eval-") as place:
        index = LocalIndex(Path(place) / "index")
        ingestion.index(ready, index, embedder)
        seconds = time.monotonic() - started
        search_mode: Mode = mode or (policy.search.mode if embedder else "keyword")
        desk = _Desk(index, Everything(ready), policy, search_mode, embedder)
        judge = Judge(by, _spans(ready), cuts)
        scores = _scores(desk, questions, judge, Ticker(progress, "ask", len(questions.qrels)))
        index.close()
    return Report(
        mode=search_mode,
        queries=len(scores),
        ndcg=mean([score.ndcg for score in scores]),
        recall={cut: mean([score.recall[cut] for score in scores]) for cut in cuts},
        mrr=mean([score.reciprocal_rank for score in scores]),
        p50_ms=percentile(desk.took, 0.5),
        p95_ms=percentile(desk.took, 0.95),
        passages=sum(len(one.prepared) for one in ready.values()),
        ingest_seconds=seconds,
        notes=(
            *why_keyword,
            *questions.notes,
            *ingestion.notes(),
            *_missing(questions, ready),
            *desk.notes(),
        ),
    )


class _Desk:
    """A search as the product does it, but for what limits an answer's size: a ranking is made of more."""

    def __init__(
        self, index: Index, visibility: Visibility, policy: Policy, mode: Mode, embedder: Embedder | None
    ) -> None:
        settings = IndexSettings(index)
        self._base = Searched(
            BASE, BASE, index, languages=settings.languages, fingerprint=settings.fingerprint
        )
        self._visibility = visibility
        self._policy = policy.search.model_copy(
            update={"max_top_k": DEPTH, "max_characters": None, "deadline_seconds": None}
        )
        self._mode = mode
        self._meaning = Meaning(embedder, partial(similarity, embedder.fingerprint)) if embedder else None
        self._refused: Counter[str] = Counter()
        self._said: dict[str, None] = {}
        self.took: list[float] = []

    def hits(self, question: str) -> Sequence[Hit]:
        """A question that the policy refuses finds nothing, and is counted."""
        started = time.perf_counter()
        try:
            found = search(
                question,
                [self._base],
                self._visibility,
                self._policy,
                meaning=self._meaning,
                mode=self._mode,
                top_k=DEPTH,
            )
        except Refusal as refusal:
            self._refused[refusal.code] += 1
            return ()
        self.took.append((time.perf_counter() - started) * 1000)
        self._said.update(dict.fromkeys(found.notes))
        return found.hits

    def notes(self) -> list[str]:
        refused = [f"Queries that were refused: {count} ({code})." for code, count in self._refused.items()]
        return [*self._said, *refused]


def _checked_top_k(top_k: int) -> int:
    if not 1 <= top_k <= DEPTH:
        raise UsageError(
            f"top_k is {top_k}; an evaluation ranks {DEPTH} passages, so it is 1 to {DEPTH}.",
            code="top_k_out_of_range",
            limit=DEPTH,
            actual=top_k,
        )
    return top_k


def _embedder(mode: Mode | None, policy: Policy, settings: Settings) -> tuple[Embedder | None, list[str]]:
    """Where no mode was asked for, a model that can't be used means keyword search, and is told."""
    wanted = mode or policy.search.mode
    account = policy.embedding.default_account if mode is None else LOCAL
    if wanted == "keyword":
        return None, []
    try:
        embedder = open_embedder(account, settings)
    except Failed as failure:
        if mode is not None:
            raise
        return None, [f"Keyword search alone was evaluated. {failure.message}"]
    if embedder is None:
        return None, []
    return CachedEmbedder(embedder, cache_file(settings.cache_folder())), []


def _spans(ready: Mapping[str, Ready]) -> dict[str, list[Span]]:
    return {
        document: [Span(document, one.passage.start, one.passage.end) for one in indexed.prepared]
        for document, indexed in ready.items()
    }


def _scores(desk: _Desk, questions: Questions, judge: Judge, tick: Ticker) -> list[Score]:
    scores = []
    for query in questions.queries:
        judged = questions.qrels.get(query.id)
        if judged is not None:
            scores.append(judge.score(query, judged, desk.hits(query.text)))
            tick(1)
    return scores


def _missing(questions: Questions, ready: Mapping[str, Ready]) -> list[str]:
    named = {document for grades in questions.qrels.values() for document in grades}
    missing = len(named.difference(ready))
    return [f"Documents of the qrels that are not indexed: {missing}."] if missing else []
