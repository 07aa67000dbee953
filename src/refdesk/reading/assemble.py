"""In the parent: what a child answered, checked, to a ``Reading`` or a ``Refusal``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from refdesk.errors import Refusal
from refdesk.policy.model import Kind, Policy
from refdesk.reading.answer import Answer
from refdesk.reading.content import BETWEEN_PAGES
from refdesk.reading.figures import (
    REASONS,
    cut_at_word,
    image_line,
    marker,
    placeholders,
    short_label,
    with_markers,
)
from refdesk.reading.model import Figure, Page, Reading


def assemble(kind: Kind, answer: Answer, policy: Policy) -> Reading:
    try:
        return _reading(kind, answer, policy)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        raise _damaged() from None  # no child that is itself answers in another shape


def _reading(kind: Kind, answer: Answer, policy: Policy) -> Reading:
    if answer.text is None:
        raise _refusal(answer, policy)
    figures = _figures(answer, policy)
    not_kept = _not_kept(answer, len(figures))
    if kind == "image" and not figures:
        raise _image_refusal(not_kept, policy)
    markers = {drawn: marker(figure.number, figure.label) for drawn, figure in figures.items()}
    text, pages = _text(answer.text, markers)
    if line := image_line(len(figures), not_kept, list(map(int, answer.text["unseen"]))):
        text = f"{text.rstrip()}\n\n{line}"
    return Reading(
        kind=kind,
        text=text,
        title=_title(answer.text["title"], policy),
        pages=pages,
        figures=tuple(figures.values()),
        not_kept=not_kept,
        notes=tuple(map(_string, answer.text["notes"])),
    )


def _refusal(answer: Answer, policy: Policy) -> Refusal:
    if answer.problem is not None:
        told = answer.problem
        return Refusal(
            _string(told["message"]), code=told["code"], limit=told["limit"], actual=told["actual"]
        )
    if answer.cut_by == "deadline":
        seconds = policy.documents.max_seconds
        return Refusal(
            f"Reading took longer than the limit of {seconds:g} seconds; simplify or split the document.",
            code="took_too_long",
            limit=seconds,
            actual=seconds,
        )
    return _damaged()


def _damaged() -> Refusal:
    return Refusal(
        "The file ended the process that read it: it is damaged, or needs more memory than reading is given; "
        "export it again.",
        code="damaged",
    )


def _image_refusal(not_kept: Mapping[str, int], policy: Policy) -> Refusal:
    """An image file whose preparation was cut: what its header tells was refused by the child before."""
    if "deadline" not in not_kept:
        return Refusal(
            "The image cannot be stored as WebP; export it again as a plain PNG.", code="image_decode"
        )
    seconds = policy.figures.prepare_seconds
    return Refusal(
        f"Preparing the image took longer than the limit of {seconds:g} seconds; make it smaller.",
        code="took_too_long",
        limit=seconds,
        actual=seconds,
    )


def _figures(answer: Answer, policy: Policy) -> dict[int, Figure]:
    """Kept figures by the number of the picture as drawn; a picture drawn again shares its bytes (D12)."""
    assert answer.text is not None
    labels: dict[str, str] = answer.text["labels"]
    pages = _page_of_each(answer.text["pages"] or [])
    figures: dict[int, Figure] = {}
    for number, (told, webp) in enumerate(answer.figures[: policy.figures.max_count], start=1):
        drawn, same_as = int(told["drawn"]), int(told["same_as"])
        label = short_label(_string(labels.get(str(drawn), "")), policy.figures.label_characters)
        figures[drawn] = Figure(
            number=number,
            label=label,
            page=pages.get(drawn),
            width=int(told["width"]),
            height=int(told["height"]),
            webp=webp or figures[same_as].webp,
        )
    return figures


def _page_of_each(pages: list[str]) -> dict[int, int]:
    return {drawn: number for number, text in enumerate(pages, start=1) for drawn in placeholders(text)}


def _not_kept(answer: Answer, kept: int) -> dict[str, int]:
    """What the child told, and what was not reached when it was cut short."""
    assert answer.text is not None
    not_kept = Counter({reason: answer.not_kept[reason] for reason in REASONS})
    rest = int(answer.text["drawn"]) - kept - not_kept.total()
    not_kept[answer.cut_by or "decode"] += max(0, rest)
    return {reason: count for reason, count in not_kept.items() if count}


def _text(told: Mapping[str, Any], markers: Mapping[int, str]) -> tuple[str, tuple[Page, ...]]:
    if told["pages"] is None:
        return with_markers(_string(told["text"]), markers), ()
    texts = [with_markers(_string(page), markers) for page in told["pages"]]
    pages, start = [], 0
    for number, text in enumerate(texts, start=1):
        pages.append(Page(number, start, start + len(text)))
        start += len(text) + len(BETWEEN_PAGES)
    return BETWEEN_PAGES.join(texts), tuple(pages)


def _string(value: object) -> str:
    """Text that can be stored: no other type, no lone surrogate."""
    if not isinstance(value, str):
        raise TypeError
    value.encode("utf-8")
    return value


def _title(told: object, policy: Policy) -> str | None:
    """No longer than a label: a title goes with each passage of its document."""
    return None if told is None else cut_at_word(_string(told), policy.figures.label_characters)
