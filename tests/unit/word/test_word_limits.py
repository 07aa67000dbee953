"""Limits on the text, and on what a hostile file may cost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from refdesk.reading.problem import Problem
from refdesk.reading.word import read_word


def refusal(data, limits):
    with pytest.raises(Problem) as caught:
        read_word(data, limits)
    return caught.value


@pytest.mark.req("DOC3")
def test_a_text_over_the_limit_is_refused_with_both_numbers(word):
    body = word.p("Title", style="Heading1") + word.p("a" * 500) + word.table(["A", "B"], ["1", "2"])
    text = word.text(body)
    assert read_word(word.file(body), replace(word.limits, max_characters=len(text))).text == text
    found = refusal(word.file(body), replace(word.limits, max_characters=len(text) - 1))
    assert (found.code, found.limit, found.actual) == ("too_many_characters", len(text) - 1, len(text))


@pytest.mark.req("DOC3")
def test_notes_and_pictures_count(word):
    body = f'<w:p>{word.r("Text")}<w:r><w:footnoteReference w:id="1"/></w:r>{word.picture()}</w:p>'
    footnotes = f'<w:footnote w:id="1">{word.p("x" * 100)}{word.p("y" * 100)}</w:footnote>'
    text = word.text(body, footnotes=footnotes)
    found = refusal(word.file(body, footnotes=footnotes), replace(word.limits, max_characters=100))
    assert found.actual == len(text)


def test_a_table_that_one_row_makes_wide_is_given_up_early(word):
    wide = word.row(*"x" * 400)
    rows = wide + word.row("y") * 20_000
    found = refusal(word.file(f"<w:tbl>{rows}</w:tbl>"), replace(word.limits, max_characters=50_000))
    assert found.code == "too_many_characters"
    assert found.actual > found.limit


def test_a_long_address_used_often_is_given_up_early(word):
    links = [("h", "hyperlink", "https://example.org/" + "a" * 2_000, "External")]
    content = '<w:hyperlink r:id="h"><w:r><w:t>x</w:t></w:r></w:hyperlink>' * 20_000
    found = refusal(
        word.file(f"<w:p>{content}</w:p>", links=links), replace(word.limits, max_characters=50_000)
    )
    assert found.code == "too_many_characters"


def test_a_long_label_is_cut(word):
    numbering = (
        '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="30000"/>'
        '<w:numFmt w:val="lowerRoman"/>'
        f'<w:lvlText w:val="{"%1" * 5_000}"/></w:lvl></w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    )
    assert len(word.text(word.p("a", word.numbered) * 50, numbering=numbering)) < 10_000


def test_long_spaces_breaks_and_brackets_take_no_time(word):
    """Patterns that look again from each sign would need minutes here."""
    spaces, breaks = " " * 300_000, "<w:br/>" * 100_000
    body = (
        f'<w:p><w:r><w:t xml:space="preserve">a{spaces}b</w:t>{breaks}<w:t>c</w:t></w:r></w:p>'
        + word.p("[\\" * 100_000, style="Heading1")
        + f"<w:p><w:r>{'<w:t>[</w:t><w:br/>' * 50_000}</w:r></w:p>"
        + word.p("-" * 200_000 + "x")
    )
    assert refusal(word.file(body), word.limits).code == "too_many_characters"


def test_many_nested_fields_and_long_style_chains_take_no_time(word):
    begin = '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>'
    end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    fields = f"<w:p>{begin * 20_000}{word.r('in')}{end * 20_000}</w:p>"
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="s{number}"><w:basedOn w:val="s{number + 1}"/></w:style>'
        for number in range(5_000)
    )
    body = fields + "".join(word.p("x", style=f"s{number}") for number in range(0, 5_000, 5))
    assert word.text(body, styles=styles).startswith("in\n\nx\n\nx")


def test_many_pictures_in_one_paragraph_take_no_time(word):
    found = word.read(
        f"<w:p>{'<w:r><w:t> </w:t></w:r>' * 2_000}{word.picture() * 3_000}{word.r('End')}</w:p>"
    )
    assert len(found.images) == 3_000
    assert found.text.endswith("End")
