"""Markers, labels and the image line."""

from __future__ import annotations

import pytest

from refdesk.reading.figures import image_line, listed, marker, short_label, with_markers


@pytest.mark.req("FIG4")
class TestLabels:
    def test_a_marker_reads_as_text(self) -> None:
        assert marker(1, "Credit flow") == "[Figure 1: Credit flow]"
        assert marker(12, "") == "[Figure 12]"

    def test_at_most_so_many_characters_cut_at_a_word(self) -> None:
        assert short_label("one two three", 13) == "one two three"
        assert short_label("one two three", 12) == "one two…"
        assert short_label("one two three", 9) == "one two…"
        assert short_label("one two three", 8) == "one two…"
        assert short_label("one two three", 7) == "one…"
        assert short_label("x" * 30, 10) == "x" * 9 + "…"

    @pytest.mark.parametrize("length", range(1, 40))
    def test_never_longer_than_the_limit(self, length: int) -> None:
        label = short_label("a label of some words and one thatisverylongindeed", length)
        assert len(label) <= length

    def test_nothing_in_it_ends_the_marker(self) -> None:
        assert short_label(" Flow\n[draft]\t2 ", 200) == "Flow (draft) 2"


@pytest.mark.req("FIG3", "D12")
class TestImageLine:
    def test_only_where_something_is_missing(self) -> None:
        assert image_line(3, {}, []) == ""
        assert image_line(2, {"type": 1}, []) == "Images: 2 kept, 1 not kept (type: 1)"
        assert (
            image_line(0, {"decode": 2, "pixels": 1}, [])
            == "Images: 0 kept, 3 not kept (pixels: 1, decode: 2)"
        )

    def test_pages_that_were_not_looked_at(self) -> None:
        assert image_line(2, {}, [7]) == "Images: 2 kept; page 7 not looked at"
        assert (
            image_line(2, {"size": 1}, [3, 5, 6, 7])
            == "Images: 2 kept, 1 not kept (size: 1); pages 3, 5–7 not looked at"
        )

    def test_runs(self) -> None:
        assert listed([1, 2, 4, 6, 7, 8, 9, 11]) == "1, 2, 4, 6–9, 11"
        assert listed([]) == ""


class TestMarkersInText:
    def place(self, number: int) -> str:
        return f"\ue000{number}\ue001"

    def test_kept_ones_read_as_markers_and_others_leave_nothing(self) -> None:
        text = f"a\n\n{self.place(1)}\n\nb\n\n{self.place(2)}\n\nc"
        assert with_markers(text, {2: "[Figure 1: x]"}) == "a\n\nb\n\n[Figure 1: x]\n\nc"

    def test_at_the_edges(self) -> None:
        text = f"{self.place(1)}\n\na\n\n{self.place(2)}"
        assert with_markers(text, {}) == "a"
        assert with_markers(text, {1: "[Figure 1]", 2: "[Figure 2]"}) == "[Figure 1]\n\na\n\n[Figure 2]"

    def test_inside_of_a_line(self) -> None:
        text = f"| a {self.place(1)} | {self.place(2)} |"
        assert with_markers(text, {1: "[Figure 1]"}) == "| a [Figure 1] |  |"

    def test_one_line_among_others(self) -> None:
        assert with_markers(f"- a\n{self.place(1)}\n- b", {}) == "- a\n- b"

    def test_text_without_figures_stays_as_it_is(self) -> None:
        assert with_markers("\n\na\n\n\n\nb\n", {}) == "\n\na\n\n\n\nb\n"
