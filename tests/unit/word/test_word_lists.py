"""Lists: the numbers that Word shows but does not store."""

from __future__ import annotations

import pytest

from refdesk.reading.word.counting import written


def level(depth, form="decimal", text=None, *, start="1", more=""):
    text = f"%{depth + 1}." if text is None else text
    began = f'<w:start w:val="{start}"/>' if start else ""
    return (
        f'<w:lvl w:ilvl="{depth}">{began}<w:numFmt w:val="{form}"/>{more}<w:lvlText w:val="{text}"/></w:lvl>'
    )


def abstract(identity, *levels, more=""):
    return f'<w:abstractNum w:abstractNumId="{identity}">{"".join(levels)}{more}</w:abstractNum>'


def num(identity, shared, overrides=""):
    return f'<w:num w:numId="{identity}"><w:abstractNumId w:val="{shared}"/>{overrides}</w:num>'


def restart(depth, number):
    return f'<w:lvlOverride w:ilvl="{depth}"><w:startOverride w:val="{number}"/></w:lvlOverride>'


def numbered(identity, depth=None):
    at = "" if depth is None else f'<w:ilvl w:val="{depth}"/>'
    return f'<w:numPr>{at}<w:numId w:val="{identity}"/></w:numPr>'


PLAIN = abstract(0, level(0), level(1, "lowerLetter"), level(2, "lowerRoman", "(%3)")) + num(1, 0)
BULLETS = abstract(9, level(0, "bullet", "\uf0b7"), level(1, "bullet", "o")) + num(9, 9)


def items(word, *entries, numbering=PLAIN, **other):
    body = "".join(word.p(text, numbered(identity, depth)) for text, identity, depth in entries)
    return word.text(body, numbering=numbering, **other).split("\n")


@pytest.mark.req("DOC1")
def test_numbers_letters_and_roman_numbers_nest(word):
    assert items(
        word,
        ("a", 1, 0),
        ("b", 1, 0),
        ("c", 1, 1),
        ("d", 1, 1),
        ("e", 1, 2),
        ("f", 1, 2),
        ("g", 1, 1),
        ("h", 1, 0),
    ) == ["1. a", "2. b", "   - a. c", "   - b. d", "     - (i) e", "     - (ii) f", "   - c. g", "3. h"]


@pytest.mark.req("DOC1")
def test_bullets_nest(word):
    assert items(word, ("a", 9, 0), ("b", 9, 1), ("c", 9, 0), numbering=BULLETS) == ["- a", "  - b", "- c"]


def test_a_deeper_level_starts_again_below_the_next_item(word):
    assert items(word, ("a", 1, 0), ("b", 1, 1), ("c", 1, 0), ("d", 1, 1)) == [
        "1. a", "   - a. b", "2. c", "   - a. d",
    ]  # fmt: skip


def test_lists_that_share_their_levels_go_on_counting_unless_they_restart(word):
    numbering = PLAIN + num(2, 0) + num(3, 0, restart(0, 10)) + num(4, 0, restart(0, 1))
    found = items(
        word,
        ("a", 1, 0),
        ("b", 2, 0),
        ("c", 3, 0),
        ("d", 3, 0),
        ("e", 1, 0),
        ("f", 4, 0),
        ("g", 4, 0),
        numbering=numbering,
    )
    # Markdown counts on by itself: a jump stands in a list of its own.
    assert found == ["1. a", "2. b", "- 10. c", "11. d", "12. e", "- 1. f", "2. g"]


def test_text_between_does_not_restart_a_list(word):
    body = word.p("a", numbered(1)) + word.p("Between") + word.p("b", numbered(1))
    assert word.text(body, numbering=PLAIN) == "1. a\n\nBetween\n\n2. b"


def test_an_empty_item_counts_but_is_not_written(word):
    assert items(word, ("a", 1, 0), ("", 1, 0), ("c", 1, 0)) == ["1. a", "- 3. c"]


def test_a_label_names_the_levels_above(word):
    legal = abstract(
        0, level(0, "upperRoman"), level(1, text="%1.%2"), level(2, text="%1.%2.%3", more="<w:isLgl/>")
    )
    assert items(
        word,
        ("a", 1, 0),
        ("b", 1, 1),
        ("c", 1, 1),
        ("d", 1, 2),
        ("e", 1, 0),
        ("f", 1, 2),
        numbering=legal + num(1, 0),
    ) == ["- I. a", "  - I.1 b", "  - I.2 c", "    - 1.2.1 d", "- II. e", "  - 2.1.1 f"]


