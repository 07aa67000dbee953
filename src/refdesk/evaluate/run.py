"""One evaluation: documents in, every judged query asked, the rankings held against the judgements."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from refdesk.answer.model import ChatModel
from refdesk.embedding.accounts import LOCAL, open_embedder
from refdesk.embedding.cache import CachedEmbedder, cache_file
from refdesk.embedding.calibration import similarity
from refdesk.embedding.model import Embedder
from refdesk.embedding.scripts import multilingual, reads
from refdesk.errors import Failed, Refusal, UsageError
from refdesk.evaluate.answered import Answers
from refdesk.evaluate.answers import Asking, ask_all
from refdesk.evaluate.ingestion import BASE, Everything, Ingestion, Ready, Source, Ticker
from refdesk.evaluate.metrics import percentile
from refdesk.evaluate.ranking import CUT, By, Judge
from refdesk.evaluate.report import Report
from refdesk.evaluate.sets import Questions, Span, load_questions
from refdesk.index.local import LocalIndex
from refdesk.index.model import Index
from refdesk.ingest.context import Progress, silent
from refdesk.ingest.settings import IndexSettings
from refdesk.policy.model import Mode, Policy
from refdesk.policy.model import Search as SearchPolicy
from refdesk.search import Meaning, Searched, search
from refdesk.search.model import Found, Hit
from refdesk.settings import Settings

DEPTH = 50
"""Passages that a ranking is made of, however few an agent would get."""


def evaluate(
    folder: Path,
    *,
    documents: Path | None = None,
    mode: Mode | None = None,
    top_k: int | None = None,
    by: By = "document",
    model: ChatModel | None = None,
    policy: Policy,
    settings: Settings,
    progress: Progress = silent,
) -> Report:
    """``folder`` holds a set (sets.py), ``documents`` files in place of its corpus. ``top_k`` is a second
    cut-off for recall, up to 50. ``model`` answers every query as well, those without qrels too.
    ``progress`` hears the stages read, embed, index, ask and answer.

    Raises ``NotFound``, ``UsageError``, and ``Failed`` where vectors were asked for and cannot be made.
    """
    cuts = (CUT, _checked_top_k(policy.search.top_k if top_k is None else top_k))
    questions = load_questions(folder)
    embedder, why_keyword = _embedder(mode, policy, settings)
    ingestion = Ingestion(policy, settings, progress)
    with indexed(ingestion, ingestion.sources(folder, documents), embedder, policy) as desk:
        search_mode: Mode = mode or (policy.search.mode if embedder else "keyword")
        report = desk.run(questions, search_mode, by, cuts, progress)
        if model is not None:
            report = replace(report, answers=desk.answers(questions, search_mode, model, progress))
    return replace(report, notes=(*why_keyword, *report.notes))


@contextmanager
def indexed(
    ingestion: Ingestion, sources: Iterator[Source], embedder: Embedder | None, policy: Policy
) -> Iterator[Indexed]:
    """A set's documents, to be asked any number of times; the index is gone afterwards."""
    started = time.monotonic()
    ready = ingestion.prepare(sources)
    with TemporaryDirectory(prefix="refdesk-eval-") as place:
        index = LocalIndex(Path(place) / "index")
        try:
            ingestion.index(ready, index, embedder)
            seconds = time.monotonic() - started
            notes = tuple(ingestion.notes())
            yield Indexed(index, ready, policy, embedder, seconds=seconds, notes=notes)
        finally:
            index.close()


