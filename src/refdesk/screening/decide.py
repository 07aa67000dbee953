"""Text, title and name of a document → what is in them, what follows from it, and them redacted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, partial
from types import MappingProxyType

from refdesk.policy import Screening
from refdesk.policy.model import Decision as Rule
from refdesk.screening.detectors import detect
from refdesk.screening.edits import Edited
from refdesk.screening.model import (
    CLASSES,
    Decision,
    Finding,
    FindingClass,
    Part,
    Screened,
    SecondEngine,
    Spotted,
    strictest,
)
from refdesk.screening.places import places
from refdesk.screening.repeated import repeated
from refdesk.screening.spans import merged, redactions
from refdesk.screening.together import spotted

Rules = Mapping[FindingClass, Rule]


def screen(
    text: str,
    title: str,
    name: str,
    rules: Screening,
    engine: SecondEngine | None = None,
    *,
    more: Mapping[str, str] = MappingProxyType({}),
) -> Screened:
    """What a policy allows is not looked for; what it reports is found and told, and changes nothing.
    ``more`` holds other parts by name."""
    parts: dict[Part, str] = {"text": text, "title": title, "name": name, **more}
    table = _table(rules)
    first = spotted(parts, partial(_spotted, table, engine))
    if not any(first.values()):
        return Screened(
            decision="allow", findings=(), edits=(), text=text, title=title, name=name, more=dict(more)
        )
    values = [parts[part][span.start : span.end] for part, span in _each(first) if span.cls == "credential"]
    spans = {part: merged([*first[part], *repeated(content, values)]) for part, content in parts.items()}
    findings = [
        Finding(span.cls, span.detector, span.start, span.end, part, place)
        for part, found in spans.items()
        for span, place in zip(found, places(part, parts[part], found), strict=True)
    ]
    edits = {
        part: redactions(span for span in found if table[span.cls] == "redact")
        for part, found in spans.items()
    }
    clean = {part: Edited(content, edits[part]).text for part, content in parts.items()}
    return Screened(
        decision=strictest(_decision(table[finding.cls]) for finding in findings),
        findings=tuple(findings),
        edits=tuple(edits["text"]),
        text=clean["text"],
        title=clean["title"],
        name=clean["name"],
        more={part: clean[part] for part in more},
    )


@cache
def _table(rules: Screening) -> Rules:
    decisions = {cls: getattr(rules, cls) for cls in CLASSES}
    return {cls: decision for cls, decision in decisions.items() if decision != "allow"}


def _spotted(table: Rules, engine: SecondEngine | None, content: str) -> Iterator[Spotted]:
    yield from detect(content, table)
    if engine is not None:
        yield from (span for span in engine.find(content) if span.cls in table)


def _each(spans: Mapping[Part, list[Spotted]]) -> Iterator[tuple[Part, Spotted]]:
    for part, found in spans.items():
        for span in found:
            yield part, span


def _decision(rule: Rule) -> Decision:
    return "allow" if rule == "report" else rule
