"""What a model says to a prompt, held to what it was given: the outcome of a run (RUN2)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from refdesk.answer.citations import Cited
from refdesk.answer.citations import read as read_citations
from refdesk.answer.ground import Ground
from refdesk.answer.inert import inert
from refdesk.answer.model import (
    ChatModel,
    Citation,
    Completion,
    Coverage,
    Outcome,
    Prompt,
    Reference,
    Said,
    Turn,
)
from refdesk.answer.prompt import again
from refdesk.answer.support import Checked, check
from refdesk.policy.model import Grounding

NOT_COVERED = {
    "empty": "There are no documents to search yet: add some, then ask again.",
    "nothing": "The documents do not cover this question: the search found nothing.",
    "doubtful": "The documents do not cover this question: nothing that was found answers it.",
}
_NOT_ACCEPTED = (
    "The answer cites none of its references, so it was not accepted, and neither was a second try."
)
_DOUBTFUL = "No acceptable passage was found; the documents may not cover this question."
_UNCITED = "The answer cites none of its references."
_NOT_LOOKED_UP = "The model answered without looking anything up in the documents."
_CUT = "The answer breaks off: it reached the length that the model writes at most."


@dataclass(slots=True)
class Spent:
    """What the calls of one run cost together; ``cost`` is ``None`` from the first that nobody knows on."""

    said: Said | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = 0.0
    ms: float = 0.0
    rejected: list[str] = field(default_factory=list)

    def complete(self, model: ChatModel, prompt: Prompt) -> Completion:
        started = time.monotonic()
        try:
            completion = model.complete(prompt, self.said) if self.said else model.complete(prompt)
        finally:
            self.ms += (time.monotonic() - started) * 1000
        self.input_tokens += completion.input_tokens
        self.output_tokens += completion.output_tokens
        known = self.cost is not None and completion.cost is not None
        self.cost = self.cost + completion.cost if known else None  # type: ignore[operator]
        return completion

    def begins_again(self) -> None:
        if self.said:
            self.said(None)


@dataclass(frozen=True, slots=True)
class Result:
    outcome: Outcome
    answer: str | None = None
    message: str | None = None
    citations: tuple[Citation, ...] = ()
    warnings: tuple[str, ...] = ()


def _said(prompt: Prompt, model: ChatModel, spent: Spent, ground: Ground) -> tuple[Completion, Prompt]:
    """The model's last words, when it has looked up what it wanted, and what it had been given by then."""
    while True:
        completion = spent.complete(model, prompt)
        if not completion.calls:
            return completion, prompt
        if completion.text:
            spent.begins_again()
        replies = tuple(ground.reply(call) for call in completion.calls)
        prompt = replace(prompt, turns=(*prompt.turns, Turn(completion, replies)))


def asked(prompt: Prompt, model: ChatModel, grounding: Grounding, spent: Spent, ground: Ground) -> Result:
    """``required`` does not accept an answer that cites nothing, after one corrective retry. Raises
    ``Failed``."""
    completion, prompt = _said(prompt, model, spent, ground)
    cited = _read(completion.text, ground.references)
    if grounding == "required" and not cited.numbers:
        spent.rejected.append(completion.text)
        spent.begins_again()
        completion, _ = _said(again(prompt), model, spent, ground)
        cited = _read(completion.text, ground.references)
        if not cited.numbers:
            spent.rejected.append(completion.text)
            return Result("not_accepted", message=_NOT_ACCEPTED, warnings=_struck(cited))
    _, taken = _inert(completion.text, ground.references)
    issued = {reference.number: reference for reference in ground.references}
    checked = check(cited, issued, ground.languages)
    warnings = [
        *_grounding_warnings(grounding, ground.coverage, cited),
        *_struck(cited),
        *_taken(taken),
        *_unfounded(checked, cited),
        *([_CUT] if completion.cut else []),
    ]
    citations = tuple(
        Citation(number, issued[number].document, issued[number].name, checked.support.get(number))
        for number in cited.numbers
    )
    outcome: Outcome = "answered_with_warning" if warnings else "answered"
    return Result(outcome, cited.answer, citations=citations, warnings=tuple(warnings))


def _read(text: str, references: Sequence[Reference]) -> Cited:
    text, _ = _inert(text, references)
    return read_citations(
        text, {reference.number for reference in references}, [reference.text for reference in references]
    )


def _inert(text: str, references: Sequence[Reference]) -> tuple[str, int]:
    made = inert(text, [part for one in references for part in (one.text, one.source_url) if part])
    return made.answer, made.taken


def _taken(count: int) -> list[str]:
    what = "1 picture or address" if count == 1 else f"{count} pictures or addresses"
    return [f"The answer held {what} from outside its references; taken out."] if count else []


def _grounding_warnings(grounding: Grounding, covered: Coverage | None, cited: Cited) -> list[str]:
    if grounding == "open":
        return []
    if covered is None:
        return [_NOT_LOOKED_UP]
    if covered in {"empty", "nothing"}:
        return [NOT_COVERED[covered]]
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
