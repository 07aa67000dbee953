"""The package around a Word document: found by its relationships, whatever its parts are called."""

from __future__ import annotations

import struct
import zipfile
from dataclasses import replace

import pytest

from refdesk.reading.problem import Problem
from refdesk.reading.word import read_word

HELLO = "<w:p><w:r><w:t>Hello</w:t></w:r></w:p>"


BOX = "<w:p><w:r><w:pict><v:shape><v:textbox><w:txbxContent>"
BOX_END = "</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>"


def refusal(data, limits):
    with pytest.raises(Problem) as caught:
        read_word(data, limits)
    return caught.value


@pytest.mark.parametrize(
    "target", ["/Text/Main.XML", "Text/Main.XML", r"\Text\Main.XML", "./Text/../text/main.xml"]
)
def test_the_main_part_is_found_by_its_relationship_without_regard_to_case(word, target):
    parts = word.parts()
    del parts["word/document.xml"], parts["word/_rels/document.xml.rels"]
    parts["[Content_Types].xml"] = word.content_types({"TEXT/main.xml": word.document_type.upper()})
    parts["_rels/.rels"] = word.relationships([("x", "officeDocument", target)])
    parts["text/main.xml"] = word.root("w:document", f"<w:body>{HELLO}</w:body>")
    assert read_word(word.zip(parts), word.limits).text == "Hello"


@pytest.mark.parametrize(
    "target", ["media/a%20b.png", "../word/media/A b.png", "/word/media/a%20b.PNG", r"media\a b.png"]
)
def test_targets_are_resolved_from_their_source(word, target):
    links = [("rImage", "image", target)]
    found = word.read(
        HELLO + f"<w:p>{word.picture()}</w:p>", links=links, parts={"word/media/a b.png": word.png}
    )
    assert found.images[0].data == word.png


def test_without_a_relationship_the_content_type_names_the_main_part(word):
    parts = word.parts(HELLO)
    parts["_rels/.rels"] = word.relationships([])
    assert read_word(word.zip(parts), word.limits).text == "Hello"


def test_a_content_type_that_says_nothing_leaves_it_to_the_root_element(word):
    parts = word.parts(HELLO)
    parts["[Content_Types].xml"] = word.content_types({})
    assert read_word(word.zip(parts), word.limits).text == "Hello"
    parts["word/document.xml"] = word.root("w:glossary", "")
    assert refusal(word.zip(parts), word.limits).code == "damaged"


def test_entries_stand_in_any_order_and_names_may_have_backslashes(word):
    entries = [(name.replace("/", "\\"), content) for name, content in reversed(word.parts(HELLO).items())]
    assert read_word(word.zip(entries), word.limits).text == "Hello"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_parts_may_open_with_a_byte_order_mark(word, encoding):
    parts = word.parts(HELLO)
    parts["word/document.xml"] = (
        str(parts["word/document.xml"]).replace('encoding="UTF-8"', "").encode(encoding)
    )
    assert read_word(word.zip(parts), word.limits).text == "Hello"


def test_of_two_entries_of_one_name_the_first_counts(word):
    entries = list(word.parts(HELLO).items())
    entries.append(
        ("WORD/Document.xml", word.root("w:document", "<w:body><w:p><w:r><w:t>No</w:t></w:r></w:p></w:body>"))
    )
    assert read_word(word.zip(entries), word.limits).text == "Hello"


def test_strict_documents_use_other_namespaces(word):
    strict = {
        "http://schemas.openxmlformats.org/wordprocessingml/2006/main": "http://purl.oclc.org/ooxml/wordprocessingml/main",
        "http://schemas.openxmlformats.org/officeDocument/2006/relationships": (
            "http://purl.oclc.org/ooxml/officeDocument/relationships"
        ),
        "http://schemas.openxmlformats.org/officeDocument/2006/math": "http://purl.oclc.org/ooxml/officeDocument/math",
        "http://schemas.openxmlformats.org/drawingml/2006/": "http://purl.oclc.org/ooxml/drawingml/",
    }
    body = (
        word.p("Rules", style="H")
        + f"<w:p>{word.picture(alt='A seal')}</w:p>"
        + "<w:p><m:oMath><m:r><m:t>a=b</m:t></m:r></m:oMath></w:p>"
    )
    styles = '<w:style w:type="paragraph" w:styleId="H"><w:name w:val="heading 2"/></w:style>'
    parts = word.parts(
        body, styles=styles, links=[("rImage", "image", "media/s.png")], parts={"word/media/s.png": word.png}
    )
    for name, content in parts.items():
        if isinstance(content, str):
            for loose, exact in strict.items():
                parts[name] = str(parts[name]).replace(loose, exact)
    found = read_word(word.zip(parts), word.limits)
    assert found.text == "## Rules\n\n\ue0001\ue001\n\na=b"
    assert (found.images[0].alt, found.images[0].data) == ("A seal", word.png)


