"""The text of paragraphs: what a reader of the page sees, once."""

from __future__ import annotations

import pytest


def run(content, properties=""):
    return f"<w:r><w:rPr>{properties}</w:rPr>{content}</w:r>"


def t(text):
    return f'<w:t xml:space="preserve">{text}</w:t>'


def char(kind, data=""):
    return f'<w:r><w:fldChar w:fldCharType="{kind}">{data}</w:fldChar></w:r>'


def instruction(text):
    return f'<w:r><w:instrText xml:space="preserve">{text}</w:instrText></w:r>'


def paragraph(word, content, **other):
    return word.text(f"<w:p>{content}</w:p>", **other)


# characters


def test_tabs_and_line_breaks_are_kept(word):
    content = run(
        "<w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:cr/><w:t>d</w:t><w:ptab/><w:t>e</w:t>"
    )
    assert paragraph(word, content) == "a\tb  \nc  \nd\te"


def test_line_ends_of_the_xml_are_spaces(word):
    assert paragraph(word, run("<w:t>one\n two&#13;&#10;three</w:t>")) == "one  two  three"


def test_soft_hyphens_go_and_no_break_hyphens_stay(word):
    content = run(
        "<w:t>co</w:t><w:softHyphen/><w:t>op\u00aderate SKU</w:t><w:noBreakHyphen/><w:t>12 a\u20111</w:t>"
    )
    assert paragraph(word, content) == "cooperate SKU-12 a\u20111"


def test_control_characters_and_the_signs_of_pictures_are_removed(word):
    assert paragraph(word, run(t("a\ue0001\ue001b\x85c\u2028d\ufeff\x93e\x7f"))) == "a1b c de"


@pytest.mark.parametrize(
    ("font", "code", "expected"),
    [
        ("Symbol", "F061", "α"),
        ("Symbol", "61", "α"),
        ("Wingdings", "F0FE", "☑"),
        ("Wingdings", "F0A8", "☐"),
        ("Wingdings 2", "F052", "☑"),
        ("MS Gothic", "2612", "☒"),
    ],
)
def test_signs_of_symbol_fonts_are_letters(word, font, code, expected):
    assert paragraph(word, run(f'<w:sym w:font="{font}" w:char="{code}"/>') + run(t(" x"))) == f"{expected} x"


def test_letters_typed_in_a_symbol_font_are_letters(word):
    content = run(t("\uf061\uf062 and \uf067"), '<w:rFonts w:ascii="Symbol"/>')
    assert paragraph(word, content) == "αβ and γ"


def test_signs_without_a_letter_are_told(word):
    unknown = run(t("a") + '<w:sym w:font="Wingdings" w:char="F001"/><w:sym/>') + run(t("b\uf0ff"))
    found = word.read(f"<w:p>{unknown}</w:p>")
    assert found.text == "ab"
    assert found.notes == ["2 signs of symbol fonts have no letter and were left out."]


def test_raised_and_lowered_digits_keep_their_meaning(word):
    up, down = '<w:vertAlign w:val="superscript"/>', '<w:vertAlign w:val="subscript"/>'
    content = (
        run(t("10"))
        + run(t("-5"), up)
        + run(t(" m H"))
        + run(t("2"), down)
        + run(t("O 1"))
        + run(t("st"), up)
    )
    assert paragraph(word, content) == "10⁻⁵ m H₂O 1st"


def test_ruby_gives_its_base_alone(word):
    ruby = f"<w:rt>{run(t('とう'))}</w:rt><w:rubyBase>{run(t('東'))}</w:rubyBase>"
    assert paragraph(word, run(f"<w:ruby>{ruby}</w:ruby>") + run(t("京"))) == "東京"


def test_runs_in_wrappers_are_read(word):
    wrapped = "".join(
        f"<w:{name}>{run(t(name[0]))}</w:{name}>"
        for name in ("smartTag", "customXml", "bdo", "dir", "ins", "moveTo")
    )
    assert paragraph(word, wrapped) == "scbdim"


# tracked changes, comments, hidden text


