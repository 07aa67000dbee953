"""Files named .docx that are something else."""

from __future__ import annotations

import pytest

from refdesk.reading.problem import Problem
from refdesk.reading.word import read_word

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def code(data, limits):
    with pytest.raises(Problem) as caught:
        read_word(data, limits)
    return caught.value.code


@pytest.mark.req("DOC2")
@pytest.mark.parametrize(
    "kind",
    [
        "application/vnd.ms-word.document.macroEnabled.main+xml",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml",
        "application/vnd.ms-word.template.macroEnabledTemplate.main+xml",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml",
        "application/x-something-else",
    ],
)
def test_another_office_file_is_told_by_the_content_type_of_its_main_part(word, kind):
    parts = word.parts("<w:p><w:r><w:t>Hello</w:t></w:r></w:p>")
    parts["[Content_Types].xml"] = word.content_types({"word/document.xml": kind})
    assert code(word.zip(parts), word.limits) == "wrong_type"


@pytest.mark.req("DOC2")
@pytest.mark.parametrize(
    "data",
    [
        b"%PDF-1.7\n",
        b"{\\rtf1 hello}",
        b"<html><body>hello",
        b"just text",
        b"\x89PNG\r\n\x1a\n",
        b"\0" * 600,
        OLE + b"\0" * 600,
    ],
)
def test_what_is_no_zip_is_of_the_wrong_type(word, data):
    assert code(data, word.limits) == "wrong_type"


@pytest.mark.req("DOC2")
def test_other_zip_files_are_of_the_wrong_type(word):
    odt = {"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": "<office/>"}
    assert code(word.zip(odt), word.limits) == "wrong_type"
    assert code(word.zip({"a.txt": "hello"}), word.limits) == "wrong_type"
    assert code(word.zip({}), word.limits) == "wrong_type"


@pytest.mark.req("DOC4")
def test_an_encrypted_office_file_needs_its_password(word):
    directory = "Root Entry".encode("utf-16-le") + b"\0" * 44 + "EncryptedPackage".encode("utf-16-le")
    assert code(OLE + b"\0" * 1_016 + directory, word.limits) == "password_protected"


@pytest.mark.req("DOC4")
def test_empty_files_and_files_without_text(word):
    assert code(b"", word.limits) == "no_text"
    assert code(word.file(""), word.limits) == "no_text"
    assert (
        code(word.file("<w:p><w:r><w:t> \u00a0\u200b\ue000</w:t><w:br/><w:tab/></w:r></w:p>"), word.limits)
        == "no_text"
    )
    assert code(word.file(word.table(["", ""], ["", ""])), word.limits) == "no_text"


@pytest.mark.req("DOC4", "D12")
def test_a_picture_is_no_text(word):
    body = f"<w:p>{word.picture(alt='A map of the town')}</w:p>"
    assert (
        code(
            word.file(body, links=[("rImage", "image", "a.png")], parts={"word/a.png": word.png}), word.limits
        )
        == "no_text"
    )


def test_a_document_of_embedded_files_says_so(word):
    with pytest.raises(Problem) as caught:
        read_word(word.file('<w:altChunk r:id="x"/><w:altChunk r:id="y"/>'), word.limits)
    assert caught.value.code == "no_text"
    assert "2 embedded files (HTML, RTF or Word) were not read." in caught.value.message


def test_embedded_and_linked_documents_are_named_in_the_notes(word):
    found = word.read(
        '<w:p><w:r><w:t>Hello</w:t></w:r><w:subDoc r:id="s"/></w:p><w:altChunk r:id="x"/>',
        links=[("x", "aFChunk", "part.html"), ("s", "subDocument", "file:///c:/chapter.docx", "External")],
        parts={"word/part.html": "<!DOCTYPE html><p>not read</p>"},
    )
    assert found.text == "Hello"
    assert found.notes == [
        "1 embedded file (HTML, RTF or Word) was not read.",
        "1 linked sub-document was not opened.",
    ]
