"""What a model says to a prompt, held to what it was given: the outcome of a run (RUN2)."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from refdesk.answer.citations import Cited
from refdesk.answer.citations import read as read_citations
from refdesk.answer.ground import Ground
from refdesk.answer.inert import inert
from refdesk.answer.judging import case, judged
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
from refdesk.errors import Failed
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
    judge_ms: float = 0.0
    rejected: list[str] = field(default_factory=list)

    def complete(self, model: ChatModel, prompt: Prompt) -> Completion:
        started = time.monotonic()
        try:
            completion = model.complete(prompt, self.said) if self.said else model.complete(prompt)
        finally:
            self.ms += (time.monotonic() - started) * 1000
        self._add(completion.input_tokens, completion.output_tokens, completion.cost)
        return completion

    def _add(self, input_tokens: int, output_tokens: int, cost: float | None) -> None:
        self.input_tokens += input_tokens
        self.output_tokens += output_tokens
        self.cost = None if self.cost is None or cost is None else self.cost + cost

    def judged_by(self, judge: ChatModel, prompt: Prompt) -> str:
        """What a judge says, paid by the run, and heard by nobody."""
        its = Spent()
        try:
            return its.complete(judge, prompt).text
        finally:
            self.judge_ms += its.ms
            self._add(its.input_tokens, its.output_tokens, its.cost)

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


def asked(
    prompt: Prompt,
    model: ChatModel,
    grounding: Grounding,
    spent: Spent,
    ground: Ground,
    *,
    judge: ChatModel | None = None,
) -> Result:
    """``required`` does not accept an answer that cites nothing, after one corrective retry. ``judge`` weighs
    support besides the rules. Raises ``Failed``."""
    completion, prompt = _said(prompt, model, spent, ground)
    cited = _read(completion.text, ground.references)
    if grounding == "required" and not cited.numbers:
        spent.rejected.append(completion.text)
        spent.begins_again()
        completion, _ = _said(again(prompt), model, spent, ground)
        cited = _read(completion.text, ground.references)
        if not cited.numbers:
            spent.rejected.append(completion.text)
            spent.begins_again()
            return Result("not_accepted", message=_NOT_ACCEPTED, warnings=_struck(cited))
    _, taken = _inert(completion.text, ground.references)
    issued = {reference.number: reference for reference in ground.references}
    checked, unjudged = _judged(check(cited, issued, ground.languages), cited, issued, judge, spent)
    warnings = [
        *_grounding_warnings(grounding, ground.coverage, cited),
        *_struck(cited),
        *_taken(taken),
        *_unfounded(checked, cited),
        *unjudged,
        *([_CUT] if completion.cut else []),
    ]
    citations = tuple(
        Citation(number, issued[number].document, issued[number].name, checked.support.get(number))
        for number in cited.numbers
    )
    outcome: Outcome = "answered_with_warning" if warnings else "answered"
    return Result(outcome, cited.answer, citations=citations, warnings=tuple(warnings))


def _judged(
    checked: Checked,
    cited: Cited,
    issued: Mapping[int, Reference],
    judge: ChatModel | None,
    spent: Spent,
) -> tuple[Checked, Sequence[str]]:
    """With a warning where the judge could not be asked: the rules' verdict holds then."""
    its = case(cited, issued) if judge else None
    if judge is None or its is None:
        return checked, ()
    try:
        return judged(checked, its, spent.judged_by(judge, its.prompt)), ()
    except Failed as error:
        return checked, (f"Support was checked by rules alone. {error.message}",)


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
