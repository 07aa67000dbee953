"""Footnotes and endnotes, and equations."""

from __future__ import annotations

import pytest


def refer(kind, identity):
    return f'<w:r><w:{kind}Reference w:id="{identity}"/></w:r>'


def note(kind, identity, content, more=""):
    return f'<w:{kind} w:id="{identity}"{more}>{content}</w:{kind}>'


LINES = note("footnote", -1, "<w:p><w:r><w:separator/></w:r></w:p>", ' w:type="separator"') + note(
    "footnote", 0, "<w:p><w:r><w:t>continued</w:t></w:r></w:p>", ' w:type="continuationSeparator"'
)


@pytest.mark.req("DOC1")
def test_notes_are_numbered_as_the_text_refers_to_them_and_stand_at_the_end(word):
    body = (
        f"<w:p>{word.r('Sale')}{refer('footnote', 5)}{word.r(' ends')}{refer('endnote', 1)}</w:p>"
        + word.table(["A", f"<w:p>{word.r('b')}{refer('footnote', 2)}{refer('footnote', 5)}</w:p>"])
    )
    footnotes = (
        LINES
        + note("footnote", 2, word.p("Second."))
        + note("footnote", 5, word.p("First."))
        + note("footnote", 7, word.p("Nobody refers to this."))
    )
    text = word.text(body, footnotes=footnotes, endnotes=note("endnote", 1, word.p("An endnote.")))
    assert text == (
        "Sale[^1] ends[^2]\n\n| A | b[^3][^1] |\n| --- | --- |\n\n"
        "[^1]: First.\n\n[^2]: An endnote.\n\n[^3]: Second."
    )


def test_a_note_of_several_paragraphs_is_indented_and_its_pictures_stand_below(word):
    content = (
        word.p("One.")
        + word.p("item", word.numbered)
        + f"<w:p>{word.picture(alt='Seal')}</w:p>"
        + word.p("Two.")
    )
    found = word.read(
        f"<w:p>{word.r('Text')}{refer('footnote', 1)}</w:p>",
        footnotes=note("footnote", 1, "<w:p><w:r><w:footnoteRef/></w:r></w:p>" + content),
        numbering=word.numbers,
        parts={
            "word/_rels/footnotes.xml.rels": word.relationships([("rImage", "image", "media/s.png")]),
            "word/media/s.png": word.png,
        },
    )
    assert found.text == "Text[^1]\n\n[^1]: One.\n\n    1. item\n\n    Two.\n\n\ue0001\ue001"
    assert [(image.alt, image.data) for image in found.images] == [("Seal", word.png)]


def test_notes_have_relationships_of_their_own(word):
    link = '<w:p><w:hyperlink r:id="x"><w:r><w:t>here</w:t></w:r></w:hyperlink></w:p>'
    text = word.text(
        f"<w:p>{word.r('Text')}{refer('footnote', 1)}</w:p>",
        footnotes=note("footnote", 1, link),
        links=[("x", "hyperlink", "https://example.org/wrong", "External")],
        parts={
            "word/_rels/footnotes.xml.rels": word.relationships(
                [("x", "hyperlink", "https://example.org/right", "External")]
            )
        },
    )
    assert text.endswith("[^1]: [here](https://example.org/right)")


def test_a_note_may_refer_to_another_and_to_itself(word):
    content = f"<w:p>{word.r('See')}{refer('footnote', 2)}{refer('footnote', 1)}</w:p>"
    text = word.text(
        f"<w:p>{word.r('Text')}{refer('footnote', 1)}</w:p>",
        footnotes=note("footnote", 1, content) + note("footnote", 2, word.p("End.")),
    )
    assert text == "Text[^1]\n\n[^1]: See[^2][^1]\n\n[^2]: End."


@pytest.mark.parametrize(
    "reference", [refer("footnote", 9), refer("endnote", 1), refer("footnote", -1), refer("footnote", "")]
)
def test_references_to_notes_that_are_not_there_are_nothing(word, reference):
    assert word.text(f"<w:p>{word.r('Text')}{reference}</w:p>", footnotes=LINES) == "Text"


