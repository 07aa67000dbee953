"""The demo's sources and the files that are made from them, read by the product's own readers."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from refdesk import demo
from refdesk.demo.catalog import SHOWN, agents, packs, sources
from refdesk.demo.figures import draw
from refdesk.demo.make import content, write
from refdesk.demo.pdf import pdf
from refdesk.demo.source import Figure, Heading, Items, Paragraph, Source, Table, elements, parse, runs
from refdesk.demo.word import word
from refdesk.policy import load_policy
from refdesk.reading import Reader, Reading, read

PACKS = packs()
SINGLE = [source for pack in PACKS if len(its := list(sources(pack))) == 1 for source in its]
PACKS_POLICY = load_policy("packs")
MIXED = Source(
    "mixed.docx",
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
def test_there_are_eleven_packs_and_seven_hold_one_document() -> None:
    assert len(PACKS) == 11
    assert len({pack.name for pack in PACKS}) == 11
    assert len(SINGLE) == 7
    assert {source.format for source in SINGLE} == {"markdown", "word", "pdf", "image"}
    kinds = {pack.name: pack.kind for pack in PACKS}
    company = {name for name, kind in kinds.items() if kind == "company"}
    assert company == {
        "company-ams-incident-digests",
        "company-solution-design-fds",
        "company-change-and-downtime-calendar",
    }
    assert kinds["sap-operations-runbooks"] == "generic"
    assert all(len(pack.description) > 40 for pack in PACKS)


@pytest.mark.req("DEMO2")
def test_ten_agents_are_asked_to_cite_and_each_says_what_it_is_for() -> None:
    there = agents()
    assert len({agent.name for agent in there}) == len(there)
    modes = [agent.grounding for agent in there]
    assert (modes.count("preferred"), set(modes)) == (10, {"preferred", "open"})
    assert {agent.name: agent.grounding for agent in there}["figure-describer"] == "open"
    for agent in there:
        assert len(agent.questions) == 3
        assert all(agent.questions)
        assert agent.purpose.endswith(".")
        assert len(agent.prompt.split()) >= 30
        assert set(agent.packs) <= {pack.name for pack in PACKS}
        assert agent.packs or agent.grounding == "open"
    assert {pack.name for pack in PACKS} == {name for agent in there for name in agent.packs}
    assert {shown.agent for shown in SHOWN} <= {agent.name for agent in there if agent.packs}


@pytest.mark.req("DEMO1")
@pytest.mark.parametrize("source", [one for one in SINGLE if one.format != "image"], ids=lambda one: one.name)
def test_a_document_of_its_own_has_a_table_and_ends_with_its_keywords(source: Source) -> None:
    lines = source.body.strip().splitlines()
    assert lines[0] == f"# {source.title}"
    assert re.fullmatch(r"Keywords: \w.*, \w.*", lines[-1])
    assert 300 <= len(source.body.split()) <= 1500
    assert any(isinstance(element, Table) for element in elements(source.body))
    drawn = [element for element in elements(source.body) if isinstance(element, Figure)]
    assert bool(drawn) == (source.format in {"word", "pdf"})


@pytest.mark.req("DEMO1")
@pytest.mark.parametrize("source", SINGLE, ids=lambda source: source.name)
def test_the_same_source_gives_the_same_bytes(source: Source) -> None:
    assert content(source) == content(source)


@pytest.mark.req("DEMO1", "FIG1", "FIG4")
def test_each_file_reads_to_its_title_its_words_and_its_figures(tmp_path: Path) -> None:
    with Reader() as reader:
        for pack in PACKS:
            by_name = {source.name: source for source in sources(pack)}
            for path in write(pack, tmp_path):
                source = by_name[path.name]
                reading = reader.read(path, path.name, None, PACKS_POLICY)
                assert reading.title == source.title
                assert (reading.kind, reading.not_kept, reading.notes) == (source.format, {}, ())
                figures = [element for element in elements(source.body) if isinstance(element, Figure)]
                assert len(reading.figures) == len(figures)
                if source.format in {"word", "image"}:
                    assert [figure.label for figure in reading.figures] == [one.alt for one in figures]
                said = re.sub(r"\]\([\w-]+\)", "", source.body) if source.format != "pdf" else _spoken(source)
                assert set(_words(said)) - set(_words(reading.text)) == set()


@pytest.mark.parametrize(
    "name", [path.stem for path in (Path(demo.__file__).parent / "figures").glob("*.toml")]
)
def test_a_figure_is_drawn_and_is_not_empty(name: str) -> None:
    image = draw(name)
    assert image.width >= 1_000
    assert len(image.getcolors(1 << 24) or ()) > 5


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
    body = "# Runbook: jobs\n\n![The *way* of a job](job-flow)\n"
    source = parse("a.pdf.md", body)
    assert source == Source("a.pdf", "Runbook: jobs", "pdf", body)
    assert list(elements(body))[1] == Figure("The *way* of a job", "job-flow")
    assert parse("jobs.md", "Text.\n") == Source("jobs.md", "jobs", "markdown", "Text.\n")
    assert parse("Way.png.md", "![A](b)\n") == Source("Way.png", "Way", "image", "![A](b)\n")
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


def _spoken(source: Source) -> str:
    """What a PDF holds as text: not what its figures show."""
    return re.sub(r"!\[.*?\]\(.*?\)", "", source.body)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text)
