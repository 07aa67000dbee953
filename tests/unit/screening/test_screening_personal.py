"""Numbers about people and money: form, checksum and context together make a finding."""

from __future__ import annotations

import pytest

from refdesk.policy import load_policy
from refdesk.screening import screen
from refdesk.screening.model import FindingClass
from refdesk.screening.personal import DETECTORS
from refdesk.screening.personal.checksums import luhn, mod97


def found(cls: FindingClass, text: str) -> list[str]:
    return [text[span.start : span.end] for detector in DETECTORS[cls] for span in detector(text)]


def _card(body: str) -> str:
    return next(body + str(digit) for digit in range(10) if luhn(body + str(digit)))


def _iban(country: str, account: str) -> str:
    return next(f"{country}{n:02d}{account}" for n in range(2, 99) if mod97(f"{account}{country}{n:02d}"))


VISA = _card("453201511283036")
AMEX = _card("37151263904417")
IBAN = _iban("DE", "512108001245126199")


@pytest.mark.req("CLS1")
@pytest.mark.parametrize(
    ("text", "number"),
    [
        (f"Paid with {VISA[:4]} {VISA[4:8]} {VISA[8:12]} {VISA[12:]}.", VISA),
        (f"Credit card {VISA}, exp 04/27", VISA),
        (f"Kreditkarte: {AMEX[:4]} {AMEX[4:10]} {AMEX[10:]}", AMEX),
    ],
)
def test_a_card_is_found_grouped_or_beside_a_word_for_cards(text: str, number: str) -> None:
    assert [value.replace(" ", "") for value in found("payment_card", text)] == [number]


@pytest.mark.req("CLS1")
@pytest.mark.parametrize(
    "text",
    [
        f"Document number {VISA}",
        "Card 4242 4242 4242 4242 is for tests.",
        f"Card {VISA[:-1]}{(int(VISA[-1]) + 1) % 10}",
        "Card 9999 8888 7777 6666",
        f"IBAN {' '.join(IBAN[i : i + 4] for i in range(0, len(IBAN), 4))}",
    ],
)
def test_other_long_numbers_are_no_card(text: str) -> None:
    assert found("payment_card", text) == []


@pytest.mark.req("CLS1")
def test_an_iban_needs_its_checksum_and_its_countrys_length() -> None:
    spaced = " ".join(IBAN[i : i + 4] for i in range(0, len(IBAN), 4))
    assert found("iban", f"Transfer to {IBAN} or {spaced} by Friday.") == [IBAN, spaced]
    assert found("iban", f"{IBAN[:-1]}0 {IBAN}1 GB82 WEST 1234 5698 7654 32") == []


@pytest.mark.req("CLS1")
@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("SSN: 536-22-8731", "536-22-8731"),
        ("National Insurance number AB 12 34 56 C", "AB 12 34 56 C"),
        ("Steuer-ID 86095742719", "86095742719"),
        ("NIR 2 55 08 14 168 025 38", "2 55 08 14 168 025 38"),
        ("DNI 54362315K", "54362315K"),
        ("Codice fiscale RSSMRA85T10A562S", "RSSMRA85T10A562S"),
        ("BSN 111222333", "111222333"),
        ("Rijksregisternummer 85.07.30-033.28", "85.07.30-033.28"),
        ("PESEL 44051401359", "44051401359"),
        ("CPF 529.982.247-25", "529.982.247-25"),
        ("Aadhaar 2341 2341 2346", "2341 2341 2346"),
        ("AHV 756.9217.0769.85", "756.9217.0769.85"),
        ("11010519491231002X", "11010519491231002X"),
        ("SIN 130 692 544", "130 692 544"),
        ("TFN 123 456 782", "123 456 782"),
    ],
)
def test_a_national_number_is_found_beside_its_name(text: str, number: str) -> None:
    assert found("national_id", text) == [number]


@pytest.mark.req("CLS1")
@pytest.mark.parametrize(
    "text",
    ["SSN 000-12-3456", "Order 536-22-8731", "DNI 54362315A", "PESEL 44051401358", "Steuer-ID 86095742710"],
)
def test_a_number_without_its_name_or_checksum_is_none(text: str) -> None:
    assert found("national_id", text) == []


@pytest.mark.req("CLS1")
def test_mail_and_telephone_are_looked_for_where_a_policy_asks() -> None:
    text = "Write to jo.doe@northwind-trading.com or call +49 30 901820; not jo@example.com, not +49 1."
    plain = load_policy("packs").screening
    assert screen(text, "", "", plain).findings == ()
    asked = load_policy("packs", {"screening.email": "redact", "screening.phone": "redact"}).screening
    assert screen(text, "", "", asked).text.startswith(
        "Write to [REDACTED:email] or call [REDACTED:phone]; not jo@"
    )
    assert found("phone", "Tel. 030 901820") == ["030 901820"]
    assert found("phone", "Order 030 901820") == []


@pytest.mark.req("CLS2")
def test_labels_and_alt_text_are_part_of_the_text() -> None:
    text = "Intro\n\n[Figure 1: login tester / Falcon!4417 on the panel]\n\nImages: 1 kept"
    screened = screen(text, "T", "n.docx", load_policy("packs").screening)
    assert screened.text == text.replace("Falcon!4417", "[REDACTED:credential]")
    assert screened.decision == "redact"


@pytest.mark.req("CLS2")
def test_an_image_is_screened_by_title_and_name() -> None:
    screened = screen(
        "", "Router password: Falcon!4417", "root_password=Falcon4417!.png", load_policy("packs").screening
    )
    assert screened.decision == "redact"
    assert "Falcon" not in screened.title + screened.name