def test_level_restart_says_after_which_level_counting_begins_again(word):
    never = abstract(0, level(0), level(1, more='<w:lvlRestart w:val="0"/>'))
    assert items(word, ("a", 1, 0), ("b", 1, 1), ("c", 1, 0), ("d", 1, 1), numbering=never + num(1, 0)) == [
        "1. a", "   1. b", "2. c", "   2. d",
    ]  # fmt: skip
    first = abstract(0, level(0), level(1), level(2, more='<w:lvlRestart w:val="1"/>'))
    entries = [("a", 1, 2), ("b", 1, 1), ("c", 1, 2), ("d", 1, 0), ("e", 1, 2)]
    assert items(word, *entries, numbering=first + num(1, 0)) == [
        "1. a", "- 1. b", "     2. c", "1. d", "   1. e",
    ]  # fmt: skip


def test_an_override_may_redefine_a_level(word):
    overridden = num(
        2, 0, f'<w:lvlOverride w:ilvl="0">{level(0, "upperLetter", "Annex %1:")}</w:lvlOverride>'
    )
    assert items(word, ("a", 1, 0), ("b", 2, 0), numbering=PLAIN + overridden) == ["1. a", "- Annex B: b"]


def test_a_missing_start_is_zero(word):
    assert items(word, ("a", 1, 0), numbering=abstract(0, level(0, start="")) + num(1, 0)) == ["0. a"]


@pytest.mark.parametrize("depth", [None, 0, "x", "-1"])
def test_a_missing_or_broken_level_is_the_first(word, depth):
    assert items(word, ("a", 1, depth)) == ["1. a"]


def test_a_level_beyond_the_ninth_is_the_ninth(word):
    assert items(word, ("a", 1, 40), numbering=abstract(0, level(8, text="%9)")) + num(1, 0)) == ["1) a"]


def test_a_level_that_is_not_defined_is_a_bullet(word):
    assert items(word, ("a", 1, 7)) == ["- a"]


def test_no_list_unknown_lists_and_lists_without_label_are_text(word):
    silent = abstract(5, level(0, "none", "")) + num(5, 5)
    assert word.text(
        word.p("a", numbered(0)) + word.p("b", numbered(77)) + word.p("c", numbered(5)),
        numbering=PLAIN + silent,
    ) == ("a\n\nb\n\nc")
    assert word.text(word.p("a", numbered(1))) == "a"


def paragraph_style(identity, properties, *, based_on="", name=None):
    base = f'<w:basedOn w:val="{based_on}"/>' if based_on else ""
    return (
        f'<w:style w:type="paragraph" w:styleId="{identity}"><w:name w:val="{name or identity}"/>{base}'
        f"<w:pPr>{properties}</w:pPr></w:style>"
    )


def test_a_style_may_number_and_the_level_names_its_style(word):
    numbering = abstract(
        0, level(0, more='<w:pStyle w:val="S1"/>'), level(1, "lowerLetter", more='<w:pStyle w:val="S2"/>')
    )
    styles = (
        paragraph_style("S1", numbered(1))
        + paragraph_style("S2", numbered(1))
        + paragraph_style("S3", "", based_on="S2")
    )
    body = "".join(
        word.p(text, style=name) for text, name in (("a", "S1"), ("b", "S2"), ("c", "S3"), ("d", "S1"))
    )
    assert (
        word.text(body, styles=styles, numbering=numbering + num(1, 0)) == "1. a\n   - a. b\n   - b. c\n2. d"
    )


def test_a_paragraph_may_leave_the_list_of_its_style(word):
    body = word.p("a", style="S") + word.p("b", numbered(0), style="S") + word.p("c", style="S")
    assert word.text(body, styles=paragraph_style("S", numbered(1)), numbering=PLAIN) == "1. a\n\nb\n\n2. c"


def test_a_paragraph_may_only_change_the_level_of_its_style(word):
    body = word.p("a", style="S") + word.p("b", '<w:numPr><w:ilvl w:val="1"/></w:numPr>', style="S")
    assert word.text(body, styles=paragraph_style("S", numbered(1)), numbering=PLAIN) == "1. a\n   - a. b"


def test_a_list_may_point_to_a_list_style(word):
    numbering = (
        abstract(0, level(0, "upperLetter"))
        + abstract(1, more='<w:numStyleLink w:val="Legal"/>')
        + abstract(2, more='<w:numStyleLink w:val="Loop"/>')
        + num(1, 0)
        + num(2, 1)
        + num(3, 2)
    )
    styles = (
        f'<w:style w:type="numbering" w:styleId="Legal"><w:pPr>{numbered(1)}</w:pPr></w:style>'
        f'<w:style w:type="numbering" w:styleId="Loop"><w:pPr>{numbered(3)}</w:pPr></w:style>'
    )
    assert items(word, ("a", 2, 0), ("b", 2, 0), ("c", 3, 0), numbering=numbering, styles=styles) == [
        "- A. a",
        "- B. b",
        "- c",
    ]