class Indexed:
    """Searched as the product does it, but for what limits an answer's size: a ranking is made of more."""

    def __init__(
        self,
        index: Index,
        ready: Mapping[str, Ready],
        policy: Policy,
        embedder: Embedder | None,
        *,
        seconds: float,
        notes: tuple[str, ...],
    ) -> None:
        settings = IndexSettings(index)
        self._base = Searched(
            BASE, BASE, index, languages=settings.languages, fingerprint=settings.fingerprint
        )
        self._ready = ready
        self._visibility = Everything(ready)
        self._product = policy
        self._policy = policy.search.model_copy(
            update={"max_top_k": DEPTH, "max_characters": None, "deadline_seconds": None}
        )
        self._meaning = _meaning(embedder) if embedder else None
        self._seconds = seconds
        self._notes = notes

    def find(self, question: str, mode: Mode, top_k: int = DEPTH) -> Found:
        return self._search(question, mode, top_k, self._policy)

    def run(
        self,
        questions: Questions,
        mode: Mode,
        by: By = "document",
        cuts: Sequence[int] = (CUT,),
        progress: Progress = silent,
    ) -> Report:
        """Every judged query asked."""
        judge = Judge(by, _spans(self._ready), cuts)
        asking = _Asking(self, mode, Ticker(progress, "ask", len(questions.qrels)))
        judged = [query for query in questions.queries if query.id in questions.qrels]
        scores = {
            query.id: judge.score(query, questions.qrels[query.id], asking.hits(query.text))
            for query in judged
        }
        return Report(
            mode=mode,
            scores=scores,
            p50_ms=percentile(asking.took, 0.5),
            p95_ms=percentile(asking.took, 0.95),
            passages=sum(len(one.prepared) for one in self._ready.values()),
            ingest_seconds=self._seconds,
            types={query.id: query.type for query in judged if query.type is not None},
            notes=(*questions.notes, *self._notes, *_missing(questions, self._ready), *asking.notes()),
        )

    def answers(
        self, questions: Questions, mode: Mode, model: ChatModel, progress: Progress = silent
    ) -> Answers:
        """Every query answered. Raises ``Failed`` where the model does."""
        asking = Asking(lambda question: self.found(question, mode), self._ready, model, self._product)
        tick = Ticker(progress, "answer", len(questions.queries))
        return Answers(model.name, ask_all(asking, questions, tick))

    def found(self, question: str, mode: Mode) -> Found:
        """What the product would find for an answer to it, however long that takes."""
        policy = self._product.search.model_copy(update={"deadline_seconds": None})
        return self._search(question, mode, self._product.answers.references, policy)

    def _search(self, question: str, mode: Mode, top_k: int, policy: SearchPolicy) -> Found:
        return search(
            question, [self._base], self._visibility, policy, meaning=self._meaning, mode=mode, top_k=top_k
        )


class _Asking:
    """One run's questions: how long each took, and what was said on the way."""

    def __init__(self, desk: Indexed, mode: Mode, tick: Ticker) -> None:
        self._desk = desk
        self._mode = mode
        self._tick = tick
        self._refused: Counter[str] = Counter()
        self._said: dict[str, None] = {}
        self.took: list[float] = []

    def hits(self, question: str) -> Sequence[Hit]:
        """A question that the policy refuses finds nothing, and is counted."""
        started = time.perf_counter()
        try:
            found = self._desk.find(question, self._mode)
        except Refusal as refusal:
            self._refused[refusal.code] += 1
            return ()
        finally:
            self._tick(1)
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
    if wanted == "keyword" or account is None:
        return None, []
    try:
        embedder = open_embedder(account, settings)
    except Failed as failure:
        if mode is not None:
            raise
        return None, [f"Keyword search alone was evaluated. {failure.message}"]
    return CachedEmbedder(embedder, cache_file(settings.cache_folder())), []


def _spans(ready: Mapping[str, Ready]) -> dict[str, list[Span]]:
    return {
        document: [Span(document, one.passage.start, one.passage.end) for one in indexed.prepared]
        for document, indexed in ready.items()
    }


def _missing(questions: Questions, ready: Mapping[str, Ready]) -> list[str]:
    named = {document for grades in questions.qrels.values() for document in grades}
    missing = len(named.difference(ready))
    return [f"Documents of the qrels that are not indexed: {missing}."] if missing else []


def _meaning(embedder: Embedder) -> Meaning:
    fingerprint = embedder.fingerprint
    return Meaning(
        embedder, partial(similarity, fingerprint), partial(reads, fingerprint), multilingual(fingerprint)
    )
