"""The demo's sources and the files that are made from them, read by the product's own readers."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from refdesk.demo.catalog import PACKS, questions, sources
from refdesk.demo.make import content, write
from refdesk.demo.pdf import pdf
from refdesk.demo.source import Heading, Items, Paragraph, Source, Table, elements, parse, runs
from refdesk.demo.word import word
from refdesk.policy import load_policy
from refdesk.reading import Reading, read

SOURCES = [source for pack in PACKS for source in sources(pack)]
PACKS_POLICY = load_policy("packs")
MIXED = Source(
    "mixed",
    "Mixed & more",
    "word",
    """\
# Mixed & more

One **bold** and `code_1`,
wrapped, 1 < 2.

- a bullet
- another

1. first
2. second

Between.

1. again first

| Code | Meaning |
|---|---|
| A1 | one & two |
| B2 | three |
""",
)


def reading_of(path: Path) -> Reading:
    return read(path, path.name, None, PACKS_POLICY)


@pytest.mark.req("DEMO1")
def test_the_demo_has_packs_of_all_three_formats() -> None:
    assert len(PACKS) == 3
    assert len(SOURCES) >= 8
    assert {source.format for source in SOURCES} == {"markdown", "word", "pdf"}
    assert len({source.name for source in SOURCES}) == len(SOURCES)


@pytest.mark.req("DEMO1")
@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_each_document_opens_with_its_title_and_ends_with_its_keywords(source: Source) -> None:
    lines = source.body.strip().splitlines()
    assert lines[0] == f"# {source.title}"
    assert re.fullmatch(r"Keywords: \w.*, \w.*", lines[-1])
    assert 300 <= len(source.body.split()) <= 900
    assert any(isinstance(element, Table) for element in elements(source.body))


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_the_same_source_gives_the_same_bytes(source: Source) -> None:
    assert content(source) == content(source)


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.slug)
def test_each_file_reads_to_its_title_and_all_of_its_words(pack, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    by_name = {source.name: source for source in sources(pack)}
    for path in write(pack, tmp_path):
        source = by_name[path.stem]
        reading = reading_of(path)
        assert reading.title == source.title
        assert (reading.kind, reading.not_kept) == (source.format, {})
        missing = set(_words(source.body)) - set(_words(reading.text))
        assert missing == set()


def test_a_word_file_keeps_headings_lists_tables_and_bold(tmp_path: Path) -> None:
    path = tmp_path / "mixed.docx"
    path.write_bytes(word(MIXED))
    text = reading_of(path).text
    assert text.startswith("# Mixed & more\n")
    assert "One bold and code_1, wrapped, 1 < 2." in text
    assert re.search(r"^- a bullet\n+- another$", text, re.MULTILINE)
    assert re.search(r"^1\. first\n+2\. second$", text, re.MULTILINE)
    assert "1. again first" in text  # each numbered list begins at one
    assert re.search(r"\| Code \| Meaning \|\n\|[-| ]+\|\n\| A1 \| one & two \|\n\| B2 \| three \|", text)


def test_a_word_files_parts_are_well_formed_and_undated() -> None:
    with zipfile.ZipFile(io.BytesIO(word(MIXED))) as package:
        assert b'<w:rPr><w:b/></w:rPr><w:t xml:space="preserve">bold<' in package.read("word/document.xml")
        for entry in package.infolist():
            assert ElementTree.fromstring(package.read(entry)).tag
            assert entry.date_time == (1980, 1, 1, 0, 0, 0)


def test_a_pdf_has_pages_and_a_table_row_on_one_line(tmp_path: Path) -> None:
    path = tmp_path / "long.pdf"
    table = "| Code | Meaning |\n|---|---|\n| A1 | one and two |\n\n"
    path.write_bytes(
        pdf(Source("long", "Long (one)", "pdf", "# Long\n\n" + table + "Some words here.\n\n" * 60))
    )
    reading = reading_of(path)
    assert reading.title == "Long (one)"
    assert [page.number for page in reading.pages] == [1, 2, 3]
    assert reading.text.startswith("Page 1\n")
    assert "\nA1 one and two\n" in reading.text
    assert reading.text.count("Some words here.") == 60


def test_a_paragraph_is_not_torn_between_two_pages(tmp_path: Path) -> None:
    path = tmp_path / "pages.pdf"
    paragraph = "begin " + "word " * 60 + "end\n\n"
    path.write_bytes(pdf(Source("pages", "Pages", "pdf", "# Pages\n\n" + paragraph * 20)))
    reading = reading_of(path)
    assert len(reading.pages) > 1
    for page in reading.pages:
        text = reading.text[page.start : page.end]
        assert text.count("begin") == text.count("end")


def test_a_table_too_wide_for_a_page_is_refused() -> None:
    wide = f"| {'a' * 60} | {'b' * 60} |\n|---|---|\n| 1 | 2 |\n"
    with pytest.raises(ValueError, match="too wide"):
        pdf(Source("wide", "Wide", "pdf", wide))


def test_a_source_is_parsed_into_its_elements() -> None:
    source = parse("a", "---\ntitle: Runbook: jobs\nformat: pdf\n---\n# Runbook: jobs\n")
    assert (source.name, source.title, source.format, source.body) == (
        "a",
        "Runbook: jobs",
        "pdf",
        "# Runbook: jobs\n",
    )
    assert list(elements(MIXED.body)) == [
        Heading(1, "Mixed & more"),
        Paragraph("One **bold** and `code_1`, wrapped, 1 < 2."),
        Items(numbered=False, texts=("a bullet", "another")),
        Items(numbered=True, texts=("first", "second")),
        Paragraph("Between."),
        Items(numbered=True, texts=("again first",)),
        Table((("Code", "Meaning"), ("A1", "one & two"), ("B2", "three"))),
    ]
    assert list(runs("One **bold** and `x_1`.")) == [
        ("One ", "plain"),
        ("bold", "bold"),
        (" and ", "plain"),
        ("x_1", "code"),
        (".", "plain"),
    ]


def test_each_question_names_a_document_that_holds_its_answer() -> None:
    bodies = {
        (pack.slug, source.name): " ".join(source.body.split()) for pack in PACKS for source in sources(pack)
    }
    for question in questions():
        assert question.answer in bodies[question.pack, Path(question.document).stem]
    assert sum(question.shown for question in questions()) == 3
    assert len(questions()) >= 15


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text)