def test_a_numbered_heading_keeps_its_number_as_text(word):
    numbering = abstract(0, level(0, text="%1"), level(1, text="%1.%2")) + num(1, 0)
    styles = paragraph_style("H1", numbered(1, 0), name="heading 1") + paragraph_style(
        "H2", numbered(1, 1), name="heading 2"
    )
    body = word.p("Scope", style="H1") + word.p("Terms", style="H2") + word.p("Law", style="H1")
    found = word.read(body, styles=styles, numbering=numbering)
    assert found.text == "# 1 Scope\n\n## 1.1 Terms\n\n# 2 Law"
    assert found.title == "Scope"


def test_a_custom_format_falls_back_to_the_ordinary_one(word):
    both = (
        '<w:lvl w:ilvl="0"><w:start w:val="1"/><mc:AlternateContent><mc:Choice Requires="w14">'
        '<w:numFmt w:val="custom" w:format="001, 002, 003, ..."/></mc:Choice>'
        '<mc:Fallback><w:numFmt w:val="decimalZero"/></mc:Fallback></mc:AlternateContent>'
        '<w:lvlText w:val="%1"/></w:lvl>'
    )
    assert items(word, ("a", 1, 0), numbering=abstract(0, both) + num(1, 0)) == ["01. a"]


@pytest.mark.parametrize(
    ("bullet", "font", "expected"),
    [
        ("\uf0b7", "Symbol", "- a"),
        ("o", "Courier New", "- a"),
        ("–", "Arial", "- a"),
        ("☐", "MS Gothic", "- ☐ a"),
        ("\uf0fe", "Wingdings", "- ☑ a"),
        ("Q:", "Arial", "- Q: a"),
    ],
)
def test_a_bullet_that_says_something_is_kept(word, bullet, font, expected):
    fonts = f'<w:rPr><w:rFonts w:ascii="{font}"/></w:rPr>'
    assert items(
        word, ("a", 1, 0), numbering=abstract(0, level(0, "bullet", bullet, more=fonts)) + num(1, 0)
    ) == [expected]


def test_line_breaks_stay_inside_of_the_item(word):
    run = "<w:r><w:t>a</w:t><w:br/><w:t>b</w:t><w:br/><w:br/><w:t># c</w:t></w:r>"
    body = f"<w:p><w:pPr>{numbered(1)}</w:pPr>{run}</w:p>"
    assert word.text(body, numbering=PLAIN) == "1. a  \n   b  \n   \\# c"


def test_deleted_and_hidden_items_do_not_count(word):
    deleted = "<w:del><w:r><w:delText>x</w:delText></w:r></w:del>"
    gone = f"<w:p><w:pPr>{numbered(1)}<w:rPr><w:del/></w:rPr></w:pPr>{deleted}</w:p>"
    hidden = f"<w:p><w:pPr>{numbered(1)}<w:rPr><w:vanish/></w:rPr></w:pPr>{word.r('x', '<w:vanish/>')}</w:p>"
    body = word.p("a", numbered(1)) + gone + hidden + word.p("b", numbered(1))
    assert word.text(body, numbering=PLAIN) == "1. a\n2. b"


@pytest.mark.parametrize(
    ("form", "numbers", "expected"),
    [
        ("decimal", (1, 10), "1 10"),
        ("decimalZero", (1, 10), "01 10"),
        ("lowerRoman", (4, 9, 14, 40, 90, 400, 1994), "iv ix xiv xl xc cd mcmxciv"),
        ("upperRoman", (0, 3, 99_999), "0 III 99999"),
        ("lowerLetter", (1, 26, 27, 53), "a z aa aaa"),
        ("upperLetter", (2, 28), "B BB"),
        ("ordinal", (1, 2, 3, 4, 11, 12, 13, 21, 111), "1st 2nd 3rd 4th 11th 12th 13th 21st 111th"),
        ("cardinalText", (1, 13, 20, 42, 100), "One Thirteen Twenty Forty-two 100"),
        ("ordinalText", (1, 12, 20, 21, 104), "First Twelfth Twentieth Twenty-first 104th"),
        ("hex", (10, 255), "A FF"),
        ("numberInDash", (7,), "- 7 -"),
        ("chicago", (1, 2, 5), "* † **"),
        ("russianLower", (1, 3), "а в"),
        ("decimalEnclosedCircle", (1, 20, 21), "① ⑳ 21"),
        ("decimalFullWidth", (10,), "１０"),
        (
            "chineseCounting",
            (1, 10, 12, 20, 105, 110, 2024),
            "一 十 十二 二十 一百〇五 一百一十 二千〇二十四",
        ),
        ("ideographTraditional", (1, 10), "甲 癸"),
        ("aiueo", (1, 6), "ア カ"),
        ("ganada", (2,), "나"),
        ("somethingNew", (5,), "5"),
    ],
)
def test_numbers_are_written_as_word_writes_them(form, numbers, expected):
    assert " ".join(written(number, form) for number in numbers) == expected
