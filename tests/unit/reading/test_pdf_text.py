"""The text of PDFs: pages, lines, hyphens, odd characters, what is no page text, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from refdesk.errors import Refusal


def cmap(**codes: str) -> bytes:
    """A ToUnicode stream: ``A="0041"`` makes the letter A mean those UTF-16 code units."""
    rows = b"".join(b"<%02X> <%s> " % (ord(letter), units.encode()) for letter, units in codes.items())
    return (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def "
        b"1 begincodespacerange <00> <FF> endcodespacerange %d beginbfchar %s endbfchar endcmap end end"
        % (len(codes), rows)
    )


@pytest.fixture
def mapped(pdf: Any) -> Any:
    """A page in a font whose letters mean what ``codes`` say."""

    def make(text: str, **codes: str) -> bytes:
        font = b"/Font<</G <</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 4 0 R>>>>"
        content = b"BT /G 12 Tf 20 200 Td (%s) Tj ET" % text.encode("latin-1")
        body = pdf.pages(content, more=(pdf.stream(cmap(**codes)),))
        return body.replace(b"<</Font<</F ", font.replace(b"/Font<<", b"<</Font<<")[:-2] + b"/F ", 1)

    return make


@pytest.mark.req("DOC1", "SPL1")
def test_each_page_opens_with_its_line_and_knows_its_span(pdf: Any, read_bytes: Any) -> None:
    reading = read_bytes(pdf.pages(pdf.words("First", "second"), b"", pdf.words("Third")))
    assert reading.text == "Page 1\nFirst\nsecond\n\nPage 2\n\nPage 3\nThird"
    spans = [reading.text[page.start : page.end] for page in reading.pages]
    assert spans == ["Page 1\nFirst\nsecond", "Page 2", "Page 3\nThird"]
    assert [page.number for page in reading.pages] == [1, 2, 3]


@pytest.mark.req("SPL1")
def test_the_page_line_is_the_physical_page_whatever_the_label_says(pdf: Any, read_bytes: Any) -> None:
    labels = b"/PageLabels<</Nums[0<</S/r/St 7>>]>>"
    reading = read_bytes(pdf.pages(pdf.words("One"), pdf.words("Two"), catalog=labels))
    assert reading.text == "Page 1\nOne\n\nPage 2\nTwo"


def test_pages_without_text_are_named(pdf: Any, read_bytes: Any) -> None:
    page = pdf.words("text")
    reading = read_bytes(pdf.pages(page, b"", page, b"", b"", b"", b"", page))
    assert "Pages without text: 2, 4–7" in reading.notes


class TestHyphens:
    def lines(self, pdf: Any, *lines: str) -> bytes:
        return pdf.pages(pdf.words(*lines))

    def test_a_word_cut_at_the_end_of_a_line_is_joined(self, pdf: Any, read_bytes: Any) -> None:
        assert "temperature falls" in read_bytes(self.lines(pdf, "The tempera-", "ture falls")).text

    def test_a_hyphen_before_a_capital_or_digit_stays(self, pdf: Any, read_bytes: Any) -> None:
        text = read_bytes(self.lines(pdf, "a Stress-", "Engineered part of COVID-", "19 fame")).text
        assert "Stress-Engineered" in text
        assert "COVID-19" in text

    def test_a_compound_that_is_written_elsewhere_keeps_its_hyphen(self, pdf: Any, read_bytes: Any) -> None:
        text = read_bytes(self.lines(pdf, "a well-known rule", "is not a well-", "known one")).text
        assert text.count("well-known") == 2


class TestCharacters:
    def test_controls_never_reach_the_text(self, mapped: Any, read_bytes: Any) -> None:
        text = read_bytes(mapped("cAdBe", A="0003", B="0085")).text
        assert text == "Page 1\ncde"

    def test_placeholders_cannot_be_forged(self, mapped: Any, read_bytes: Any) -> None:
        text = read_bytes(mapped("xA1B", A="E000", B="E001")).text
        assert text == "Page 1\nx 1"

    def test_letters_beyond_the_basic_plane_stay_whole(self, mapped: Any, read_bytes: Any) -> None:
        assert "x\N{MATHEMATICAL ITALIC SMALL X}" in read_bytes(mapped("xA", A="D835DC65")).text

    def test_ligatures_become_letters_and_superscripts_stay(self, mapped: Any, read_bytes: Any) -> None:
        assert "office x²" in read_bytes(mapped("oAce xB", A="FB03", B="00B2")).text

    def test_a_font_without_names_for_its_letters_is_noted(
        self, corpus: Any, reader: Any, packs: Any
    ) -> None:
        file = corpus / "documents" / "pdf-mojibake-no-tounicode.pdf"
        reading = reader.read(file, file.name, None, packs)
        assert any(
            "fonts do not name their letters" in note and note.endswith(": 1") for note in reading.notes
        )


def test_text_drawn_twice_to_look_bold_is_read_once(pdf: Any, read_bytes: Any) -> None:
    bold = pdf.words("Important", at=(20, 200)) + pdf.words("Important", at=(20, 200))
    assert read_bytes(pdf.pages(bold)).text == "Page 1\nImportant"


class TestTitle:
    @pytest.mark.req("D2")
    def test_the_title_property_is_the_title(self, pdf: Any, read_bytes: Any) -> None:
        data = pdf.pages(pdf.words("x"), more=(b"<</Title(Annual\nReport)>>",), trailer=b"/Info 4 0 R")
        assert read_bytes(data).title == "Annual Report"

    def tagged(self, pdf: Any, *kinds: bytes) -> bytes:
        """Lines of text, each in an element of its kind."""
        names = ["Annual Report", "of the whole year", "Later"]
        page = 4 + 2 + len(kinds)
        elements = [b"<</S/%s/P 4 0 R/Pg %d 0 R/K %d>>" % (kind, page, at) for at, kind in enumerate(kinds)]
        numbers = b" ".join(b"%d 0 R" % (6 + at) for at in range(len(kinds)))
        content = b"".join(
            b"/%s <</MCID %d>> BDC %s EMC " % (kind, at, pdf.words(name, at=(20, 270 - 30 * at)))
            for at, (kind, name) in enumerate(zip(kinds, names, strict=False))
        )
        return bytes(
            pdf.pages(
                content,
                page=b"/StructParents 0",
                catalog=b"/MarkInfo<</Marked true>>/StructTreeRoot 4 0 R",
                more=(
                    b"<</Type/StructTreeRoot/K[%s]/ParentTree 5 0 R>>" % numbers,
                    b"<</Nums[0[%s]]>>" % numbers,
                    *elements,
                ),
            )
        )

    @pytest.mark.req("D2")
    def test_without_one_it_is_the_heading_that_opens_a_tagged_document(
        self, pdf: Any, read_bytes: Any
    ) -> None:
        assert read_bytes(self.tagged(pdf, b"H1", b"P", b"H2")).title == "Annual Report"
        assert read_bytes(self.tagged(pdf, b"Title", b"P")).title == "Annual Report"
        assert read_bytes(self.tagged(pdf, b"P", b"H1")).title is None

    @pytest.mark.parametrize("left", ["Microsoft Word - x.doc", "untitled", "Document1", "scan_07.pdf", "--"])
    def test_what_programs_leave_there_is_no_title(self, left: str, pdf: Any, read_bytes: Any) -> None:
        info = b"<</Title(%s)>>" % left.encode()
        data = pdf.pages(pdf.words("x"), more=(info,), trailer=b"/Info 4 0 R")
        assert read_bytes(data).title is None


class TestAnnotations:
    def annotated(self, pdf: Any, *annotations: bytes, content: bytes = b"") -> bytes:
        return pdf.pages(content, page=b"/Annots[%s]" % b" ".join(annotations))

    def test_form_values_and_notes_close_their_page(self, pdf: Any, read_bytes: Any) -> None:
        field = b"<</Type/Annot/Subtype/Widget/Rect[0 0 9 9]/FT/Tx/T(n)/TU(Full name)/V(Ada\rLovelace)>>"
        note = b"<</Type/Annot/Subtype/FreeText/Rect[0 0 9 9]/Contents(See chapter 4)>>"
        reading = read_bytes(self.annotated(pdf, field, note, content=pdf.words("Form")))
        assert reading.text == "Page 1\nForm\n\nFull name: Ada Lovelace\nSee chapter 4"

    def test_a_document_of_nothing_else_is_kept(self, pdf: Any, read_bytes: Any) -> None:
        note = b"<</Type/Annot/Subtype/FreeText/Rect[0 0 9 9]/Contents(Only this)>>"
        assert read_bytes(self.annotated(pdf, note)).text == "Page 1\nOnly this"

    def test_a_value_that_stands_in_a_parent_field_is_read_as_drawn(self, pdf: Any, read_bytes: Any) -> None:
        parent = b"<</FT/Tx/T(city)/V(Porto \\(PT\\))/Kids[]/Parent 4 0 R>>"  # a circle of parents, too
        drawn = pdf.stream(b"/Tx BMC BT /F 9 Tf [(Po) -20 (rto)] TJ (\\(PT\\)) Tj ET EMC", b"/BBox[0 0 9 9]")
        widget = b"<</Type/Annot/Subtype/Widget/Rect[0 0 9 9]/Parent 4 0 R/AP<</N 5 0 R>>>>"
        data = pdf.pages(b"", page=b"/Annots[%s]" % widget, more=(parent, drawn))
        assert read_bytes(data).text == "Page 1\nPorto (PT)"

    @pytest.mark.parametrize(
        "silent",
        [
            b"<</Type/Annot/Subtype/Widget/Rect[0 0 9 9]/FT/Tx/T(p)/V(secret)/Ff 8192>>",
            b"<</Type/Annot/Subtype/Widget/Rect[0 0 9 9]/FT/Btn/T(box)/V/Off>>",
            b"<</Type/Annot/Subtype/FreeText/F 2/Rect[0 0 9 9]/Contents(hidden)>>",
            b"<</Type/Annot/Subtype/Highlight/Rect[0 0 9 9]/Contents(a remark)>>",
        ],
        ids=["password field", "box not ticked", "hidden note", "comment"],
    )
    def test_what_people_do_not_see_or_say_about_the_document_is_out(
        self, silent: bytes, pdf: Any, read_bytes: Any
    ) -> None:
        assert read_bytes(self.annotated(pdf, silent, content=pdf.words("Form"))).text == "Page 1\nForm"


class TestNotes:
    def test_attached_files_are_counted_not_read(self, corpus: Any, reader: Any, packs: Any) -> None:
        file = corpus / "documents" / "pdf-portfolio.pdf"
        assert "Attached files that were not read: 2" in reader.read(file, file.name, None, packs).notes

    def test_an_xfa_form_is_told(self, corpus: Any, reader: Any, packs: Any) -> None:
        file = corpus / "documents" / "pdf-xfa-placeholder.pdf"
        assert any("XFA" in note for note in reader.read(file, file.name, None, packs).notes)


class TestRefused:
    def refusal(self, read_bytes: Any, data: bytes, **overrides: object) -> Refusal:
        with pytest.raises(Refusal) as refused:
            read_bytes(data, **overrides)
        return refused.value

    @pytest.mark.req("DOC3")
    def test_one_page_too_many(self, pdf: Any, read_bytes: Any) -> None:
        pages = [pdf.words("x")] * 4
        assert len(read_bytes(pdf.pages(*pages[:3]), documents__max_pages=3).pages) == 3
        refusal = self.refusal(read_bytes, pdf.pages(*pages), documents__max_pages=3)
        assert (refusal.code, refusal.limit, refusal.actual) == ("too_many_pages", 3, 4)
        assert "4 pages" in refusal.message
        assert "limit is 3" in refusal.message

    @pytest.mark.req("DOC3")
    def test_one_character_too_many(self, pdf: Any, read_bytes: Any) -> None:
        data = pdf.pages(pdf.words("abc"), pdf.words("def"))
        length = len(read_bytes(data).text)
        assert read_bytes(data, documents__max_characters=length).text.endswith("def")
        refusal = self.refusal(read_bytes, data, documents__max_characters=length - 1)
        assert (refusal.code, refusal.limit, refusal.actual) == ("too_many_characters", length - 1, length)

    @pytest.mark.req("DOC3")
    def test_reading_stops_at_the_page_that_passes_the_limit(self, pdf: Any, read_bytes: Any) -> None:
        data = pdf.pages(*[pdf.words("x" * 30)] * 9)
        refusal = self.refusal(read_bytes, data, documents__max_characters=100)
        assert "first 3 of its 9 pages" in refusal.message

    @pytest.mark.req("DOC4")
    def test_a_page_that_cannot_be_read_is_named_and_not_skipped(self, pdf: Any, read_bytes: Any) -> None:
        data = pdf.pages(pdf.words("one"), pdf.words("two"), pdf.words("three"))
        refusal = self.refusal(read_bytes, data.replace(b"6 0 obj\n<</Type/Page", b"6 0 obj\n[</Type/Page"))
        assert refusal.code == "damaged"
        assert "Page 2 " in refusal.message

    @pytest.mark.req("DOC4")
    def test_a_stamp_on_page_images_is_no_text(self, pdf: Any, read_bytes: Any) -> None:
        image = pdf.image(bytes(3 * 40 * 40), 40, 40)
        scan = b"q 300 0 0 300 0 0 cm /I Do Q " + pdf.words("Scanned by Scanner 12")
        scanned = pdf.pages(scan, scan, resources=b"/XObject<</I 4 0 R>>", more=(image,))
        assert self.refusal(read_bytes, scanned).code == "scanned"

    @pytest.mark.req("DOC4")
    def test_a_scan_cut_into_strips_is_a_scan(self, pdf: Any, read_bytes: Any) -> None:
        image = pdf.image(bytes(3 * 40 * 40), 40, 40)
        strips = b"".join(b"q 300 0 0 60 0 %d cm /I Do Q " % (at * 60) for at in range(5))
        data = pdf.pages(strips + pdf.words("7"), resources=b"/XObject<</I 4 0 R>>", more=(image,))
        assert self.refusal(read_bytes, data).code == "scanned"

    def test_few_words_beside_a_small_picture_are_text(self, pdf: Any, read_bytes: Any) -> None:
        image = pdf.image(bytes(3 * 40 * 40), 40, 40)
        content = b"q 100 0 0 100 0 0 cm /I Do Q " + pdf.words("Exit")
        data = pdf.pages(content, resources=b"/XObject<</I 4 0 R>>", more=(image,))
        assert "Exit" in read_bytes(data).text

    @pytest.mark.req("DOC4")
    def test_scans_between_pages_of_text_are_named(self, pdf: Any, read_bytes: Any) -> None:
        image = pdf.image(bytes(3 * 40 * 40), 40, 40)
        scan = b"q 300 0 0 300 0 0 cm /I Do Q"
        data = pdf.pages(pdf.words("text"), scan, resources=b"/XObject<</I 4 0 R>>", more=(image,))
        assert "Pages without text: 2" in read_bytes(data).notes

    @pytest.mark.req("DOC4")
    def test_no_text_and_no_image(self, pdf: Any, read_bytes: Any) -> None:
        assert self.refusal(read_bytes, pdf.pages(b"0 0 m 9 9 l S")).code == "no_text"

    @pytest.mark.parametrize(
        ("data", "code"),
        [
            (b"", "no_text"),
            (b"%PDF-1.7\nnothing", "damaged"),
            (b"\x00" * 2000 + b"%PDF-1.7", "damaged"),
            (b"<!DOCTYPE html><title>404</title>", "wrong_type"),
            (b"%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj trailer<</Root 1 0 R>>", "damaged"),
        ],
        ids=["zero bytes", "stub", "header too late", "error page", "no pages"],
    )
    @pytest.mark.req("DOC2", "DOC4")
    def test_what_is_no_pdf(self, data: bytes, code: str, read_bytes: Any) -> None:
        assert self.refusal(read_bytes, data).code == code

    def test_a_header_after_other_bytes_is_a_pdf(self, pdf: Any, read_bytes: Any) -> None:
        data = b"\n" * 900 + pdf.pages(pdf.words("late"))
        assert "late" in read_bytes(data).text