@pytest.mark.req("DOC1")
def test_tracked_changes_are_resolved(word):
    content = (
        run(t("Keep "))
        + f"<w:ins>{run(t('new '))}<w:del>{run('<w:delText>both</w:delText>')}</w:del></w:ins>"
        + f"<w:del>{run('<w:delText>old</w:delText>' + t('old'))}</w:del>"
        + f"<w:del><w:hyperlink>{run(t('old'))}</w:hyperlink></w:del>"
        + f"<w:moveFrom>{run(t('from'))}</w:moveFrom><w:moveTo>{run(t('moved'))}</w:moveTo>"
    )
    assert paragraph(word, content) == "Keep new moved"


def test_former_properties_are_not_properties(word):
    former = '<w:pPrChange><w:pPr><w:pStyle w:val="Heading1"/><w:outlineLvl w:val="0"/></w:pPr></w:pPrChange>'
    assert word.text(word.p("Text", former)) == "Text"
    assert paragraph(word, run(t("seen"), "<w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange>")) == "seen"


@pytest.mark.parametrize("gone", ["<w:del/>", "<w:moveFrom/>"])
def test_a_deleted_paragraph_end_joins_two_paragraphs(word, gone):
    joined = word.p("One ", f"<w:rPr>{gone}</w:rPr>") + word.p("two", style="Heading1")
    assert word.text(joined + word.p("Three")) == "# One two\n\nThree"
    assert (
        word.text(word.p("One", f"<w:rPr>{gone}</w:rPr>") + word.table(["a", "b"]))
        == "One\n\n| a | b |\n| --- | --- |"
    )
    assert word.text(word.p("Last", f"<w:rPr>{gone}</w:rPr>")) == "Last"


def test_a_drop_cap_is_part_of_its_word(word):
    assert (
        word.text(word.p("O", '<w:framePr w:dropCap="drop"/>') + word.p("nce upon a time"))
        == "Once upon a time"
    )


def test_comments_are_not_text(word):
    content = f'<w:commentRangeStart w:id="0"/>{run(t("Text"))}<w:commentRangeEnd w:id="0"/>' + run(
        '<w:commentReference w:id="0"/><w:annotationRef/>'
    )
    comments = word.root("w:comments", f'<w:comment w:id="0">{word.p("secret remark")}</w:comment>')
    assert (
        paragraph(
            word, content, links=[("c", "comments", "comments.xml")], parts={"word/comments.xml": comments}
        )
        == "Text"
    )


def test_headers_and_footers_are_not_text(word):
    header = {"word/header1.xml": word.root("w:hdr", word.p("Running head"))}
    body = word.p("Text") + '<w:sectPr><w:headerReference w:type="default" r:id="h"/></w:sectPr>'
    assert word.text(body, links=[("h", "header", "header1.xml")], parts=header) == "Text"


HIDING = (
    '<w:style w:type="character" w:styleId="Hide"><w:rPr><w:vanish/></w:rPr></w:style>'
    '<w:style w:type="character" w:styleId="Hide2"><w:basedOn w:val="Hide"/></w:style>'
    '<w:style w:type="character" w:styleId="Show"><w:basedOn w:val="Hide"/>'
    '<w:rPr><w:vanish w:val="0"/></w:rPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="HideAll"><w:rPr><w:vanish/></w:rPr></w:style>'
)


def test_hidden_text_is_left_out_however_it_is_hidden(word):
    content = (
        run(t("a"))
        + run(t("1"), "<w:vanish/>")
        + run(t("b"), '<w:vanish w:val="false"/>')
        + run(t("2"), '<w:vanish w:val="true"/>')
        + run(t("3"), '<w:rStyle w:val="Hide"/>')
        + run(t("4"), '<w:rStyle w:val="Hide2"/>')
        + run(t("c"), '<w:rStyle w:val="Show"/>')
        + run(t("d"), '<w:rStyle w:val="Hide"/><w:vanish w:val="0"/>')
        + run(t("e"), "<w:webHidden/>")
    )
    assert paragraph(word, content, styles=HIDING) == "abcde"


def test_a_paragraph_style_may_hide_and_a_run_may_show(word):
    content = (
        '<w:pPr><w:pStyle w:val="HideAll"/></w:pPr>'
        + run(t("1"))
        + run(t("a"), '<w:vanish w:val="0"/>')
        + run(t("b"), '<w:rStyle w:val="Hide"/>')  # both styles switch: on and off again
    )
    assert paragraph(word, content, styles=HIDING) == "ab"


