"""The analyzer: languages by vote, what a question's words are known for, and what holds for any text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.index.analysis import Word, analyze, analyze_question, detect_languages

SPOKEN = {
    "english": "Refunds are paid within 14 days of the return, if the item has not been used.",
    "german": "Erstattungen werden innerhalb von 14 Tagen gezahlt, wenn die Ware nicht benutzt wurde.",
    "french": "Les remboursements sont effectués dans les 14 jours, si l'article n'a pas été utilisé.",
    "spanish": "Los reembolsos se pagan en un plazo de 14 días si el artículo no ha sido usado.",
    "portuguese": "Os reembolsos são pagos em até 14 dias se o artigo não tiver sido usado por você.",
    "italian": "I rimborsi sono pagati entro 14 giorni se l'articolo non è stato usato dalla persona.",
    "catalan": "Els reemborsaments es paguen en 14 dies si l'article no s'ha fet servir amb aquest fi.",
    "dutch": "Terugbetalingen worden binnen 14 dagen gedaan als het artikel niet is gebruikt.",
    "swedish": "Återbetalningar görs inom 14 dagar om varan inte har använts av någon och är hel.",
    "danish": "Refusion sker inden for 14 dage, hvis varen ikke er blevet brugt af nogen.",
    "norwegian": "Refusjon skjer innen 14 dager hvis varen ikke har blitt brukt av noen.",
    "finnish": "Hyvitykset maksetaan 14 päivän kuluessa, jos tuotetta ei ole käytetty ja se on ehjä.",
    "hungarian": "A visszatérítést 14 napon belül fizetjük, ha az árut nem használták, és az ép.",
    "polish": "Zwroty są wypłacane w ciągu 14 dni, jeśli towar nie był używany i jest cały.",
    "czech": "Peníze vracíme do 14 dnů, pokud zboží nebylo použito a je v pořádku.",
    "romanian": "Rambursările se plătesc în 14 zile dacă produsul nu a fost folosit și este întreg.",
    "turkish": "İadeler, ürün kullanılmamış ise 14 gün içinde ve tam olarak ödenir, bu çok önemli.",
    "indonesian": "Pengembalian dana dibayar dalam 14 hari jika barang tidak digunakan dan masih utuh.",
    "russian": "Возврат выплачивается в течение 14 дней, если товар не был в употреблении.",
    "greek": "Οι επιστροφές πληρώνονται εντός 14 ημερών αν το προϊόν δεν έχει χρησιμοποιηθεί.",
    "arabic": "تدفع المبالغ المستردة خلال 14 يوما إذا لم تستخدم السلعة من قبل.",
    "persian": "بازپرداخت تا ۱۴ روز انجام می شود اگر کالا استفاده نشده است و این برای همه است.",
    "hindi": "यदि वस्तु का उपयोग नहीं किया गया है तो 14 दिन में पैसे वापस किए जाते हैं।",
    "tamil": "பொருள் பயன்படுத்தப்படவில்லை என்றால் ஒரு வாரத்தில் பணம் திரும்ப கிடைக்கும் மற்றும் இது உறுதி.",
}


@pytest.mark.req("W2")
@pytest.mark.parametrize(("language", "text"), SPOKEN.items(), ids=SPOKEN)
def test_a_language_is_known_by_its_common_words(language: str, text: str) -> None:
    assert detect_languages(text) == [language]


def test_a_text_of_two_languages_has_both_and_no_third() -> None:
    text = SPOKEN["german"] * 30 + SPOKEN["english"] * 60
    assert detect_languages(text) == ["english", "german"]


@pytest.mark.parametrize("text", ["", "4711 | 20 | 30", "退款将在十四天内到账", "คืนเงินภายในสิบสี่วัน"])
def test_no_stemmer_is_guessed_where_none_knows_the_script(text: str) -> None:
    assert detect_languages(text) == []


SHORT = [
    ("german", "Mülltonnen werden dienstags geleert."),
    ("german", "Kündigungen bitte schriftlich."),
    ("french", "Les factures échues portent intérêt."),
    ("spanish", "Los pedidos llegan mañana."),
    ("hungarian", "A szünet hétfőn kezdődik."),
    ("polish", "Zamówienia wysyłamy w poniedziałki."),
    ("czech", "Klíče leží na stole."),
    ("romanian", "Facturile se achită lunar."),
    ("turkish", "Kapıların kilidi değişti."),
    ("lithuanian", "Sąskaitos apmokamos kas mėnesį."),
    ("finnish", "Avaimet ovat pöydällä."),
]


@pytest.mark.req("W2")
@pytest.mark.parametrize(("language", "text"), SHORT)
def test_a_short_text_is_known_by_two_words_that_are_common_or_have_letters_of_few(
    language: str, text: str
) -> None:
    assert detect_languages(text) == [language]


@pytest.mark.parametrize(
    "text", ["Refund 14 days", "Car policy 999", "Door locks", "Sign in", "six café z", "Ask Łukasz now"]
)
def test_a_text_of_which_one_word_at_most_tells_goes_by_its_script(text: str) -> None:
    assert detect_languages(text) == ["english"]


def test_letters_of_a_script_that_tell_of_no_language_go_by_it() -> None:
    assert detect_languages("Возврат 14 дней") == ["russian"]


@pytest.mark.req("W2")
def test_a_question_is_stemmed_by_every_language_of_the_base() -> None:
    terms = {
        term.term
        for word in analyze_question("Rechnungen invoices", ["german", "english"])
        for term in word.terms
    }
    assert {"^rechnung", "^invoic"} <= terms


def words(question: str) -> dict[str, Word]:
    return {word.text: word for word in analyze_question(question, ["english"])}


@pytest.mark.req("W4", "W5", "W7")
def test_a_question_knows_its_names_figures_and_common_words() -> None:
    found = words("What is the price of PO-4711/B in 2024, E_ACCESS_DENIED or getUserName, $49.99 for 5 kg?")
    assert {w.text for w in found.values() if w.identifier} == {"po-4711/b", "e_access_denied", "getusername"}
    assert {w.text for w in found.values() if w.figure} == {"2024", "$49.99", "5kg"}
    assert {w.text for w in found.values() if w.common} == {"what", "is", "the", "of", "in", "or", "for"}


@pytest.mark.req("W7")
def test_a_common_word_weighs_a_tenth() -> None:
    found = words("the warranty")
    assert sum(t.weight for t in found["the"].terms) == pytest.approx(
        sum(t.weight for t in found["warranty"].terms) / 10
    )


def test_a_word_asked_twice_counts_once() -> None:
    assert [word.text for word in analyze_question("refund refund REFUND", ["english"])] == ["refund"]


def test_length_counts_words_not_terms() -> None:
    assert analyze("A long-term loan, PO-4711/B: 5 kg", ["english"]).words == 5
    assert analyze("退款方式", []).words == 3


TEXTS = st.text(max_size=200) | st.lists(
    st.sampled_from(
        ("$49.99", "5 kg", "10 000", "PO-4711/B", "l'été", "猫は", "환불은", "คืนเงิน", ".NET", "C++", "__")
    )
    | st.sampled_from(("--", "é", "\u0301", "\u2060", "€", "1.2.3", "٤", "ﬁ")),
    max_size=12,
).map(" ".join)


@given(TEXTS)
def test_any_text_finds_itself(text: str) -> None:
    terms = analyze(text, ["english", "turkish"]).terms
    for word in analyze_question(text, ["english", "turkish"]):
        assert "=" + word.text in terms
        assert all(not any(c.isspace() for c in term.term) and len(term.term) > 1 for term in word.terms)
    assert all(count > 0 and term[0] in "=~^." and not term.isspace() for term, count in terms.items())


@given(TEXTS, TEXTS)
def test_terms_do_not_depend_on_what_was_analyzed_before(one: str, other: str) -> None:
    before = analyze(one, ["german"])
    analyze(other, ["german"])
    assert analyze(one, ["german"]) == before


LONG = {
    "letters": ("a" * 100_000, 1),
    "dots": ("1." * 50_000, 1),
    "camel": ("aB" * 50_000, 1),
    "dashes": ("-" * 100_000, 0),
    "thousands": ("100 " * 30_000, 30_000),
    "han": ("退" * 50_000, 49_999),
    "hangul": ("가" * 20_000, 1),
    "underscores": ("a_" * 50_000, 1),
}


@pytest.mark.parametrize(("text", "length"), LONG.values(), ids=LONG)
def test_a_text_without_end_is_analyzed_in_one_go(text: str, length: int) -> None:
    assert analyze(text, ["english"]).words == length