def test_references_in_deleted_text_bring_no_note(word):
    text = word.text(
        f"<w:p>{word.r('Text')}<w:del>{refer('footnote', 1)}</w:del></w:p>",
        footnotes=note("footnote", 1, word.p("x")),
    )
    assert text == "Text"


def test_text_in_notes_alone_is_text(word):
    assert (
        word.text(f"<w:p>{refer('footnote', 1)}</w:p>", footnotes=note("footnote", 1, word.p("x")))
        == "[^1]\n\n[^1]: x"
    )


# equations


def r(text):
    return f"<m:r><m:rPr/><m:t>{text}</m:t></m:r>"


def e(name, content):
    return f"<m:{name}>{content}</m:{name}>"


def value(name, sign):
    return f'<m:{name} m:val="{sign}"/>'


@pytest.mark.req("DOC1")
@pytest.mark.parametrize(
    ("equation", "expected"),
    [
        (r("a") + r("+b"), "a+b"),
        (e("f", e("num", r("1")) + e("den", r("x+1"))), "1/(x+1)"),
        (r("2") + e("f", e("num", r("1")) + e("den", r("3"))), "2 1/3"),
        (e("f", e("fPr", value("type", "noBar")) + e("num", r("n")) + e("den", r("k"))), "n¦k"),
        (e("sSup", e("e", r("x")) + e("sup", r("2"))) + r("y"), "x^2 y"),
        (e("sSup", e("e", r("e")) + e("sup", r("-x"))), "e^(-x)"),
        (e("sSubSup", e("e", r("x")) + e("sub", r("i")) + e("sup", r("2"))), "x_i^2"),
        (e("sPre", e("sub", r("1")) + e("sup", r("2")) + e("e", r("H"))), "_1^2H"),
        (e("rad", e("deg", "") + e("e", r("2"))) + e("rad", e("deg", r("3")) + e("e", r("x"))), "√(2)3√(x)"),
        (
            e(
                "nary",
                e("naryPr", value("chr", "∑")) + e("sub", r("i=1")) + e("sup", r("n")) + e("e", r("i")),
            ),
            "∑_(i=1)^n i",
        ),
        (e("nary", e("sub", "") + e("sup", "") + e("e", r("dx"))), "∫ dx"),
        (
            e("d", e("dPr", value("begChr", "[") + value("endChr", "]")) + e("e", r("a")) + e("e", r("b"))),
            "[a|b]",
        ),
        (r("2") + e("func", e("fName", r("sin")) + e("e", r("x"))), "2 sin x"),
        (e("acc", e("accPr", value("chr", "\u0304")) + e("e", r("x"))), "x\u0304"),
        (e("limLow", e("e", r("lim")) + e("lim", r("n→∞"))), "lim_(n→∞)"),
        (
            e("m", e("mr", e("e", r("a")) + e("e", r("b"))) + e("mr", e("e", r("c")) + e("e", r("d")))),
            "[a, b; c, d]",
        ),
        (e("phant", e("phantPr", value("show", "0")) + e("e", r("x"))) + r("y"), "y"),
        (f"<w:ins>{r('new')}</w:ins><w:del>{r('old')}</w:del>", "new"),
        (e("box", e("e", r("x"))) + "<w:r><w:t>!</w:t></w:r>", "x!"),
        (e("eqArr", e("e", r("a=b")) + e("e", r("c=d"))), "a=b  \nc=d"),
    ],
)
def test_equations_are_lines_of_text(word, equation, expected):
    assert word.text(f"<w:p><m:oMath>{equation}</m:oMath></w:p>") == expected


def test_equations_stand_where_they_stand(word):
    lines = f"<m:oMathPara><m:oMath>{r('a=b')}</m:oMath><m:oMath>{r('c=d')}</m:oMath></m:oMathPara>"
    body = (
        f"<w:p>{word.r('With ')}<m:oMath>{r('x')}</m:oMath>{word.r(' known:')}</w:p>"
        + lines
        + f"<w:p>{lines}</w:p>"
    )
    assert word.text(body) == "With x known:\n\na=b  \nc=d\n\na=b  \nc=d"
