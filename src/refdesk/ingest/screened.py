"""A reading and what it is called, as they may be stored: cleaned, screened, redacted (CLS1, CLS2, FIG6)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from refdesk.errors import Refusal
from refdesk.policy import Policy
from refdesk.reading.clean import without_controls
from refdesk.reading.figures import REDACTED, image_line
from refdesk.reading.model import Page, Reading
from refdesk.results.added import SCREENED
from refdesk.screening import Decision, Finding, Screened, screen
from refdesk.screening.clean import clean_text, cleaned
from refdesk.screening.edits import Edit, Edited

NOT_KEPT = "[image not kept: document redacted]"

_SOURCE = "source_url"
_SET_TITLE = "set title"
_PLACES_TOLD = 5
_EXTENSION = re.compile(r"\.[A-Za-z]{2,5}\Z")
_MARKER = re.compile(r"\[Figure ([0-9]{1,3})(?:: [^\[\]\n]*)?\]")
_IMAGE_LINE = re.compile(r"(?:\n\n|\A)Images: [0-9]+ kept[^;\n]*(;[^\n]*)?\Z")
_NAMED = {
    "credential": ("credential", "credentials"),
    "private_key": ("private key", "private keys"),
    "payment_card": ("payment card number", "payment card numbers"),
    "iban": ("bank account number", "bank account numbers"),
    "national_id": ("national identity number", "national identity numbers"),
    "email": ("e-mail address", "e-mail addresses"),
    "phone": ("telephone number", "telephone numbers"),
}


@dataclass(frozen=True, slots=True)
class Labels:
    """What a document is called, beside its text: by its own title, unless somebody has set another."""

    name: str
    title: str
    source_url: str | None = None
    metadata: Mapping[str, str] | None = None
    set_title: str | None = None

    def titles(self, was_set: str | None) -> dict[str, str | None]:
        """What the catalog is to change: a title that was set stays, but for what screening took out."""
        changed = {} if self.set_title == was_set else {"set_title": self.set_title}
        return {"title": self.title, **changed}


@dataclass(frozen=True, slots=True)
class Kept:
    """``reading`` is ``None`` where the text is not known yet. Of a redacted document no original is kept."""

    reading: Reading | None
    labels: Labels
    decision: Decision
    findings: Sequence[Finding]

    @property
    def redacted(self) -> bool:
        return self.decision == "redact"

    @property
    def refusal(self) -> Refusal | None:
        """For a document that must not be stored."""
        if self.decision == "block":
            return Refusal(f"The document is not accepted: {told(self.findings)}. Remove it.", code="blocked")
        if self.decision == "review_required":
            return Refusal(
                f"The document must be reviewed before it is added: {told(self.findings)}. Remove it, or ask "
                "whoever sets the project's policy.",
                code="review_required",
            )
        return None


def screened(policy: Policy, reading: Reading | None, labels: Labels) -> Kept:
    """Text and labels are checked together; the strictest decision holds for all of them."""
    reading = _cleaned(reading) if reading else None
    labels = _cleaned_labels(labels)
    text = reading.text if reading else ""
    stem, extension = _divided(labels.name)
    found = screen(text, labels.title, stem, policy.screening, more=_more(labels))
    if reading is not None:
        reading = _redacted(reading, found) if found.decision == "redact" else reading
        reading = replace(reading, notes=(*reading.notes, *_notes(found)))
    return Kept(reading, _labels(labels, found, extension), found.decision, found.findings)


def _divided(name: str) -> tuple[str, str]:
    """A file name before its extension, which would make a file's name of a secret, and the extension."""
    extension = _EXTENSION.search(name)
    return (name[: extension.start()], extension[0]) if extension else (name, "")


