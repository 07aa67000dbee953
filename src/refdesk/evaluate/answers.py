"""Answers held against what a set knows: are citations real, does what is cited answer, is the rest refused.

Every query is asked as an agent with grounding ``required`` is, so that a refusal is an outcome of the run
and no matter of wording. A query without qrels is one that the documents do not cover.
"""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from refdesk.answer.citations import read as read_citations
from refdesk.answer.model import ChatModel, Completion, Prompt, Reference, Run, Said
from refdesk.answer.references import placed
from refdesk.answer.run import answer
from refdesk.errors import Refusal
from refdesk.evaluate.answered import Answered
from refdesk.evaluate.ingestion import Ready
from refdesk.evaluate.ranking import shared
from refdesk.evaluate.sets import Query, Questions, Span
from refdesk.policy import Policy
from refdesk.policy.model import Grounding
from refdesk.search import Found

GROUNDING: Grounding = "required"
_PERSON = "evaluation"


@dataclass(slots=True)
class _Heard:
    """A model whose last words are kept: a run's answer has its bad citations taken out already."""

    model: ChatModel
    said: str = ""

    @property
    def name(self) -> str:
        return self.model.name

    def complete(self, prompt: Prompt, said: Said | None = None) -> Completion:
        completion = self.model.complete(prompt)
        self.said = completion.text
        return completion


class Asking:
    """``find`` is the search as an answer gets it."""

    def __init__(
        self,
        find: Callable[[str], Found],
        ready: Mapping[str, Ready],
        model: ChatModel,
        policy: Policy,
    ) -> None:
        self._find = find
        self._ready = ready
        self._heard = _Heard(model)
        self._policy = policy

    def ask(self, query: Query, qrels: Mapping[str, int] | None) -> Answered:
        """``qrels`` are the query's, ``None`` where it has none. Raises ``Failed`` where the model does."""
        started = time.perf_counter()
        self._heard.said = ""
        run = self._run(query.text)
        took_ms = (time.perf_counter() - started) * 1000
        if run is None or run.answer is None:
            return Answered(covered=qrels is not None, answered=False, took_ms=took_ms, type=query.type)
        invalid = self._invalid(run)
        return Answered(
            covered=qrels is not None,
            answered=True,
            took_ms=took_ms,
            type=query.type,
            citations=len(run.citations) + invalid,
            invalid=invalid,
            supported=sum(citation.support == "supported" for citation in run.citations),
            holds=None if qrels is None else self._holds(run, query, qrels),
            cost=run.cost,
        )

    def _run(self, question: str) -> Run | None:
        """``None`` where the policy does not take the question."""
        try:
            found = self._find(question)
        except Refusal:
            return None
        return answer(
            question, found, grounding=GROUNDING, model=self._heard, policy=self._policy, person=_PERSON
        )

    def _invalid(self, run: Run) -> int:
        """Citations of the model's own words that were not issued, or that do not lead to the passage that
        was issued under their number."""
        issued = {reference.number: reference for reference in placed(run)}
        cited = read_citations(self._heard.said, issued, [one.text for one in run.references])
        astray = sum(
            citation.document != issued[citation.number].document
            or not self._is_passage(issued[citation.number])
            for citation in run.citations
        )
        return len(cited.struck) + astray

    def _is_passage(self, reference: Reference) -> bool:
        document = self._ready.get(reference.document)
        if document is None or not 1 <= reference.position <= len(document.prepared):
            return False
        return document.prepared[reference.position - 1].passage.text.startswith(reference.text)

    def _holds(self, run: Run, query: Query, qrels: Mapping[str, int]) -> bool:
        """Whether what is cited holds the answer: one of the query's spans whole, else one of its answers'
        wordings; where the set names neither, whether it is of a relevant document."""
        numbers = {citation.number for citation in run.citations}
        cited = [reference for reference in placed(run) if reference.number in numbers]
        if query.references:
            spans = [self._span(reference) for reference in cited]
            return any(_covers(spans, wanted) for wanted in query.references)
        if query.answers:
            texts = [_plain(reference.text) for reference in cited]
            return any(_plain(wanted) in text for wanted in query.answers for text in texts)
        return any(qrels.get(reference.document, 0) > 0 for reference in cited)

    def _span(self, reference: Reference) -> Span:
        passage = self._ready[reference.document].prepared[reference.position - 1].passage
        return Span(reference.document, passage.start, passage.end)


def ask_all(asking: Asking, questions: Questions, tick: Callable[[int], None]) -> list[Answered]:
    answered = []
    for query in questions.queries:
        answered.append(asking.ask(query, questions.qrels.get(query.id)))
        tick(1)
    return answered


def _covers(spans: Sequence[Span], wanted: Span) -> bool:
    """Whether they hold all of it together; a passage ends where a sentence does, spans may not."""
    there = {place for span in spans for place in shared(span, wanted)}
    return len(there) == wanted.end - wanted.start


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
