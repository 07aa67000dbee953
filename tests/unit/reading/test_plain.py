"""Markdown and text as BEHAVIOUR.md D1 says, and a Markdown document's title."""

from __future__ import annotations

from typing import Any

import pytest

from refdesk.errors import Refusal


@pytest.mark.req("DOC1", "D1")
class TestText:
    def test_stored_as_written(self, read_bytes: Any) -> None:
        reading = read_bytes("Grüße,\n\n  two  spaces\tand a tab \n".encode(), "a.txt", "text/plain")
        assert reading.text == "Grüße,\n\n  two  spaces\tand a tab \n"
        assert (reading.kind, reading.title, reading.pages, reading.notes) == ("text", None, (), ())

    def test_line_ends_are_lf(self, read_bytes: Any) -> None:
        assert read_bytes(b"a\r\nb\rc\n\r\nd", "a.md").text == "a\nb\nc\n\nd"

    def test_a_byte_order_mark_goes(self, read_bytes: Any) -> None:
        assert read_bytes(b"\xef\xbb\xbfwords", "a.txt").text == "words"

    @pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
    def test_utf_16_with_a_mark_is_read_and_noted(self, encoding: str, read_bytes: Any) -> None:
        reading = read_bytes("\ufeffżółw 🐢\r\n".encode(encoding), "a.txt")
        assert reading.text == "żółw 🐢\n"
        assert any("UTF-16" in note for note in reading.notes)

    def test_control_characters_go_and_are_counted(self, read_bytes: Any) -> None:
        reading = read_bytes("a\x00b\x07c\x85d\x7f\te\n".encode() + b"x" * 50, "a.txt")
        assert reading.text == "abcd\te\n" + "x" * 50
        assert "4 control characters were removed." in reading.notes
        assert "1 control character was removed." in read_bytes(b"one\x0btwo" + b"x" * 50, "a.txt").notes

    @pytest.mark.parametrize(
        ("data", "offset"),
        [
            ("caf\u00e9 au lait".encode("latin-1"), 3),
            ("words and more words ünd".encode("cp1252"), 21),
            ("no mark".encode("utf-16-le"), 1),
            ("no mark".encode("utf-32-le"), 1),
            ("\ufeffmarked".encode("utf-32-le"), 2),
            (b"\xff\xfew\x00o\x00\x00\xd8", 6),
            (b"\xff\xfew\x00o", 4),
            (b"\xef\xbb\xbfab\xff", 5),
            (b"over long \xc0\x80", 10),
        ],
    )
    def test_anything_else_is_refused_with_the_offset(
        self, data: bytes, offset: int, read_bytes: Any
    ) -> None:
        with pytest.raises(Refusal) as refused:
            read_bytes(data, "a.txt")
        assert (refused.value.code, refused.value.actual) == ("not_utf8", offset)
        assert f"offset {offset}" in refused.value.message

    def test_no_letter_or_digit_is_no_text(self, read_bytes: Any) -> None:
        for data in (b"", b" \n\t\n", b"--- *** ---\n", b"\xef\xbb\xbf"):
            with pytest.raises(Refusal) as refused:
                read_bytes(data, "a.md")
            assert refused.value.code == "no_text"
        assert read_bytes("東京".encode(), "a.md").text == "東京"

    @pytest.mark.req("DOC2")
    @pytest.mark.parametrize(
        "data",
        [
            b"%PDF-1.7\nrest",
            b"PK\x03\x04rest",
            b"GIF89a",
            b"{\\rtf1 words}",
            b"\x1f\x8brest",
            b"\xff\xd8\xff\xe0",
        ],
    )
    def test_another_type_under_the_name(self, data: bytes, read_bytes: Any) -> None:
        with pytest.raises(Refusal) as refused:
            read_bytes(data, "a.txt")
        assert refused.value.code == "wrong_type"

    def test_text_about_a_pdf_is_text(self, read_bytes: Any) -> None:
        assert "header" in read_bytes(b"The header is %PDF-1.7 or so", "a.md").text
        assert "header" in read_bytes(b"%PDF-1.7 is the header", "a.md").text

    def test_html_in_markdown_is_text(self, read_bytes: Any) -> None:
        assert read_bytes(b"<!-- note -->\n# Title", "a.md").title == "Title"


@pytest.mark.req("DOC3")
class TestLimits:
    def test_one_character_too_many(self, read_bytes: Any) -> None:
        exact = "é" * 99 + "\n"
        assert len(read_bytes(exact.encode(), "a.txt", documents__max_characters=100).text) == 100
        with pytest.raises(Refusal) as refused:
            read_bytes((exact + "x").encode(), "a.txt", documents__max_characters=100)
        refusal = refused.value
        assert (refusal.code, refusal.limit, refusal.actual) == ("too_many_characters", 100, 101)
        assert "101 characters" in refusal.message

    def test_one_byte_too_many(self, read_bytes: Any) -> None:
        limit = {"documents__max_bytes__text": 64}
        assert read_bytes(b"x" * 64, "a.txt", **limit).text
        with pytest.raises(Refusal) as refused:
            read_bytes(b"x" * 1_000, "a.txt", **limit)
        refusal = refused.value
        assert (refusal.code, refusal.limit, refusal.actual) == ("too_large", 64, 1_000)
        assert "1,000 bytes" in refusal.message

    def test_a_line_that_is_too_long_is_named_where_the_policy_says_so(self, read_bytes: Any) -> None:
        fits = b"short\n" + b"x" * 3_800 + b"\nshort"
        assert read_bytes(fits, "a.md", policy="voice").text
        with pytest.raises(Refusal) as refused:
            read_bytes(fits.replace(b"\nshort", b"x\nshort"), "a.md", policy="voice")
        refusal = refused.value
        assert (refusal.code, refusal.limit, refusal.actual) == ("line_too_long", 3_800, 3_801)
        assert "Line 2" in refusal.message
        assert read_bytes(b"x" * 9_000, "a.md", policy="bases").text


@pytest.mark.req("D2", "W10")
@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Refunds\ntext", "Refunds"),
        ("text\n\n## Later *heading* ##\n", "Later heading"),
        ("Refunds and\nreturns\n=======\n", "Refunds and returns"),
        ("Refunds\n---\n", "Refunds"),
        ("```\n# a comment\n```\n\n# Real", "Real"),
        ("~~~~ sh\n# a\n~~~\n# b\n~~~~\n# Real", "Real"),
        ("    # code\n\n# Real", "Real"),
        ("#hashtag\n\n# Real", "Real"),
        ("#\n# Real", "Real"),
        ("- item\n---\n# Real", "Real"),
        ("# [Linked `title`](https://example.org/a_b) {#id}", "Linked title"),
        ("# snake_case and C#", "snake_case and C#"),
        ("---\ntitle: 'The property'\n---\n# Heading", "The property"),
        ("---\nauthor: x\n---\n# Heading", "Heading"),
        ("---\n\n# Heading", "Heading"),
        ("no heading at all", None),
        ("", None),
    ],
)
def test_the_title_of_a_markdown_document(text: str, title: str | None) -> None:
    from refdesk.reading.markdown import title_of

    assert title_of(text) == title


@pytest.mark.req("D2")
def test_a_title_is_no_longer_than_a_label(read_bytes: Any) -> None:
    title = read_bytes(b"# " + b"word " * 200, "a.md").title
    assert len(title) <= 200
    assert title.endswith("word…")


def test_a_hash_in_plain_text_is_no_title(read_bytes: Any) -> None:
    assert read_bytes(b"# not a heading here", "a.txt").title is None