def told(findings: Iterable[Finding]) -> str:
    """``2 credentials (line 3, line 9) and 1 e-mail address (title)``; never what was found."""
    by_class: dict[str, list[str]] = {}
    for finding in findings:
        by_class.setdefault(finding.cls, []).append(finding.place)
    parts = []
    for cls, places in by_class.items():
        where = ", ".join(dict.fromkeys(places[:_PLACES_TOLD])) + (
            ", …" if len(places) > _PLACES_TOLD else ""
        )
        parts.append(f"{len(places)} {_NAMED[cls][len(places) > 1]} ({where})")
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _notes(found: Screened) -> list[str]:
    if not found.findings:
        return []
    if found.decision == "redact":
        return [f"{SCREENED} {told(found.findings)}: redacted, and neither original nor image is kept."]
    return [f"{SCREENED} {told(found.findings)}; nothing was changed."]


def _cleaned(reading: Reading) -> Reading:
    for removal, edits, after in cleaned(reading.text):
        note = removal.note(len(edits))
        reading = replace(_edited(reading, after), notes=(*reading.notes, note))
    figures = tuple(replace(one, label=clean_text(one.label)) for one in reading.figures)
    return replace(reading, figures=figures)


def _cleaned_labels(labels: Labels) -> Labels:
    metadata = labels.metadata
    return Labels(
        name=_cleaned_label(labels.name),
        title=_cleaned_label(labels.title),
        source_url=None if labels.source_url is None else clean_text(labels.source_url),
        metadata=None
        if metadata is None
        else {_cleaned_label(key): _cleaned_label(value) for key, value in metadata.items()},
        set_title=None if labels.set_title is None else _cleaned_label(labels.set_title),
    )


def _cleaned_label(text: str) -> str:
    return clean_text(without_controls(text)[0])


def _edited(reading: Reading, after: Edited) -> Reading:
    pages = tuple(Page(p.number, after.place(p.start), after.end(p.end)) for p in reading.pages)
    return replace(reading, text=after.text, pages=pages)


def _redacted(reading: Reading, found: Screened) -> Reading:
    """Credentials and pictures out, at the places that screening told."""
    instead = [*_markers(reading), *_counted(reading)]
    covered = [edit for edit in found.edits if not any(i.start <= edit.start < i.end for i in instead)]
    redacted = _edited(reading, Edited(reading.text, [*covered, *instead]))
    return replace(redacted, figures=(), not_kept=_all_not_kept(reading))


def _markers(reading: Reading) -> list[Edit]:
    numbers = {figure.number for figure in reading.figures}
    found = _MARKER.finditer(reading.text)
    return [Edit(one.start(), one.end(), NOT_KEPT) for one in found if int(one[1]) in numbers]


def _counted(reading: Reading) -> list[Edit]:
    """The line at the text's end that counts pictures (FIG3)."""
    if not reading.figures:
        return []
    line = image_line(0, _all_not_kept(reading), ())
    there = _IMAGE_LINE.search(reading.text)
    if there is None:
        return [Edit(len(reading.text), len(reading.text), f"\n\n{line}")]
    return [Edit(there.start(), there.end(), f"\n\n{line}{there[1] or ''}")]


def _all_not_kept(reading: Reading) -> dict[str, int]:
    kept = len(reading.figures)
    return dict(Counter(reading.not_kept) + Counter({REDACTED: kept}))


def _more(labels: Labels) -> dict[str, str]:
    """Screened like the title; a metadata key says what its value is."""
    pairs = {f"metadata {key}": f"{key}: {value}" for key, value in (labels.metadata or {}).items()}
    named = {_SOURCE: labels.source_url, _SET_TITLE: labels.set_title}
    return {**{part: text for part, text in named.items() if text}, **pairs}


def _labels(labels: Labels, found: Screened, extension: str) -> Labels:
    metadata = {}
    for key in labels.metadata or {}:
        kept_key, _, value = found.more[f"metadata {key}"].partition(": ")
        metadata[kept_key] = value
    return Labels(
        name=f"{found.name}{extension}",
        title=found.title,
        source_url=found.more.get(_SOURCE, labels.source_url),
        metadata=None if labels.metadata is None else metadata,
        set_title=found.more.get(_SET_TITLE, labels.set_title),
    )
