"""Tables: each cell in its column, each row with its meaning."""

from __future__ import annotations

import pytest


def span(columns):
    return f'<w:gridSpan w:val="{columns}"/>'


START, GO_ON, GO_ON_SHORT = '<w:vMerge w:val="restart"/>', '<w:vMerge w:val="continue"/>', "<w:vMerge/>"


@pytest.mark.req("DOC1")
def test_a_table_is_a_markdown_table_with_its_first_row_as_header(word):
    body = word.p("Prices") + word.table(["Item", "Price"], ["Pen", "2 €"]) + word.p("End")
    assert word.text(body) == "Prices\n\n| Item | Price |\n| --- | --- |\n| Pen | 2 € |\n\nEnd"


def test_a_horizontally_merged_cell_stands_once_and_the_next_keeps_its_column(word):
    rows = word.row("A", "B", "C") + word.row(word.cell("wide", span(2)), "c") + word.row("1", "2", "3")
    assert word.text(f"<w:tbl>{rows}</w:tbl>").split("\n")[2:] == ["| wide |  | c |", "| 1 | 2 | 3 |"]


def test_the_old_horizontal_merge_reads_the_same(word):
    first, next_ = '<w:hMerge w:val="restart"/>', '<w:hMerge w:val="continue"/>'
    rows = word.row("A", "B", "C") + word.row(word.cell("wide", first), word.cell("", next_), "c")
    assert word.text(f"<w:tbl>{rows}</w:tbl>").split("\n")[2:] == ["| wide |  | c |"]


@pytest.mark.parametrize("go_on", [GO_ON, GO_ON_SHORT])
def test_a_vertically_merged_cell_is_said_in_each_of_its_rows(word, go_on):
    rows = (
        word.row("Region", "City")
        + word.row(word.cell("North", START), "Oslo")
        + word.row(word.cell("", go_on), "Bergen")
        + word.row("South", "Rome")
    )
    assert word.text(f"<w:tbl>{rows}</w:tbl>").split("\n")[2:] == [
        "| North | Oslo |", "| North | Bergen |", "| South | Rome |",
    ]  # fmt: skip


def test_a_long_merged_text_is_said_once(word):
    rows = (
        word.row("A", "B") + word.row(word.cell("x" * 300, START), "1") + word.row(word.cell("", GO_ON), "2")
    )
    assert word.text(f"<w:tbl>{rows}</w:tbl>").count("x" * 300) == 1


def test_a_row_that_starts_late_is_in_its_columns(word):
    rows = word.row("A", "B", "C") + word.row("c", properties='<w:gridBefore w:val="2"/>')
    assert word.text(f"<w:tbl>{rows}</w:tbl>").split("\n")[2:] == ["|  |  | c |"]


def test_borders_drawn_by_hand_do_not_shift_cells(word):
    """The second border stands a little further left in the second row: 50 twentieths of a point."""
    rows = word.row("A", word.cell("B", span(2)), word.cell("C", span(1))) + word.row(
        word.cell("a"), word.cell("b"), word.cell("c", span(2))
    )

    def grid(gap):
        widths = (3_000, 3_000, gap, 3_000)
        columns = "".join(f'<w:gridCol w:w="{width}"/>' for width in widths)
        return word.text(f"<w:tbl><w:tblGrid>{columns}</w:tblGrid>{rows}</w:tbl>").split("\n")

    assert grid(50) == ["| A | B | C |", "| --- | --- | --- |", "| a | b | c |"]
    assert grid(900)[0::2] == ["| A | B |  | C |", "| a | b | c |  |"]
    assert word.text(f"<w:tbl>{rows}</w:tbl>").split("\n")[0::2] == ["| A | B |  | C |", "| a | b | c |  |"]


def test_narrow_columns_with_text_of_their_own_stay_apart(word):
    columns = '<w:gridCol w:w="3000"/><w:gridCol w:w="60"/><w:gridCol w:w="60"/>'
    rows = word.row("A", "B", "C") + word.row("1", "2", "3")
    text = word.text(f"<w:tbl><w:tblGrid>{columns}</w:tblGrid>{rows}</w:tbl>")
    assert text == "| A | B | C |\n| --- | --- | --- |\n| 1 | 2 | 3 |"


@pytest.mark.parametrize("huge", ["1000000000", "1e9", "-3", "x", "9" * 5_000])
def test_an_absurd_span_costs_nothing(word, huge):
    rows = word.row("A", "B", "C") + word.row(word.cell("a", span(huge)), "b")
    text = word.text(f"<w:tbl>{rows}</w:tbl>")
    assert "| a |" in text
    assert len(text) < 100


def test_rows_and_columns_without_text_are_left_out(word):
    body = word.table(["", "", ""], ["Item", "", "Price"], ["", "", ""], ["Pen", "", "2"])
    assert word.text(body) == "| Item | Price |\n| --- | --- |\n| Pen | 2 |"


