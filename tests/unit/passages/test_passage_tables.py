"""Tables: a row keeps its header."""

from __future__ import annotations

import pytest

from refdesk.passages import Passage, split
from refdesk.passages.tables import cells, is_delimiter
from refdesk.policy import load_policy

HEADER = "| Name | City |\n|------|------|"


def cut(text: str, size: int, policy: str = "packs") -> list[Passage]:
    overrides = {"passages.size": size, "passages.max_size": size}
    return split(text, "markdown", (), load_policy(policy, overrides).passages)


def table(rows: int) -> str:
    return HEADER + "".join(f"\n| Person {n} | Town {n} |" for n in range(rows))


@pytest.mark.req("SPL5")
@pytest.mark.parametrize("policy", ["packs", "bases", "package"])
def test_rows_keep_their_header(policy: str) -> None:
    text = table(40)
    found = cut(text, 120, policy) if policy != "package" else cut(text, 90, policy)
    assert len(found) > 2
    for passage in found:
        assert passage.text.startswith(HEADER + "\n| Person")
        assert passage.text.endswith(text[passage.start : passage.end])
        assert passage.text.endswith("|")
        assert policy == "package" or len(passage.text) <= 120
    rows = [row for passage in found for row in passage.text.split("\n")[2:]]
    assert rows == text.split("\n")[2:]


@pytest.mark.req("SPL5")
def test_a_row_over_the_size_stays_whole_with_its_header_up_to_twice_the_size() -> None:
    text = HEADER + "".join(f"\n| Person {n} | {'word ' * 20}|" for n in range(4))
    found = cut(text, 100)
    assert [passage.text.count("Person") for passage in found] == [1, 1, 1, 1]
    assert all(100 < len(passage.text) <= 200 for passage in found)


@pytest.mark.req("SPL5")
def test_a_wider_row_is_cut_at_cells_each_with_its_column_and_row_names() -> None:
    columns = [f"Col{n}" for n in range(30)]
    text = f"| {' | '.join(columns)} |\n|{'---|' * 30}\n"
    text += "\n".join(f"| {' | '.join(f'r{row}c{n} value' for n in range(30))} |" for row in range(3))
    found = cut(text, 80)
    for row in range(3):
        for n in range(1, 30):
            (holder,) = [p for p in found if f"| r{row}c{n} value" in text[p.start : p.end]]
            names, _, values = holder.text.split("\n")
            place = [cell.strip() for cell in values.strip("|").split("|")].index(f"r{row}c{n} value")
            assert [name.strip() for name in names.strip("|").split("|")][place] == f"Col{n}"
            assert values.startswith(f"| r{row}c0 value |")


@pytest.mark.req("SPL5")
def test_a_cell_longer_than_a_passage_is_cut_and_keeps_its_names() -> None:
    text = HEADER + "\n| Ada | " + "Some long story is told. " * 30 + "|"
    found = cut(text, 100)
    assert len(found) > 5
    assert found[0].text.startswith(f"{HEADER}\n| Ada | Some long")
    assert all(passage.text.startswith("| Name | City |\n|-|-|\n| Ada | Some") for passage in found[1:])
    assert "".join("".join(text[p.start : p.end].split()) for p in found) == "".join(text.split())


@pytest.mark.req("SPL5")
def test_a_row_cut_into_cells_shares_no_passage_with_other_rows() -> None:
    wide = "| Wide | " + "Some long story is told. " * 10 + "|"
    found = cut(f"{table(3)}\n{wide}\n| Person 9 | Town 9 |", 120)
    holding = [passage.text for passage in found if "Some long" in passage.text]
    assert len(holding) > 2
    assert all(text.startswith("| Name | City |\n|-|-|\n| Wide |") for text in holding)
    assert not any("Person" in text for text in holding)
    assert found[-1].text == f"{HEADER}\n| Person 9 | Town 9 |"


def test_a_caption_stays_with_its_table_where_both_fit() -> None:
    words = "Words stand here before it. " * 5
    found = cut(f"{words}\n\nTable 3: who lives where\n\n{table(2)}", 200)
    assert found[1].text == f"Table 3: who lives where\n\n{table(2)}"


def test_a_small_table_is_not_cut() -> None:
    words = "Words stand here before it. " * 5
    found = cut(f"{words}\n\n{table(4)}\n\n{words}", 150)
    assert table(4) in [passage.text for passage in found]


def test_cells_and_delimiters() -> None:
    row = r"| a \| b | `c` || d |"
    assert [row[cell.start : cell.end] for cell in cells(row, 0, len(row))] == [
        r"| a \| b ",
        "| `c` ",
        "|",
        "| d |",
    ]
    assert is_delimiter("---|:-:", "a | b")
    assert is_delimiter("| - |", "| a |")
    assert not is_delimiter("---|---", "a | b | c")
    assert not is_delimiter("|---| x |", "| a | b |")
    assert not is_delimiter("---", "a")
    assert not is_delimiter("|  |", "| a |")
