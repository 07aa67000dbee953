"""Facts of a sentence against the passages that it cites (A2), and how well a citation carries it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refdesk.answer.citations import read
from refdesk.answer.dates import dates
from refdesk.answer.facts import Passages
from refdesk.answer.model import Reference
from refdesk.answer.support import Checked, check, claims

PASSAGE = (
    "A refund arrives within fourteen days. The fee is €1,200.50 for P1 and for PO-4711/A. It was opened on "
    "2026-03-01 at 10:00 by the Treasury contact, for 12-14 items, 25 percent, 20 GB and v2.1.3. Ana Ruiz "
    "decides with MMPV, SM37 and ZC 011. The next is on April 5."
)
FEES = "The fee is 89 EUR for a screen and 49 EUR for a battery."


def reference(number: int, text: str) -> Reference:
    return Reference(
        number=number,
        base="Handbook",
        document=f"doc_{number}",
        version=1,
        name=f"{number}.md",
        title="Returns",
        source_url=None,
        section="Cards",
        page=None,
        position=1,
        text=text,
    )


REFERENCES = {1: reference(1, PASSAGE), 2: reference(2, FEES)}


def checked(answer: str) -> Checked:
    return check(read(answer, REFERENCES, [one.text for one in REFERENCES.values()]), REFERENCES, ["english"])


@pytest.mark.req("A2")
@pytest.mark.parametrize(
    "sentence",
    [
        "It takes 14 days.",
        "It takes a 14-day wait.",
        "The fee is EUR 1200.5.",
        "The fee is 1.200,50 EUR.",
        "It is a P1-incident.",
        "The order is PO-4711/A.",
        "It was opened on 1 March 2026.",
        "It was opened on March 1st, 2026.",
        "It was opened on 01.03.2026.",
        "The next is on 5 April, the last was in March 2026.",
        "It opened at 10 o'clock.",
        "There are 12 to 14 items.",
        "It is 25% of 20GB.",
        "The version is v2.1.3.",
        "Ask Ana Ruiz or the treasury Contacts.",
        "SM37's log, MMPV and ZC-011.",
        "1. Returns by Card.",
    ],
)
def test_a_fact_that_stands_in_the_passage_however_written_is_not_flagged(sentence: str) -> None:
    assert checked(f"{sentence} [1]").unfounded == ()


@pytest.mark.req("A2")
@pytest.mark.parametrize(
    ("sentence", "missing"),
    [
        ("It takes 15 days.", ("15",)),
        ("The fee is 200 EUR.", ("200",)),
        ("The fee is 1 EUR or 50.", ("1", "50")),
        ("It is a P2-incident.", ("P2-incident",)),
        ("The order is PO-4711/B.", ("PO-4711/B",)),
        ("It was opened on 2 March 2026.", ("2 March 2026",)),
        ("It was opened on 2025-03-01.", ("2025-03-01",)),
        ("The next is on 5 April 2027.", ("5 April 2027",)),
        ("It opened at 11:00.", ("11:00",)),
        ("It was opened in June 2026.", ("June",)),
        ("There are 13 items.", ("13",)),
        ("It is 2 GB.", ("2",)),
        ("The version is v2.1.4.", ("v2.1.4",)),
        ("Ask Ana Gomez.", ("Gomez",)),
        ("Use SM38 with ZC 012.", ("SM38", "012")),
        ("The iPhone and getUserName.", ("iPhone", "getUserName")),
        ("“The fee is 77 EUR.”", ("77",)),
        ("Run `SM38`.", ("SM38",)),
    ],
)
def test_a_fact_that_stands_in_no_cited_passage_is_flagged(sentence: str, missing: tuple[str, ...]) -> None:
    found = checked(f"{sentence} [1]")
    assert found.unfounded == missing
    assert found.support[1] == "unsupported"


@pytest.mark.req("A2")
@pytest.mark.parametrize(
    ("answer", "missing"),
    [
        ("A battery is 49 EUR [2]. A refund takes 14 days [1].", ()),
        ("A battery is 49 EUR [1]. A refund takes 14 days [2].", ("49", "14")),
        ("A refund takes 14 days. It comes from the Treasury. [1] A screen is 89 EUR. [2]", ()),
        ("A refund arrives [1].\n\nA battery is 49 EUR.", ("49",)),
        ("- 14 days for a refund [1]\n- 49 EUR for a battery [2]", ()),
        ("- 14 days for a refund [2]\n- 49 EUR for a battery [1]", ("14", "49")),
        ("A battery is 49 EUR, a refund takes 15 days.", ("15",)),
    ],
)
def test_each_sentence_is_held_to_what_it_cites_itself(answer: str, missing: tuple[str, ...]) -> None:
    assert checked(answer).unfounded == missing


def test_claims_are_sentences_with_their_marks_and_their_paragraphs() -> None:
    cited = read("One. [1] Two [2][3]. Three.\n\n1. Four\n2. Five [1]", {1, 2, 3}, [])
    assert [(claim.text, claim.cites, claim.near) for claim in claims(cited)] == [
        ("One.", (1,), (1, 2, 3)),
        ("Two.", (2, 3), (1, 2, 3)),
        ("Three.", (), (1, 2, 3)),
        ("1. Four", (), (1,)),
        ("2. Five", (1,), (1,)),
    ]


def test_support_is_the_weakest_of_a_citations_sentences() -> None:
    assert checked("A refund arrives within fourteen days [1].").support == {1: "supported"}
    assert checked("Refunds are generous, friendly, prompt and often welcome [1].").support == {1: "weak"}
    assert checked("Elephants swim well [1].").support == {1: "unsupported"}
    assert checked("A refund arrives within fourteen days [1]. Elephants swim [1].").support == {
        1: "unsupported"
    }


def test_a_citation_beside_the_one_that_carries_the_sentence_is_not_as_good() -> None:
    assert checked("A refund arrives within fourteen days [1][2].").support == {
        1: "supported",
        2: "unsupported",
    }
    both = checked("A refund arrives within fourteen days, and the fee for a battery is 49 EUR [1][2].")
    assert both.support == {1: "supported", 2: "supported"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2026-03-01", [(2026, 3, 1)]),
        ("1.3.2026", [(2026, 3, 1), (2026, 1, 3)]),
        ("31/12/2026", [(2026, 12, 31)]),
        ("3rd of May 2026 and Dec. 24", [(2026, 5, 3), (None, 12, 24)]),
        ("am 1. März 2026", [(2026, 3, 1)]),
        ("le 1er août 2026", [(2026, 8, 1)]),
        ("el 5 de enero de 2026", [(2026, 1, 5)]),
        ("of 3 may be, 99/99/2026, 14 days, version 2.1.3", []),
    ],
)
def test_dates_are_read_as_they_are_written(text: str, found: list[tuple[int | None, int, int]]) -> None:
    assert [tuple(date) for one in dates(text) for date in one.dates] == found


@given(st.text(max_size=120), st.text(max_size=60))
@settings(max_examples=200, deadline=None)
def test_any_text_can_be_checked(answer: str, passage: str) -> None:
    references = {1: reference(1, passage)}
    found = check(read(f"{answer} [1]", references, []), references, ["english"])
    assert set(found.support) <= {1}
    assert Passages(answer, ["english"]).missing(answer) == []
