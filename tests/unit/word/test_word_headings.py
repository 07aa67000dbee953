"""Headings: by style name, outline level and inheritance; and the document's title."""

from __future__ import annotations

import pytest

CORE = "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties"


def style(identity, name, *, based_on="", properties=""):
    base = f'<w:basedOn w:val="{based_on}"/>' if based_on else ""
    return (
        f'<w:style w:type="paragraph" w:styleId="{identity}"><w:name w:val="{name}"/>{base}'
        f"<w:pPr>{properties}</w:pPr></w:style>"
    )


def outline(level):
    return f'<w:outlineLvl w:val="{level}"/>'


@pytest.mark.req("DOC1")
@pytest.mark.parametrize(
    ("name", "marks"),
    [
        ("Title", "#"),
        ("heading 1", "#"),
        ("heading 3", "###"),
        ("Heading 6", "######"),
        ("heading 9", "######"),
        ("Überschrift 2", "##"),
        ("Titre 4", "####"),
        ("Titre", "#"),
        ("Заголовок 2", "##"),
        ("見出し 1", "#"),
        ("标题 3", "###"),
        ("Rubrik2", "##"),
    ],
)
def test_a_heading_is_known_by_the_name_of_its_style(word, name, marks):
    assert word.text(word.p("Refunds", style="x7"), styles=style("x7", name)) == f"{marks} Refunds"


@pytest.mark.parametrize(
    "name", ["heading", "Heading 1 Char note", "Subtitle", "TOC Heading", "toc 1", "Normal", "header"]
)
def test_other_styles_are_text(word, name):
    assert word.text(word.p("Refunds", style="x7"), styles=style("x7", name)) == "Refunds"


def test_the_outline_level_of_a_style_decides_before_its_name(word):
    styles = (
        style("A", "Clause", properties=outline(1))
        + style("B", "heading 1", properties=outline(9))
        + style("C", "Deep", properties=outline(7))
    )
    body = word.p("One", style="A") + word.p("Two", style="B") + word.p("Three", style="C")
    assert word.text(body, styles=styles) == "## One\n\nTwo\n\n###### Three"


def test_the_outline_level_of_a_paragraph_decides_before_its_style(word):
    body = (
        word.p("One", outline(2))
        + word.p("Two", outline(9), style="Heading1")
        + word.p("Three", outline("x"))
    )
    assert word.text(body) == "### One\n\nTwo\n\nThree"


def test_styles_inherit_and_may_run_in_a_circle(word):
    styles = (
        style("H2", "heading 2")
        + style("Mine", "Company section", based_on="H2")
        + style("Mine2", "Company subsection", based_on="Mine")
        + style("Flat", "Company text", based_on="H2", properties=outline(9))
        + style("C1", "Circle 1", based_on="C2")
        + style("C2", "Circle 2", based_on="C1")
        + style("Orphan", "Orphan", based_on="Nowhere")
    )
    body = "".join(word.p(name, style=name) for name in ("Mine", "Mine2", "Flat", "C1", "Orphan"))
    assert word.text(body, styles=styles) == "## Mine\n\n## Mine2\n\nFlat\n\nC1\n\nOrphan"


def test_the_default_style_holds_for_paragraphs_that_name_none(word):
    styles = '<w:style w:type="paragraph" w:default="1" w:styleId="N"><w:name w:val="heading 2"/></w:style>'
    assert word.text(word.p("Refunds"), styles=styles) == "## Refunds"


def test_without_a_styles_part_the_style_id_is_its_name(word):
    body = (
        word.p("Handbook", style="Title")
        + word.p("Refunds", style="Heading2")
        + word.p("Text", style="BodyText")
    )
    assert word.text(body) == "# Handbook\n\n## Refunds\n\nText"
    assert word.text(body, links=[("s", "styles", "missing.xml")]) == "# Handbook\n\n## Refunds\n\nText"


def test_a_heading_is_one_line_and_empty_ones_are_left_out(word):
    body = word.p("", style="Heading1") + (
        '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Terms</w:t><w:br/>'
        "<w:t>of sale #</w:t></w:r></w:p>"
    )
    assert word.text(body) == r"# Terms of sale \#"


def test_text_that_looks_like_structure_is_escaped(word):
    lines = [
        "# no heading",
        "```",
        "~~~~",
        "---",
        "===",
        "***",
        "[x]: http://example.org",
        "#hashtag",
        "- dash",
        "1. one",
    ]
    written = word.text("".join(word.p(line) for line in lines)).split("\n\n")
    assert written == ["\\" + line for line in lines[:7]] + lines[7:]


def test_lines_after_a_break_are_escaped_too(word):
    body = "<w:p><w:r><w:t>Total</w:t><w:br/><w:t>---</w:t><w:br/><w:t># 5</w:t></w:r></w:p>"
    assert word.text(body) == "Total  \n\\---  \n\\# 5"


@pytest.mark.req("D2")
def test_the_title_is_the_first_heading_without_marks(word):
    heading = (
        '<w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr><w:hyperlink r:id="h">'
        "<w:r><w:t>Refunds [EU]</w:t></w:r></w:hyperlink>"
        '<w:r><w:footnoteReference w:id="1"/><w:br/><w:t>and returns</w:t></w:r></w:p>'
    )
    found = word.read(
        word.p("Draft") + heading + word.p("Later", style="Title"),
        footnotes='<w:footnote w:id="1"><w:p><w:r><w:t>note</w:t></w:r></w:p></w:footnote>',
        links=[("h", "hyperlink", "https://example.org/x", "External")],
    )
    assert found.title == "Refunds [EU] and returns"


@pytest.mark.req("D2")
def test_a_heading_in_a_frame_may_be_the_title_but_not_one_in_a_table(word):
    heading = word.p("Cover", style="Title")
    found = word.read(
        word.table(["a", word.p("Cell", style="Heading1")]) + word.table([heading + word.p("x")])
    )
    assert found.title == "Cover"


@pytest.mark.req("D2")
def test_without_a_heading_the_title_property_is_the_title(word):
    core = '<c xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title> Price\u00ad list\n2026 </dc:title></c>'
    parts = {
        "docProps/core.xml": core,
        "_rels/.rels": word.relationships(
            [("a", "officeDocument", "word/document.xml"), ("c", CORE, "docProps/core.xml")]
        ),
    }
    assert word.read(word.p("Text"), parts=parts).title == "Price list 2026"
    assert word.read(word.p("Heading", style="Heading1"), parts=parts).title == "Heading"
    assert word.read(word.p("Text")).title is None
