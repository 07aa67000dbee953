"""Damaged copies of real files: whatever the damage, a reading within the limits or a refusal."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from refdesk.errors import Refusal
from refdesk.policy import Policy, load_policy
from refdesk.reading import Reader, Reading

MUTANTS = 300
LARGEST = 120_000
"""Bytes: small files make many mutants in little time."""

EXPECTED = {
    "damaged", "no_text", "scanned", "password_protected", "wrong_type", "took_too_long", "too_many_pages",
    "too_many_characters", "image_decode", "image_size", "image_pixels",
}  # fmt: skip


def mutant(data: bytes, chance: random.Random) -> bytes:
    """One to twenty pieces overwritten, cut out, doubled or swapped; sometimes the end is missing."""
    out = bytearray(data)
    for _ in range(chance.choice((1, 1, 3, 20))):
        at = chance.randrange(len(out) or 1)
        length = chance.choice((1, 1, 4, 64))
        piece = out[at : at + length]
        out[at : at + length] = chance.choice(
            (chance.randbytes(length), b"", piece + piece, piece[::-1], b"\xff" * length, b"9" * length)
        )
    return bytes(out[: chance.randrange(len(out) + 1)] if chance.random() < 0.1 else out)


@pytest.mark.req("DOC3", "DOC4")
def test_damaged_files_are_read_or_refused(corpus: Path, reader: Reader, tmp_path: Path) -> None:
    files = sorted(
        file
        for file in (corpus / "documents").iterdir()
        if file.suffix in {".pdf", ".docx", ".png", ".jpg", ".webp"}
        and file.stat().st_size < LARGEST
        and "bomb" not in file.name
    )
    policy = load_policy("packs", {"documents.max_seconds": 5.0})
    chance = random.Random(20_261_130)
    sound = corpus / "documents" / "pdf-figures-two-pages.pdf"
    before = reader.read(sound, sound.name, None, policy)
    outcomes: Counter[str] = Counter()
    for number in range(MUTANTS):
        file = files[number % len(files)]
        damaged = tmp_path / "damaged"
        damaged.write_bytes(mutant(file.read_bytes(), chance))
        outcomes[outcome(reader, damaged, file.name, policy)] += 1
    assert reader.read(sound, sound.name, None, policy) == before, "damaged files changed how others are read"
    assert outcomes["kept"] > MUTANTS / 10, "hardly any mutant is still a document: the test tests nothing"
    assert outcomes["damaged"] > MUTANTS / 20
    assert set(outcomes) <= EXPECTED | {"kept"}


def outcome(reader: Reader, file: Path, name: str, policy: Policy) -> str:
    try:
        reading = reader.read(file, name, None, policy)
    except Refusal as refusal:
        return refusal.code
    check_limits(reading, policy)
    return "kept"


def check_limits(reading: Reading, policy: Policy) -> None:
    assert len(reading.figures) <= policy.figures.max_count
    assert len(reading.pages) <= policy.documents.max_pages
    assert len(reading.text) <= policy.documents.max_characters + 100 * len(reading.figures) + 200
    for page in reading.pages:
        assert reading.text[page.start : page.end].startswith(f"Page {page.number}")
    for number, figure in enumerate(reading.figures, start=1):
        assert figure.number == number
        assert max(figure.width, figure.height) <= policy.figures.max_stored_side
        assert f"[Figure {number}" in reading.text