def test_hidden_pictures_and_boxes_are_left_out(word):
    picture = word.picture().replace("<w:r>", "<w:r><w:rPr><w:vanish/></w:rPr>")
    other = word.picture().replace("<wp:docPr ", '<wp:docPr hidden="1" ')
    found = word.read(f"<w:p>{run(t('Text'))}{picture}{other}</w:p>")
    assert (found.text, found.images) == ("Text", [])


# content controls


@pytest.mark.req("DOC1")
def test_check_boxes_show_their_state(word):
    def box(state, content):
        mark = f'<w14:checkbox><w14:checked w14:val="{state}"/></w14:checkbox>'
        return f"<w:sdt><w:sdtPr>{mark}</w:sdtPr><w:sdtContent>{content}</w:sdtContent></w:sdt>"

    sign = run('<w:sym w:font="MS Gothic" w:char="2610"/>')
    content = (
        box(1, run(t("☒"))) + run(t(" Tea ")) + box(0, sign) + run(t(" Milk ")) + box(1, "") + box(0, "")
    )
    assert paragraph(word, content) == "☒ Tea ☐ Milk ☒☐"


def test_controls_hold_paragraphs_runs_and_other_controls(word):
    def control(content):
        return f"<w:sdt><w:sdtContent>{content}</w:sdtContent></w:sdt>"

    inner = f"<w:p>{run(t('It is '))}{control(run(t('chosen')))}</w:p>"
    assert word.text(control(control(inner)) + "<w:sdt/>") == "It is chosen"


# fields


def field(code, result):
    return char("begin") + instruction(code) + char("separate") + result + char("end")


def test_a_field_shows_its_result_and_not_its_instruction(word):
    content = (
        run(t("Page "))
        + field(" PAGE ", run(t("7")))
        + run(t(" of "))
        + '<w:fldSimple w:instr=" NUMPAGES "><w:r><w:t>9</w:t></w:r></w:fldSimple>'
    )
    assert paragraph(word, content) == "Page 7 of 9"


def test_a_field_in_the_instruction_of_another_is_not_shown(word):
    inner = field(" MERGEFIELD Sex ", run(t("f")))
    content = (
        char("begin")
        + instruction(" IF ")
        + inner
        + instruction(' = "f" ')
        + char("separate")
        + run(t("Mrs"))
        + char("end")
    )
    assert paragraph(word, content) == "Mrs"


def test_a_field_without_result_shows_nothing(word):
    assert (
        paragraph(word, run(t("a")) + char("begin") + instruction(' XE "index" ') + char("end") + run(t("b")))
        == "ab"
    )


def test_equations_that_are_only_instructions_are_told(word):
    equation = char("begin") + instruction(" EQ \\f(1,2)") + char("end")
    found = word.read(f"<w:p>{run(t('a'))}{equation}</w:p>")
    assert (found.text, found.notes) == ("a", ["1 equation written as a field (EQ) was not read."])


def test_fields_in_hidden_runs_are_followed(word):
    hidden = char("begin").replace("<w:r>", "<w:r><w:rPr><w:vanish/></w:rPr>")
    assert (
        paragraph(
            word, run(t("a")) + hidden + instruction(" TC x ") + run(t("x")) + char("end") + run(t("b"))
        )
        == "ab"
    )


def test_a_field_may_span_paragraphs(word):
    body = (
        f"<w:p>{char('begin')}{instruction(' TOC ')}{char('separate')}{run(t('Scope 1'))}</w:p>"
        f"<w:p>{run(t('Terms 2'))}</w:p><w:p>{char('end')}</w:p>" + word.p("Text")
    )
    assert word.text(body) == "Scope 1\n\nTerms 2\n\nText"


@pytest.mark.parametrize(
    "broken",
    [
        char("begin") + instruction(" PAGE "),
        char("separate"),
        char("end"),
        char("end") + char("begin"),
        char("begin") + f"<w:del>{char('end')}</w:del>",
        f"<w:del>{char('begin')}</w:del>" + char("separate") + char("end"),
        char("x"),
    ],
)
def test_broken_fields_do_not_swallow_the_document(word, broken):
    assert (
        word.text(word.p("Before") + f"<w:p>{broken}{run(t('same'))}</w:p>" + word.p("After"))
        == "Before\n\nsame\n\nAfter"
    )


