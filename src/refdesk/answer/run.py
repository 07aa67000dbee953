"""One run: what was found goes to the model, and what it says is held to what it was given (RUN2)."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from refdesk.answer.citations import Cited
from refdesk.answer.citations import read as read_citations
from refdesk.answer.grounding import coverage
from refdesk.answer.model import (
    AskedAgent,
    ChatModel,
    Citation,
    Completion,
    Coverage,
    Outcome,
    Prompt,
    Reference,
    Run,
)
from refdesk.answer.prompt import again, build
from refdesk.answer.receipt import sealed
from refdesk.answer.support import Checked, check
from refdesk.ids import new_id
from refdesk.policy import Policy
from refdesk.policy.model import Grounding
from refdesk.search import Found

_NOT_COVERED = {
    "empty": "There are no documents to search yet: add some, then ask again.",
    "nothing": "The documents do not cover this question: the search found nothing.",
    "doubtful": "The documents do not cover this question: nothing that was found answers it.",
}
_NOT_ACCEPTED = (
    "The answer cites none of its references, so it was not accepted, and neither was a second try."
)
_DOUBTFUL = "No acceptable passage was found; the documents may not cover this question."
_UNCITED = "The answer cites none of its references."


@dataclass(slots=True)
class _Spent:
    """What the calls of one run cost together."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    ms: float = 0.0

    def complete(self, model: ChatModel, prompt: Prompt) -> str:
        started = time.monotonic()
        completion: Completion = model.complete(prompt)
        self.ms += (time.monotonic() - started) * 1000
        self.input_tokens += completion.input_tokens
        self.output_tokens += completion.output_tokens
        self.cost += completion.cost
        return completion.text


@dataclass(frozen=True, slots=True)
class _Result:
    outcome: Outcome
    answer: str | None = None
    message: str | None = None
    citations: tuple[Citation, ...] = ()
    warnings: tuple[str, ...] = ()


Issued = Callable[[Sequence[Reference]], None]


def unheard(_: Sequence[Reference]) -> None:
    """An ``Issued`` that tells nobody."""


def answer(
    question: str,
    found: Found,
    *,
    grounding: Grounding,
    model: ChatModel,
    policy: Policy,
    person: str,
    agent: AskedAgent | None = None,
    issued: Issued = unheard,
) -> Run:
    """Asks ``model`` on the ground of ``found``, or of the whole texts that ``agent`` has in its prompt: what
    was found then tells whether they cover the question. ``required`` stops before the model where nothing
    acceptable was found, and does not accept an answer that cites nothing, after one corrective retry.
    ``issued`` is told the references before the model is asked."""
    started = time.monotonic()
    inline = agent.texts if agent else ()
    references = inline or references_of(found)
    covered = _covered(question, found, inline)
    spent = _Spent()
    issued(references)
    if grounding == "required" and covered != "found":
        result = _Result("not_covered", message=_NOT_COVERED[covered])
    else:
        prompt = build(
            question,
            references,
            coverage=covered,
            grounding=grounding,
            answers=policy.answers,
            instructions=agent.prompt if agent else "",
        )
        result = _asked(prompt, model, spent, found, grounding)
    run = Run(
        id=new_id("run"),
        question=question,
        grounding=grounding,
        outcome=result.outcome,
        answer=result.answer,
        message=result.message,
        references=references,
        citations=result.citations,
        warnings=(*_fallbacks(found), *result.warnings),
        model=model.name,
        cost=spent.cost,
        input_tokens=spent.input_tokens,
        output_tokens=spent.output_tokens,
        timings={
            "search_ms": round(found.took_ms, 2),
            "model_ms": round(spent.ms, 2),
            "total_ms": round(found.took_ms + (time.monotonic() - started) * 1000, 2),
        },
        person=person,
        created_at=datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        agent=agent.id if agent else None,
        agent_version=agent.version if agent else None,
        knowledge=agent.bases if agent else None,
        knowledge_mode=agent.mode if agent else None,
    )
    return replace(run, receipt=sealed(run))


def _covered(question: str, found: Found, inline: Sequence[Reference]) -> Coverage:
    covered = coverage(question, found)
    return "doubtful" if inline and covered != "found" else covered


def references_of(found: Found) -> tuple[Reference, ...]:
    return tuple(
        Reference(
            number=hit.number,
            base=hit.base,
            document=hit.document,
            version=hit.version,
            name=hit.name,
            title=hit.title,
            source_url=hit.source_url,
            section=hit.section,
            page=hit.page,
            position=hit.position,
            text=hit.text,
            metadata=hit.metadata,
        )
        for hit in found
    )


def _asked(prompt: Prompt, model: ChatModel, spent: _Spent, found: Found, grounding: Grounding) -> _Result:
    cited = _read(spent.complete(model, prompt), prompt.references)
    if grounding == "required" and not cited.numbers:
        cited = _read(spent.complete(model, again(prompt)), prompt.references)
        if not cited.numbers:
            return _Result("not_accepted", message=_NOT_ACCEPTED, warnings=_struck(cited))
    issued = {reference.number: reference for reference in prompt.references}
    checked = check(cited, issued, found.languages)
    warnings = [
        *_grounding_warnings(grounding, prompt.coverage, cited),
        *_struck(cited),
        *_unfounded(checked, cited),
    ]
    citations = tuple(
        Citation(number, issued[number].document, issued[number].name, checked.support.get(number))
        for number in cited.numbers
    )
    outcome: Outcome = "answered_with_warning" if warnings else "answered"
    return _Result(outcome, cited.answer, citations=citations, warnings=tuple(warnings))


def _read(text: str, references: Sequence[Reference]) -> Cited:
    return read_citations(
        text, {reference.number for reference in references}, [reference.text for reference in references]
    )


def _grounding_warnings(grounding: Grounding, covered: Coverage, cited: Cited) -> list[str]:
    if grounding == "open":
        return []
    if covered in {"empty", "nothing"}:
        return [_NOT_COVERED[covered]]
    if covered == "doubtful":
        return [_DOUBTFUL]
    return [] if cited.numbers else [_UNCITED]


def _struck(cited: Cited) -> tuple[str, ...]:
    if not cited.struck:
        return ()
    numbers = ", ".join(f"[{number}]" for number in cited.struck)
    return (f"The answer cited {numbers}, which was not issued; it was taken out.",)


def _unfounded(checked: Checked, cited: Cited) -> list[str]:
    if not checked.unfounded:
        return []
    where = "In no cited passage" if cited.numbers else "In no reference"
    return [f"{where}: {', '.join(checked.unfounded)}."]


def _fallbacks(found: Found) -> tuple[str, ...]:
    """What a search says of itself where keyword answered for meaning: the reader of a run must know."""
    return tuple(found.notes) if found.mode != found.answered_by else ()