@pytest.mark.req("SPL5")
def test_several_header_rows_are_one(word):
    repeated = "<w:tblHeader/>"
    rows = (
        word.row(word.cell("Region", START), word.cell("Price", span(2)), properties=repeated)
        + word.row(word.cell("", GO_ON), "2025", "2026", properties=repeated)
        + word.row("North", "1", "2")
    )
    assert word.text(f"<w:tbl>{rows}</w:tbl>") == (
        "| Region | Price 2025 | Price 2026 |\n| --- | --- | --- |\n| North | 1 | 2 |"
    )


@pytest.mark.req("SPL5")
def test_a_row_that_one_cell_fills_above_the_header_is_a_caption(word):
    rows = word.row(word.cell("Prices 2026", span(2))) + word.row("Item", "Price") + word.row("Pen", "2")
    assert word.text(f"<w:tbl>{rows}</w:tbl>") == (
        "Prices 2026\n\n| Item | Price |\n| --- | --- |\n| Pen | 2 |"
    )


def test_a_table_of_captions_alone_is_a_table(word):
    rows = word.row(word.cell("One", span(2))) + word.row(word.cell("Two", span(2)))
    assert word.text(f"<w:tbl>{rows}</w:tbl>") == "| One |\n| --- |\n| Two |"


def test_lines_lists_and_pipes_in_a_cell(word):
    cell = (
        "<w:p><w:r><w:t>a|b</w:t><w:br/><w:br/><w:t>c</w:t><w:tab/><w:t>d</w:t></w:r></w:p>"
        + word.p("one", word.numbered)
        + word.p("two", word.numbered)
        + word.p("# Title", style="Heading1")
    )
    text = word.text(word.table(["X", "Y"], [cell, "z"]), numbering=word.numbers)
    assert text.split("\n")[2] == r"| a\|b<br>c d<br>1. one<br>2. two<br># Title | z |"


def test_a_table_in_a_cell_gives_a_line_for_each_row(word):
    inner = word.p("Before") + word.table(["A", "B"], ["1", word.table(["2|3", "4"])]) + word.p("")
    assert word.text(word.table(["X", "Y"], [inner, "z"])).split("\n")[2] == (
        r"| Before<br>A \| B<br>1 \| 2\|3 \| 4 | z |"
    )


def test_a_table_of_one_cell_is_a_frame(word):
    framed = (
        word.p("Notice", style="Heading2") + word.p("Closed on Monday") + word.table(["A", "B"], ["1", "2"])
    )
    expected = "## Notice\n\nClosed on Monday\n\n| A | B |\n| --- | --- |\n| 1 | 2 |"
    assert word.text(word.table([framed])) == expected
    assert word.text(word.table([word.table([framed])])) == expected
    assert word.text(word.table(["", framed], ["", ""])) == expected


def test_one_column_of_more_than_lines_is_a_frame(word):
    assert word.text(word.table([word.p("a") + word.p("b")], ["c"])) == "a\n\nb\n\nc"
    assert word.text(word.table(["a"], ["b"])) == "| a |\n| --- |\n| b |"


def test_rows_and_cells_in_wrappers_are_found(word):
    def control(content):
        return f"<w:sdt><w:sdtPr/><w:sdtContent>{content}</w:sdtContent></w:sdt>"

    rows = (
        word.row("A", "B")
        + control(word.row(word.cell("a"), "b"))
        + f"<w:ins>{word.row('c', 'd')}</w:ins>"
        + f"<w:customXml>{word.row('e', 'f')}</w:customXml>"
        + f"<w:tr>{control(word.cell('g'))}{word.cell(control(word.p('h')))}</w:tr>"
    )
    assert word.text(control(f"<w:tbl>{rows}</w:tbl>")).split("\n")[2:] == [
        "| a | b |", "| c | d |", "| e | f |", "| g | h |",
    ]  # fmt: skip


def test_deleted_and_hidden_rows_and_deleted_cells_are_gone(word):
    rows = (
        word.row("A", "B")
        + word.row("x", "x", properties="<w:del/>")
        + word.row("y", "y", properties="<w:hidden/>")
        + word.row("a", word.cell("z", "<w:cellDel/>"), "b", properties='<w:hidden w:val="0"/>')
    )
    assert word.text(f"<w:tbl>{rows}</w:tbl>").split("\n")[2:] == ["| a | b |"]


@pytest.mark.req("FIG4")
def test_the_pictures_of_a_table_stand_below_it(word):
    picture = f"<w:p>{word.picture()}</w:p>"
    body = (
        word.table(["Name", "Badge"], ["Ann", picture + word.p("blue")], ["Bob", picture])
        + word.p("End")
        + picture
    )
    found = word.read(body, links=[("rImage", "image", "m.png")], parts={"word/m.png": word.png})
    assert found.text.split("\n\n") == [
        "| Name | Badge |\n| --- | --- |\n| Ann | blue |\n| Bob |  |",
        "\ue0001\ue001", "\ue0002\ue001", "End", "\ue0003\ue001",
    ]  # fmt: skip


def test_a_table_after_a_list_or_in_one_stands_apart(word):
    body = word.p("a", word.numbered) + word.table(["A", "B"], ["1", "2"]) + word.p("b", word.numbered)
    assert word.text(body, numbering=word.numbers) == "1. a\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\n2. b"