@pytest.mark.req("DOC4")
def test_a_file_that_was_cut_off_is_damaged(word):
    data = word.file(HELLO)
    for end in (len(data) - 1, len(data) // 2, 40):
        assert refusal(data[:end], word.limits).code == "damaged"


@pytest.mark.req("DOC4")
def test_bytes_that_do_not_match_their_checksum_are_damaged(word):
    data = bytearray(word.zip(word.parts(HELLO), zipfile.ZIP_STORED))
    data[data.index(b"Hello")] ^= 0x20
    assert refusal(bytes(data), word.limits).code == "damaged"


def test_a_picture_with_a_wrong_checksum_costs_only_the_picture(word):
    body = HELLO + f"<w:p>{word.picture()}</w:p>"
    parts = word.parts(body, links=[("rImage", "image", "media/s.png")], parts={"word/media/s.png": word.png})
    data = bytearray(word.zip(parts, zipfile.ZIP_STORED))
    data[data.index(b"\x89PNG") + 20] ^= 1
    assert [image.reason for image in read_word(bytes(data), word.limits).images] == ["decode"]


def test_a_missing_main_part_is_damaged(word):
    parts = word.parts()
    del parts["word/document.xml"]
    assert refusal(word.zip(parts), word.limits).code == "damaged"


def test_an_unknown_packing_method_is_damaged(word):
    assert refusal(word.zip(word.parts(HELLO), zipfile.ZIP_LZMA), word.limits).code == "damaged"


def test_a_zip_password_is_told_as_one(word):
    data = bytearray(word.file(HELLO))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = data.find(mark)
        while start >= 0:
            data[start + offset] |= 1
            start = data.find(mark, start + 4)
    assert refusal(bytes(data), word.limits).code == "password_protected"


def test_too_many_entries_are_refused_before_they_are_listed(word):
    parts = word.parts(HELLO) | {f"customXml/{number}.bin": b"" for number in range(30)}
    limits = replace(word.limits, max_entries=len(parts))
    assert read_word(word.zip(parts), limits).text == "Hello"
    found = refusal(word.zip(parts | {"one.more": b""}), limits)
    assert (found.code, found.limit, found.actual) == ("damaged", len(parts), len(parts) + 1)


def test_a_part_that_unpacks_too_large_is_refused_whatever_it_declares(word):
    body = HELLO + " " * 200_000
    limits = replace(word.limits, max_part_bytes=100_000)
    found = refusal(word.file(body), limits)
    assert (found.code, found.limit) == ("damaged", 100_000)

    data = bytearray(word.file(body))
    entry = data.index(b"word/document.xml", data.index(b"PK\x01\x02")) - 46
    data[entry + 24 : entry + 28] = struct.pack("<I", 2_000)  # the size that the directory declares
    assert refusal(bytes(data), limits).code == "damaged"


def test_all_parts_together_have_a_budget(word):
    parts = word.parts(HELLO, styles="<!--" + "x" * 50_000 + "-->", footnotes="<!--" + "x" * 50_000 + "-->")
    note = parts | {
        "word/document.xml": word.root(
            "w:document", f'<w:body>{HELLO}<w:p><w:r><w:footnoteReference w:id="1"/></w:r></w:p></w:body>'
        )
    }
    assert refusal(word.zip(note), replace(word.limits, max_total_bytes=90_000)).limit == 90_000
    assert read_word(word.zip(note), replace(word.limits, max_total_bytes=190_000)).text == "Hello"


@pytest.mark.parametrize(
    "part",
    [
        "[Content_Types].xml",
        "_rels/.rels",
        "word/document.xml",
        "word/_rels/document.xml.rels",
        "word/styles.xml",
        "word/header1.xml",
        "docProps/core.xml",
        "word/_rels/header1.xml.rels",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_doctype_in_any_part_is_refused(word, part, encoding):
    parts = {"word/header1.xml": word.root("w:hdr", ""), "docProps/core.xml": "<x/>"} | word.parts(
        HELLO, styles=""
    )
    parts.setdefault("word/_rels/header1.xml.rels", word.relationships([]))
    content = str(parts[part]).replace('encoding="UTF-8"', "")
    declaration, _, rest = content.rpartition("?>") if content.startswith("<?xml") else ("", "", content)
    hidden = f"<!-- x --><!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><!-- y -->{rest}"
    parts[part] = ((declaration + "?>" if declaration else "") + hidden).encode(encoding)
    found = refusal(word.zip(parts), word.limits)
    assert found.code == "damaged"
    assert "DOCTYPE" in found.message


def test_a_doctype_far_into_the_prolog_is_refused(word):
    parts = word.parts(HELLO) | {"word/header1.xml": "<!--" + "-x" * 9_000 + "--><!DOCTYPE x><x/>"}
    assert "DOCTYPE" in refusal(word.zip(parts), word.limits).message


def test_the_word_doctype_inside_of_a_text_is_no_doctype(word):
    parts = {"word/header1.xml": "<!-- <!DOCTYPE x> --><x><![CDATA[<!DOCTYPE x>]]></x>"}
    assert word.text("<!-- <!DOCTYPE x> -->" + HELLO, parts=parts) == "Hello"


def test_nesting_is_bounded(word):
    def nested(depth):
        return "<w:sdt><w:sdtContent>" * depth + HELLO + "</w:sdtContent></w:sdt>" * depth

    assert word.text(nested(197)) == "Hello"  # with document, body, p, r and t: 399
    for depth in (199, 30_000):
        assert refusal(word.file(nested(depth)), word.limits).code == "damaged"


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        (BOX, BOX_END),
        ("<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>"),
        ("<w:p><m:oMath><m:f><m:num>", "</m:num></m:f></m:oMath></w:p>"),
        ("<w:ins>", "</w:ins>"),
    ],
)
def test_whatever_nests_to_the_limit_is_read(word, opening, closing):
    depth = 390 // opening.count("<")
    assert "Hello" in word.text(HELLO + opening * depth + HELLO + closing * depth)


def test_elements_are_counted_before_the_tree_is_built(word):
    limits = replace(word.limits, max_elements=1_000)
    assert read_word(word.file(HELLO + "<w:x/>" * 990), limits).text == "Hello"
    found = refusal(word.file(HELLO + "<w:x/>" * 1_000), limits)
    assert (found.code, found.limit) == ("damaged", 1_000)


@pytest.mark.parametrize("broken", ["<w:p>", "<w:p></w:q>", "<w:p>&nbsp;</w:p>", "<x:p/>", "\x01", ""])
def test_xml_that_is_not_well_formed_is_damaged(word, broken):
    parts = word.parts(HELLO)
    parts["word/document.xml"] = (
        str(parts["word/document.xml"]).replace("</w:body>", "")
        if not broken
        else (word.root("w:document", f"<w:body>{broken}</w:body>"))
    )
    assert refusal(word.zip(parts), word.limits).code == "damaged"


@pytest.mark.parametrize("part", ["word/styles.xml", "word/numbering.xml", "word/_rels/document.xml.rels"])
def test_a_broken_part_that_the_text_needs_is_damaged(word, part):
    parts = word.parts(HELLO, styles="", numbering="") | {part: "<w:styles"}
    assert refusal(word.zip(parts), word.limits).code == "damaged"


def test_a_broken_title_property_is_only_no_title(word):
    parts = word.parts(HELLO) | {"docProps/core.xml": "<broken"}
    core = (
        "c",
        "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties",
        "docProps/core.xml",
    )
    parts["_rels/.rels"] = word.relationships([("a", "officeDocument", "word/document.xml"), core])
    assert read_word(word.zip(parts), word.limits).title is None


def test_unknown_encodings_are_damaged_not_a_crash(word):
    parts = word.parts(HELLO)
    for encoding in ("utf-7", "x-unheard-of", "big5", "cp037"):
        parts["word/document.xml"] = str(word.parts(HELLO)["word/document.xml"]).replace("UTF-8", encoding)
        assert refusal(word.zip(parts), word.limits).code == "damaged"
