"""Text, title and name of a document → what is in them, what follows from it, and them redacted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from refdesk.policy import Screening
from refdesk.policy.model import Decision as Rule
from refdesk.screening.detectors import detect
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
from refdesk.screening.spans import merged, replaced

Rules = Mapping[FindingClass, Rule]


def screen(
    text: str, title: str, name: str, rules: Screening, engine: SecondEngine | None = None
) -> Screened:
    """What a policy allows is not looked for; what it reports is found and told, and changes nothing."""
    parts: dict[Part, str] = {"text": text, "title": title, "name": name}
    table: Rules = {cls: getattr(rules, cls) for cls in CLASSES if getattr(rules, cls) != "allow"}
    first = {part: merged(_spotted(content, table, engine)) for part, content in parts.items()}
    values = [parts[part][span.start : span.end] for part, span in _each(first) if span.cls == "credential"]
    spans = {part: merged([*first[part], *repeated(content, values)]) for part, content in parts.items()}
    findings = [
        Finding(span.cls, span.detector, span.start, span.end, part, place)
        for part, found in spans.items()
        for span, place in zip(found, places(part, parts[part], found), strict=True)
    ]
    clean = {
        part: replaced(content, [span for span in spans[part] if table[span.cls] == "redact"])
        for part, content in parts.items()
    }
    decision = strictest(_decision(table[finding.cls]) for finding in findings)
    return Screened(decision, tuple(findings), clean["text"], clean["title"], clean["name"])


def _spotted(content: str, table: Rules, engine: SecondEngine | None) -> Iterator[Spotted]:
    yield from detect(content, frozenset(table))
    if engine is not None and content.strip():
        yield from (span for span in engine.find(content) if span.cls in table)


def _each(spans: Mapping[Part, list[Spotted]]) -> Iterator[tuple[Part, Spotted]]:
    for part, found in spans.items():
        for span in found:
            yield part, span


def _decision(rule: Rule) -> Decision:
    return "allow" if rule == "report" else rule
