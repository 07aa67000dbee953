"""Every file of the shared corpus comes out as its manifest says."""

from __future__ import annotations

import csv
import re
import unicodedata
from pathlib import Path

import pytest

from refdesk.errors import Refusal
from refdesk.policy import Policy
from refdesk.reading import Reader, Reading

MANIFEST = Path(__file__).parents[4] / "shared" / "corpus" / "documents" / "manifest.tsv"

CODES = {
    "scanned": {"scanned"},
    "no-text": {"no_text"},
    "no_text": {"no_text"},
    "password": {"password_protected"},
    "damaged": {"damaged"},
    "type": {"wrong_type", "unsupported_type"},
    "pages": {"too_many_pages"},
    "chars": {"too_many_characters"},
    "time": {"took_too_long"},
    "size": {"image_size"},
    "pixels": {"image_pixels"},
    "decode": {"image_decode"},
}

Row = dict[str, str]


def rows() -> list[Row]:
    if not MANIFEST.is_file():
        return []
    with MANIFEST.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.req("DOC1", "DOC2", "DOC3", "DOC4", "FIG1", "FIG2", "FIG3", "SPL1")
@pytest.mark.parametrize("row", [pytest.param(row, id=row["file"]) for row in rows()] or [None])
def test_a_corpus_file_comes_out_as_the_manifest_says(
    row: Row | None, corpus: Path, reader: Reader, packs: Policy
) -> None:
    assert row is not None, "the corpus has no manifest"
    outcome = read(reader, corpus / "documents" / row["file"], packs)
    if isinstance(outcome, Refusal):
        assert outcome.code in may_be_refused_as(row), outcome.message
    else:
        assert may_be_kept(row), f"kept, with the text {outcome.text[:200]!r}"
        if row["outcome"] == "kept":
            check_text(row, outcome)
            check_figures(row, outcome)


def read(reader: Reader, file: Path, packs: Policy) -> Reading | Refusal:
    try:
        return reader.read(file, file.name, None, packs)
    except Refusal as refusal:
        return refusal


def may_be_kept(row: Row) -> bool:
    return row["outcome"] == "kept" or "kept" in row["also"].split(",")


def may_be_refused_as(row: Row) -> set[str]:
    reasons = [row["reason"]] if row["outcome"] == "refused" else []
    reasons += [also.removeprefix("refused:") for also in row["also"].split(",") if "refused:" in also]
    if "*" in reasons:
        return set().union(*CODES.values())
    return set().union(*(CODES[reason] for reason in reasons))


def check_text(row: Row, reading: Reading) -> None:
    text = comparable(reading.text)
    if row["must_contain"]:
        assert comparable(row["must_contain"]) in text
        if row["on_page"].isdecimal():
            page = reading.pages[int(row["on_page"]) - 1]
            assert comparable(row["must_contain"]) in comparable(reading.text[page.start : page.end])
    if row["must_not_contain"]:
        assert row["must_not_contain"] not in reading.text
    if row["pages"].isdecimal():
        assert len(reading.pages) == int(row["pages"])
        for page in reading.pages:
            assert reading.text[page.start : page.end].split("\n")[0] == f"Page {page.number}"
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ue000-\ue002\ufffe\uffff]", reading.text)


def check_figures(row: Row, reading: Reading) -> None:
    expected = dict(part.split(":") for part in row["images_not_kept"].split(",") if ":" in part)
    assert {reason: str(count) for reason, count in reading.not_kept.items()} == expected
    assert len(reading.figures) == int(row["images_kept"])
    assert len(reading.figures) + sum(reading.not_kept.values()) == int(row["images_drawn"])
    markers = re.findall(r"\[Figure (\d+)(?:: [^\]]*)?\]", reading.text)
    assert markers == [str(figure.number) for figure in reading.figures]
    has_line = reading.text.split("\n")[-1].startswith("Images: ")
    assert has_line == bool(expected)


def comparable(text: str) -> str:
    """As the corpus says: NFKC, white space folded, line-end hyphens joined, Markdown marks out."""
    text = re.sub(r"-\n(?=\w)", "", unicodedata.normalize("NFKC", text))
    return " ".join(re.sub(r"[*_`#|\\>]|^\s*[-+]\s", " ", text, flags=re.MULTILINE).split())
