"""Findings of text, title and name make one decision, and what is redacted is gone from all three."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from refdesk.policy import Screening, load_policy
from refdesk.screening import Screened, Spotted, screen, strictest
from refdesk.screening.edits import Edited
from refdesk.screening.spans import merged, redactions

PACKS = load_policy("packs").screening
CARD = "4539 1488 0343 6467"
IBAN = "DE75 5121 0800 1245 1261 99"
KEY = (
    "-----BEGIN PRIVATE KEY-----\n"
    + "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj\n" * 3
    + "-----END PRIVATE KEY-----"
)


def _rules(**values: str) -> Screening:
    return replace(PACKS, **values)


class Marker:
    """A second engine that takes what stands in ``<<…>>`` for a credential."""

    def find(self, text: str) -> Iterator[Spotted]:
        for match in re.finditer("(?<=<<).*?(?=>>)", text):
            yield Spotted("credential", "marker", match.start(), match.end())


def _marked(text: str, title: str = "", name: str = "", rules: Screening = PACKS) -> Screened:
    return screen(text, title, name, rules, Marker())


@pytest.mark.req("CLS1")
@pytest.mark.parametrize("part", ["text", "title", "name"])
def test_each_part_is_redacted_by_itself(part: str) -> None:
    parts = {"text": "nothing here", "title": "A title", "name": "notes.md"} | {part: "before <<Zq9>> after"}
    screened = screen(**parts, rules=PACKS, engine=Marker())
    assert screened.decision == "redact"
    assert getattr(screened, part) == "before <<[REDACTED:credential]>> after"
    assert [(finding.part, finding.cls) for finding in screened.findings] == [(part, "credential")]
    assert {key: getattr(screened, key) for key in parts if key != part} == {
        key: value for key, value in parts.items() if key != part
    }


@pytest.mark.req("CLS1")
def test_a_value_found_once_is_taken_out_everywhere() -> None:
    screened = _marked("key <<Zq9-aa41>>, later Zq9-aa41", title="About Zq9-aa41", name="x-Zq9-aa41.md")
    assert (screened.text, screened.title, screened.name) == (
        "key <<[REDACTED:credential]>>, later [REDACTED:credential]",
        "About [REDACTED:credential]",
        "x-[REDACTED:credential].md",
    )


@pytest.mark.req("CLS1")
def test_a_short_or_plain_value_found_once_is_no_credential_elsewhere() -> None:
    screened = _marked("PIN <<4711>> and word <<sommerwind>>; 4711 sommerwind")
    assert screened.text.endswith("; 4711 sommerwind")


@pytest.mark.req("CLS1")
def test_the_strictest_decision_of_the_three_parts_holds() -> None:
    screened = screen(KEY, "<<Zq9>>", IBAN, _rules(iban="review_required"), Marker())
    assert screened.decision == "block"
    assert (
        screen("", "<<Zq9-aa41>>", IBAN, _rules(iban="review_required"), Marker()).decision
        == "review_required"
    )
    assert strictest(["redact", "allow"]) == "redact"
    assert strictest([]) == "allow"


@pytest.mark.req("CLS1")
def test_what_is_reported_is_told_and_changes_nothing() -> None:
    text = f"Pay to {IBAN} by <<Zq9>>."
    screened = _marked(text, rules=_rules(credential="report", iban="report"))
    assert (screened.decision, screened.text) == ("allow", text)
    assert screened.counts == {"credential": 1, "iban": 1}


@pytest.mark.req("CLS1")
def test_what_is_allowed_is_not_looked_for() -> None:
    assert screen(f"Pay to {IBAN}", "", "", _rules(iban="allow")).findings == ()


@pytest.mark.req("CLS1")
def test_another_class_can_be_redacted_under_its_own_name() -> None:
    screened = screen(f"Pay to {IBAN} today", "", "", _rules(iban="redact"))
    assert screened.text == "Pay to [REDACTED:iban] today"


@pytest.mark.req("CLS1")
def test_a_finding_tells_its_place_and_never_the_value() -> None:
    screened = _marked("one\ntwo\nthree <<Zq9>>", title="<<Zq9>>")
    assert [finding.to_dict() for finding in screened.findings] == [
        {"class": "credential", "detector": "marker", "place": "line 3"},
        {"class": "credential", "detector": "marker", "place": "title"},
    ]
    assert "Zq9" not in repr(screened) + str(screened) + repr(screened.findings)


@pytest.mark.req("CLS1")
@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Page 1\nFirst.\n\nPage 2\nThe key is <<Zq9>>.", "page 2"),
        ("Page 1\nPage 7\nStill the first: <<Zq9>>.", "page 1"),
        ("Intro\nPage 1\n<<Zq9>>", "line 3"),
    ],
)
def test_a_text_with_page_lines_has_pages_for_places(text: str, place: str) -> None:
    assert [finding.place for finding in _marked(text).findings] == [place]


@pytest.mark.req("CLS1")
def test_screening_what_was_redacted_finds_nothing() -> None:
    once = _marked("password: <<Zq9-aa41>>")
    assert screen(once.text, once.title, once.name, PACKS).findings == ()


def test_overlapping_spans_of_one_class_are_one_finding() -> None:
    spans = [
        Spotted("credential", "a", 0, 5),
        Spotted("email", "b", 3, 9),
        Spotted("credential", "c", 4, 7),
        Spotted("credential", "d", 9, 11),
    ]
    assert merged(spans) == [
        Spotted("credential", "a", 0, 7),
        Spotted("email", "b", 3, 9),
        Spotted("credential", "d", 9, 11),
    ]


def test_what_overlaps_is_replaced_once_under_the_gravest_class() -> None:
    spans = [Spotted("email", "a", 1, 5), Spotted("credential", "b", 3, 9), Spotted("email", "c", 9, 11)]
    assert Edited("0123456789abc", redactions(spans)).text == "0[REDACTED:credential][REDACTED:email]bc"