def test_legacy_form_fields_show_what_was_chosen(word):
    checked = "<w:ffData><w:checkBox><w:default w:val='0'/><w:checked/></w:checkBox></w:ffData>"
    default = "<w:ffData><w:checkBox><w:default w:val='0'/></w:checkBox></w:ffData>"
    entries = "<w:result w:val='1'/><w:listEntry w:val='red'/><w:listEntry w:val='blue'/>"
    choice = f"<w:ffData><w:ddList>{entries}</w:ddList></w:ffData>"
    content = "".join(
        char("begin", data) + instruction(" FORM ") + char("end") + run(t(" "))
        for data in (checked, default, choice)
    )
    assert paragraph(word, content) == "☒ ☐ blue"


# links

LINK = [("h", "hyperlink", "https://example.org/a b(1)?q=ä&amp;x#f", "External")]


@pytest.mark.req("DOC1")
def test_links_to_the_web_are_markdown_links(word):
    content = f'<w:hyperlink r:id="h">{run(t("our"))}{run(t(" [big] site"))}</w:hyperlink>' + run(t("."))
    assert (
        paragraph(word, content, links=LINK)
        == r"[our \[big\] site](https://example.org/ab%281%29?q=%C3%A4&x#f)."
    )


def test_a_link_into_a_page_keeps_its_place(word):
    links = [
        ("h", "hyperlink", "MAILTO:desk@example.org", "external"),
        ("i", "hyperlink", "http://example.org", "External"),
    ]
    content = f'<w:hyperlink r:id="h">{run(t("mail"))}</w:hyperlink>'
    content += f'<w:hyperlink r:id="i" w:anchor="x">{run(t("web"))}</w:hyperlink>'
    assert (
        paragraph(word, content, links=links) == "[mail](MAILTO:desk@example.org)[web](http://example.org#x)"
    )


@pytest.mark.parametrize(
    "target",
    [
        "javascript:alert(1)",
        "file:///c:/secret.docx",
        "ftp://example.org",
        "data:text/html,x",
        "other.docx",
        "//example.org",
        "  java\tscript:alert(1)",
        "http:",
        "https://",
        "http://" + "a" * 3_000,
    ],
)
def test_other_targets_leave_the_text_alone(word, target):
    content = f'<w:hyperlink r:id="h">{run(t("text"))}</w:hyperlink>'
    assert paragraph(word, content, links=[("h", "hyperlink", target, "External")]) == "text"


@pytest.mark.parametrize("attributes", ['w:anchor="_Toc1"', 'r:id="missing"', ""])
def test_links_inside_of_the_document_are_text(word, attributes):
    assert paragraph(word, f"<w:hyperlink {attributes}>{run(t('see below'))}</w:hyperlink>") == "see below"


def test_link_fields_are_links(word):
    content = field(' HYPERLINK "https://example.org/x" \\o "tip" ', run(t("site"))) + run(t(" "))
    content += field(' HYPERLINK \\l "_Toc1" ', run(t("below"))) + field(
        ' HYPERLINK "javascript:x" ', run(t("!"))
    )
    content += '<w:fldSimple w:instr=" hyperlink mailto:a@b.c "><w:r><w:t>mail</w:t></w:r></w:fldSimple>'
    assert paragraph(word, content) == "[site](https://example.org/x) below![mail](mailto:a@b.c)"


def test_a_link_inside_of_a_link_is_not_written_twice(word):
    inner = field(' HYPERLINK "https://example.org/x" ', run(t("site")))
    assert (
        paragraph(word, f'<w:hyperlink r:id="h">{inner}</w:hyperlink>', links=LINK)
        == "[site](https://example.org/x)"
    )


def test_a_link_without_text_is_nothing(word):
    assert (
        paragraph(
            word,
            f'{run(t("a"))}<w:hyperlink r:id="h">{run("<w:tab/>")}</w:hyperlink>{run(t("b"))}',
            links=LINK,
        )
        == "a\tb"
    )
