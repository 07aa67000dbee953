"""What a question must find, what first, and what not: the rules W1 to W7 on words of many languages.

A pair is scored by the reference BM25 over its own few texts, so that nothing but the analyzer decides.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import pytest

from refdesk.index.analysis import Analyzed, analyze, analyze_question
from refdesk.index.bm25 import bm25
from refdesk.index.model import Statistics, Weighted


class Pair(NamedTuple):
    """``first`` is found, then (with less) each of ``also`` in any order, and none of ``never``."""

    rule: str
    languages: str
    question: str
    first: str
    also: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


PAIRS = [
    # W1: a question is plain words
    Pair("W1", "english", '"refund policy"', "our refund policy", never=("nothing of it",)),
    Pair("W1", "english", "refund AND NOT policy", "refund policy and more", ("a policy",), ("nothing",)),
    Pair("W1", "english", "title:refund*", "title of the refund", ("refund",), ("nothing",)),
    Pair("W1", "english", "refund NEAR/3 (policy)", "the refund policy", ("policy of returns",)),
    Pair("W1", "english", "-refund +policy ^2", "refund policy", ("policy",)),
    Pair("W1", "english", "what about [refund] {policy}?", "refund policy", ("refund",)),
    Pair("W1", "english", "policy OR", "a policy", never=("another text",)),
    Pair("W1", "english", "50% off; DROP TABLE refunds;--", "refunds table 50% off", ("a table",)),
    Pair("W1", "english", "refund~0.8 pol?cy", "refund", never=("a policy",)),
    Pair("W1", "english", "C:\\Temp\\log.txt", "see C:\\Temp\\log.txt there", ("the log",)),
    Pair("W4", "english", "obrien", "call obrien", ("O'Brien's desk", "ask O'Brien"), ("the brine",)),
    Pair("W4", "english", "dangelo", "Dangelo came", ("D'Angelo's desk",), ("an angel",)),
    Pair("W4", "english", "9783161484100", "ISBN 9783161484100", ("ISBN 978-3-16-148410-0",), ("978 316",)),
    Pair("W4", "english", "20240105", "on 20240105", (), ("on 2024-01-05",)),
    Pair("W5", "arabic", "1234", "costs 1234", ("السعر ١٬٢٣٤",), ("السعر ١٢٣",)),
    Pair("W5", "arabic", "123.50", "costs 123.50", ("السعر ١٢٣٫٥٠",), ("السعر ١٢٣",)),
    # W2: the exact form first, other forms still found
    Pair("W2", "english", "running", "running shoes", ("they run far",), ("ruin of a castle",)),
    Pair("W2", "english", "returns", "the returns desk", ("return the item", "it was returned"), ("retire",)),
    Pair("W2", "english", "universities", "two universities", ("one university",)),
    Pair("W2", "english", "policy", "one policy", ("many policies",), ("the police",)),
    Pair("W2", "english", "cafe", "a cafe", ("le café",), ("a cave",)),
    Pair("W2", "english", "café", "le café", ("a cafe",), ("a cave",)),
    Pair("W2", "english", "resume", "please resume", ("her résumé",)),
    Pair("W2", "english", "naïve", "a naïve idea", ("a naive idea",), ("a native idea",)),
    Pair("W2", "english", "long-term", "a long-term loan", ("a long term loan",), ("a loan",)),
    Pair("W2", "english", "email", "send an email", ("send an e-mail",), ("a male",)),
    Pair("W2", "english", "e-mail", "send an e-mail", ("send an email",), ("send it",)),
    Pair("W2", "english", "company", "a company", ("the company's office", "all companies"), ("a campaign",)),
    Pair("W2", "german", "Müller", "Herr Müller kommt", ("Herr Muller kommt",), ("die Mühle",)),
    Pair("W2", "german", "muller", "Herr Muller kommt", ("Herr Müller kommt",), ("die Mühle",)),
    Pair("W2", "german", "mueller", "Herr Mueller kommt", ("Herr Müller kommt",), ("die Mühle",)),
    Pair("W2", "german", "Rückerstattung", "die Rückerstattung", ("viele Rückerstattungen",), ("rücken",)),
    Pair("W2", "german", "Häuser", "zwei Häuser", ("ein Haus",), ("die Hüte",)),
    Pair("W2", "german", "uber", "uber alles", ("über alles",), ("aber alles",)),
    Pair("W2", "german", "Maßnahme", "eine Maßnahme", ("viele Maßnahmen",), ("die Messe",)),
    Pair("W2", "french", "remboursement", "le remboursement", ("les remboursements",), ("le bourg",)),
    Pair("W2", "french", "eleve", "un eleve", ("un élève",), ("une olive",)),
    Pair("W2", "french", "élève", "un élève", ("un eleve",), ("une olive",)),
    Pair("W2", "french", "l'entreprise", "à l'entreprise", ("une entreprise",), ("une reprise",)),
    Pair("W2", "french", "entreprise", "une entreprise", ("à l’entreprise",), ("une reprise",)),
    Pair(
        "W2",
        "spanish",
        "facturación",
        "la facturación",
        ("las facturaciones", "la facturacion"),
        ("la fractura",),
    ),
    Pair("W2", "spanish", "facturacion", "la facturacion", ("la facturación",), ("la fractura",)),
    Pair("W2", "spanish", "ano", "un ano", ("un año",), ("una mano",)),
    Pair("W2", "portuguese", "devoluções", "as devoluções", ("uma devolução",), ("a evolução",)),
    Pair("W2", "portuguese", "devolucao", "a devolucao", ("a devolução",), ("a evolução",)),
    Pair("W2", "italian", "rimborsi", "i rimborsi", ("un rimborso",), ("una borsa",)),
    Pair("W2", "italian", "città", "la città", ("la citta",), ("una gita",)),
    Pair("W2", "dutch", "terugbetalingen", "de terugbetalingen", ("een terugbetaling",), ("een taal",)),
    Pair("W2", "swedish", "återbetalning", "en återbetalning", ("en aterbetalning",), ("betala",)),
    Pair("W2", "danish", "smørrebrød", "et smørrebrød", ("et smorrebrod",), ("et brev",)),
    Pair("W2", "norwegian", "aal", "en aal", ("en ål",), ("alt",)),
    Pair("W2", "finnish", "talossa", "talossa on", ("talot",), ("talvi",)),
    Pair("W2", "hungarian", "házak", "a házak", ("egy ház",), ("hal",)),
    Pair("W2", "polish", "zwrot", "jeden zwrot", ("dwa zwroty",), ("wrota",)),
    Pair("W2", "polish", "lodz", "lodz jest", ("Łódź jest",), ("lody",)),
    Pair("W2", "czech", "faktura", "jedna faktura", ("dvě faktury",), ("traktor",)),
    Pair("W2", "czech", "prihlasit", "prihlasit se", ("přihlásit se",), ("prach",)),
    Pair("W2", "romanian", "țară", "o țară", ("o tara",), ("o gară",)),
    Pair("W2", "turkish", "kitap", "bir kitap", ("kitapları var",), ("kapı",)),
    Pair("W2", "turkish", "urun", "urun iadesi", ("ürün iadesi",), ("orun yok",)),
    Pair("W2", "russian", "возврат", "возврат товара", ("возврата нет",), ("ворота",)),
    Pair("W2", "russian", "ёлка", "одна ёлка", ("одна елка",), ("белка",)),
    Pair("W2", "russian", "елка", "одна елка", ("одна ёлка",), ("белка",)),
    Pair("W2", "greek", "επιστροφή", "η επιστροφή", ("οι επιστροφές", "η επιστροφη"), ("η στροφή",)),
    Pair("W2", "arabic", "مستند", "مستند واحد", ("المستندات كلها",), ("سند",)),
    Pair("W2", "arabic", "كتاب", "كتاب جديد", ("كِتَاب جديد",), ("كلب",)),
    Pair("W2", "persian", "كتاب", "كتاب تازه", ("کتاب تازه",), ("خواب",)),
    Pair("W2", "hindi", "किताब", "एक किताब", ("कई किताबें",), ("हिसाब",)),
    Pair("W2", "tamil", "புத்தகம்", "ஒரு புத்தகம்", ("பல புத்தகங்கள்",), ("மரம்",)),
    Pair("W2", "", "שלום", "שלום לכם", ("שָׁלוֹם לכם",), ("חלום",)),
    Pair("W2", "", "tiếng", "tiếng việt", ("tieng viet",), ("tuổi",)),
    # W3: makes no difference (the same score)
    Pair("W3", "english", "cafe\u0301", "le café", ("a cafe",)),
    Pair("W3", "english", "ＰＯ－４７１１", "order PO-4711"),
    Pair("W3", "english", "REFUND", "a refund", never=("a fund",)),
    Pair("W3", "english", "refund", "a re\u00adfund", never=("a fund",)),
    Pair("W3", "english", "re\u200bfund", "a refund", never=("a fund",)),
    Pair("W3", "english", "refund\u00a0policy", "refund policy", ("a refund",)),
    Pair("W3", "english", "ofﬁce", "an office"),
    Pair("W3", "english", "Acme™", "by Acme", never=("by acmetm",)),
    Pair("W3", "english", "Brand\u2122 manual", "the Brand manual", ("a manual",)),
    Pair("W3", "english", "don’t", "we don't", never=("we do",)),
    Pair("W3", "english", "well\u2011known", "well-known", ("a known well",)),
    Pair("W3", "turkish", "İSTANBUL", "istanbul", never=("ankara",)),
    Pair("W3", "turkish", "istanbul", "İstanbul", never=("ankara",)),
    Pair("W3", "turkish", "ISPARTA", "ısparta", never=("ankara",)),
    Pair("W3", "turkish", "ılık", "ILIK SU", never=("soğuk",)),
    Pair("W3", "german", "STRASSE", "die Straße", never=("der Strauß",)),
    Pair("W3", "greek", "ΛΟΓΟΣ", "ο λόγος", never=("ο ζυγός",)),
    Pair("W3", "", "ｶﾀｶﾅ", "カタカナ", never=("ひらがな",)),
    Pair("W3", "persian", "می‌خواهم", "میخواهم", never=("خواب",)),
    Pair("W3", "arabic", "كـــتاب", "كتاب", never=("كلب",)),
    # W4: identifiers whole, in parts, by fragments; the one that was named before its siblings
    Pair("W4", "english", "PO-4711/B", "part PO-4711/B", ("part PO-4711/A", "PO-4712/B"), ("part XQ",)),
    Pair("W4", "english", "4711", "part 4711", ("part PO-4711/B",), ("part PO-4712/B",)),
    Pair("W4", "english", "PO-4711", "order PO-4711", ("part PO-4711/B",), ("47 and 11",)),
    Pair("W4", "english", "4711/B", "part PO-4711/B", ("part PO-4711/A",)),
    Pair("W4", "english", "PO4711B", "part PO-4711/B", ("part PO-4711/A",), ("part XQ",)),
    Pair("W4", "english", "PO 4711 B", "part PO-4711/B", ("part PO-4711/A",), ("part XQ",)),
    Pair("W4", "english", "E_ACCESS_DENIED", "E_ACCESS_DENIED 5", ("access was denied", "E_ACCESS_GRANTED")),
    Pair("W4", "english", "access denied", "access denied", ("error E_ACCESS_DENIED",), ("no entry",)),
    Pair("W4", "english", "v2.1.3", "release v2.1.3", ("release 2.1.3", "release v2.1.4"), ("release 4.5",)),
    Pair("W4", "english", "2.1.3", "release 2.1.3", ("release v2.1.3", "release 2.1.4"), ("release 4.5",)),
    Pair("W4", "english", "version 2.1.3", "since version 2.1.3", ("since v2.1.3", "version 2.1.4")),
    Pair("W4", "english", "getUserName", "call getUserName()", ("call getUserId()", "the user name")),
    Pair("W4", "english", "user name", "a user name", ("call getUserName()",), ("the manual",)),
    Pair("W4", "english", "username", "a username", ("call getUserName()",), ("a surname",)),
    Pair("W4", "english", "get_user_name", "get_user_name(x)", ("getUserName(x)", "get_user_id(x)")),
    Pair("W4", "english", "max_connections", "set max_connections", ("the max connections",), ("a link",)),
    Pair("W4", "english", "XMLHttpRequest", "an XMLHttpRequest", ("an XML HTTP request",), ("a query",)),
    Pair("W4", "english", "C++", "written in C++", ("written in C",), ("written in Go",)),
    Pair("W4", "english", "C#", "written in C#", ("written in C",), ("written in Go",)),
    Pair("W4", "english", "C", "written in C", ("written in C++",), ("written in Go",)),
    Pair("W4", "english", ".NET", "uses .NET here", ("uses a net here",), ("uses Java",)),
    Pair("W4", "english", "ASP.NET", "uses ASP.NET", ("uses .NET",), ("uses Java",)),
    Pair(
        "W4",
        "english",
        "/etc/nginx/nginx.conf",
        "edit /etc/nginx/nginx.conf",
        ("edit nginx.conf",),
        ("edit it",),
    ),
    Pair(
        "W4", "english", "nginx.conf", "the nginx.conf", ("edit /etc/nginx/nginx.conf", "nginx"), ("apache",)
    ),
    Pair(
        "W4", "english", "jane.doe@example.com", "jane.doe@example.com", ("john.doe@example.com",), ("him",)
    ),
    Pair("W4", "english", "example.com", "see example.com", ("mail jane@example.com",), ("see there",)),
    Pair("W4", "english", "C2065", "error C2065"),
    Pair("W4", "english", "0x80070005", "code 0x80070005", never=("nothing here",)),
    Pair("W4", "english", "80070005", "code 80070005", ("code 0x80070005",), ("code 5",)),
    Pair("W4", "english", "std::vector", "a std::vector", ("a vector",), ("a list",)),
    Pair("W4", "english", "#1234", "issue #1234", never=("issue #1235",)),
    Pair("W4", "english", "550e8400", "550e8400-e29b-41d4-a716-446655440000", never=("660f9511",)),
    Pair("W4", "english", "--dry-run", "use --dry-run", ("a dry run",), ("use it",)),
    Pair("W4", "english", "iPhone15", "the iPhone15", ("the iPhone 15",), ("the tablet",)),
    Pair("W4", "english", "USA", "in the USA", ("in the U.S.A. now",), ("in the UK",)),
    Pair("W4", "english", "R&D", "the R&D team", never=("the sales team",)),
    Pair("W4", "german", "Teil A-12", "Teil A-12", ("Teil A-13",), ("Seite",)),
    Pair("W4", "", "型号 XK-200", "型号 XK-200 说明", ("型号 XK-201 说明",), ("其他",)),
    # W5: numbers, units, prices, decimals
    Pair("W5", "english", "5 kg", "weighs 5kg", ("weighs 5 pounds",)),
    Pair("W5", "english", "5kg", "weighs 5 kg", ("the kg price",), ("weighs much",)),
    Pair("W5", "english", "5 kg", "weighs 5\u00a0kg", ("5 apples",)),
    Pair("W5", "english", "20 °C", "at 20°C", ("at 20 bar",), ("cold",)),
    Pair("W5", "english", "20 ℃", "at 20 °C", ("at 20 bar",)),
    Pair("W5", "english", "15%", "15 % off", ("15 off",), ("much off",)),
    Pair("W5", "english", "100 km/h", "up to 100km/h", ("100 times",), ("fast",)),
    Pair("W5", "english", "$49.99", "costs $49.99", ("costs 49.99 now", "costs $49.95"), ("costs much",)),
    Pair("W5", "english", "49.99", "costs 49.99", ("costs $49.99", "costs 49 or less"), ("costs much",)),
    Pair("W5", "german", "299,50", "costs €299.50 a unit", ("299 of 50", "costs €1,299.50"), ("much",)),
    Pair("W5", "german", "49,99 €", "kostet € 49,99", ("kostet 49,95 €",), ("kostet viel",)),
    Pair("W5", "german", "49.99 €", "kostet 49.99 €", ("kostet 49,99 €",), ("kostet viel",)),
    Pair("W5", "german", "EUR 49,99", "kostet 49,99 EUR", ("kostet 49,99 €",), ("kostet viel",)),
    Pair("W5", "german", "3,5 mm", "3,5mm dick", ("3.5 mm dick", "5 mm dick"), ("dick",)),
    Pair("W5", "german", "1.000", "genau 1.000", ("genau 1000",), ("genau 100",)),
    Pair("W5", "english", "1,234.56", "total 1,234.56", ("total 1234.56", "total 1.234,56"), ("total 9",)),
    Pair("W5", "english", "10000", "about 10000", ("about 10,000",), ("about 1000",)),
    Pair("W5", "french", "10 000", "environ 10 000 ici", ("environ 10 personnes",), ("environ cent",)),
    Pair("W5", "french", "10 000 €", "prix 10\u202f000 €", ("prix 10 €",), ("prix fixe",)),
    Pair("W5", "english", "2024-03-15", "on 2024-03-15", ("on 2024-03-16",), ("on Monday",)),
    Pair("W5", "german", "15.03.2024", "am 15.03.2024", ("am 16.03.2024",), ("am Montag",)),
    Pair("W5", "english", "10:30", "at 10:30", ("at 10:45",), ("at noon",)),
    Pair("W5", "english", "$50", "for $50.00", ("for 50 people",), ("for free",)),
    Pair("W5", "russian", "5 кг", "вес 5кг", ("5 штук",), ("вес",)),
    Pair("W5", "arabic", "4711", "رقم 4711", ("رقم ٤٧١١",), ("رقم",)),
    Pair("W5", "hindi", "१५", "१५ दिन", ("15 दिन",), ("दिन",)),
    # W6: scripts without spaces, words with particles
    Pair("W6", "", "退款", "申请退款的方法", never=("付款方式",)),
    Pair("W6", "", "退款什么时候到账", "退款将在三天内到账", ("什么时候营业",), ("地址",)),
    Pair("W6", "", "猫", "黒猫がいる", never=("犬がいる",)),
    Pair("W6", "", "猫はどこ", "黒猫が寝ている", never=("犬が寝ている",)),
    Pair("W6", "", "返品ポリシー", "当社の返品ポリシーについて", ("ポリシー一覧",), ("会社概要",)),
    Pair("W6", "", "コンピューター", "コンピュータを使う", never=("電話を使う",)),
    Pair("W6", "", "東京都庁", "東京都庁の場所", ("京都の寺",), ("大阪",)),
    Pair("W6", "", "API仕様書", "このAPI仕様書", ("仕様書のみ",), ("説明",)),
    Pair("W6", "", "環境", "環境保護", never=("保護者",)),
    Pair("W6", "", "환불", "환불은 3일 안에", never=("배송은 3일 안에",)),
    Pair("W6", "", "환불이", "환불을 요청", never=("배송을 요청",)),
    Pair("W6", "", "책이", "책은 여기", never=("펜은 여기",)),
    Pair("W6", "", "서울에서", "서울까지 간다", never=("부산까지 간다",)),
    Pair("W6", "", "반품", "무료반품정책을 보세요", never=("무료배송정책을 보세요",)),
    Pair("W6", "", "คืนเงิน", "นโยบายการคืนเงินของเรา", never=("ที่อยู่บริษัท",)),
    Pair("W6", "", "เงิน", "การคืนเงินใช้เวลา", never=("ที่อยู่บริษัท",)),
    Pair("W6", "", "ປະເທດ", "ຢູ່ໃນປະເທດລາວ", never=("ຂ້ອຍ",)),
    Pair("W6", "", "ភាសា", "រៀនភាសាខ្មែរ", never=("ផ្ទះ",)),
    Pair("W6", "", "မြန်မာ", "ကျွန်တော်မြန်မာစကားပြော", never=("ရေ",)),
    # W7: common words say little, alone they are still searched with
    Pair("W7", "english", "what is the warranty", "the warranty", ("what is it",)),
    Pair("W7", "english", "how do I return it", "return it", ("how do I do it",), ("nothing",)),
    Pair("W7", "english", "to be or not to be", "to be or not to be", ("to go or not",), ("nothing",)),
    Pair("W7", "english", "warranty flumox", "the warranty", never=("nothing",)),
    Pair("W7", "german", "was ist die Garantie", "die Garantie", ("was ist die Zeit",), ("nichts",)),
    Pair("W7", "spanish", "cuál es la garantía", "la garantía", ("cuál es la hora",), ("nada",)),
    Pair("W7", "", "保修是什么", "保修三年", ("什么时候",), ("地址",)),
]


def scores(pair: Pair) -> dict[str, float]:
    languages = pair.languages.split()
    texts = {text: analyze(text, languages) for text in (pair.first, *pair.also, *pair.never)}
    statistics = Statistics(len(texts), sum(found.words for found in texts.values()))
    statistics.holding = dict(Counter(term for found in texts.values() for term in found.terms))
    terms = [term for word in analyze_question(pair.question, languages) for term in word.terms]
    return {text: _score(found, terms, statistics) for text, found in texts.items()}


def _score(found: Analyzed, terms: list[Weighted], statistics: Statistics) -> float:
    return bm25(terms, found.terms, found.words, statistics)


ALIKE = [
    ("le café", "le cafe\u0301"),
    ("PO-4711", "ＰＯ－４７１１"),
    ("A Refund", "a REFUND"),
    ("refund policy", "re\u00adfund\u00a0po\u200blicy"),
    ("ofﬁce", "office"),
    ("don't", "don’t"),
    ("well-known", "well\u2011known"),
    ("İstanbul ılık", "istanbul ILIK"),
    ("Straße", "STRASSE"),
    ("λόγος", "ΛΌΓΟΣ"),
    ("ｶﾀｶﾅ", "カタカナ"),
    ("می‌خواهم", "میخواهم"),
    ("5 kg", "5kg"),
    ("5\u202fkg", "5 kg"),
    ("20 ℃", "20°C"),
    ("49,99 €", "€49,99"),
    ("10 000", "10\u00a0000"),
    ("_emphasis_", "emphasis"),
]


@pytest.mark.req("W3", "W5")
@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_what_looks_alike_has_the_same_terms(one: str, other: str) -> None:
    languages = ["english", "turkish", "german"]
    assert analyze(one, languages) == analyze(other, languages)
    assert analyze_question(one, languages) == analyze_question(other, languages)


@pytest.mark.req("W1", "W2", "W3", "W4", "W5", "W6", "W7")
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair.rule}-{pair.question}")
def test_a_question_finds_what_it_means(pair: Pair) -> None:
    found = scores(pair)
    assert found[pair.first] > 0
    for text in pair.also:
        assert 0 < found[text] < found[pair.first], text
    for text in pair.never:
        assert found[text] == 0, text


def test_the_table_is_broad() -> None:
    assert len(PAIRS) >= 150
    assert len({pair.languages for pair in PAIRS}) >= 15
