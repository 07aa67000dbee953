"""Figures are kept beside their document, and go with it."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from tests.unit.word.conftest import Word

from refdesk import Desk
from refdesk.errors import NotFound

Opener = Callable[..., Desk]


def png(colour: str) -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (64, 48), colour).save(stream, "PNG")
    return stream.getvalue()


def drawn(folder: Path) -> Path:
    """A Word file that draws one picture twice and another once."""
    word = Word()
    body = word.p("Credit flow") + "".join(
        f"<w:p>{word.picture(reference, alt)}</w:p>"
        for reference, alt in (("rA", "Credit flow"), ("rB", "Stock"), ("rA", "Credit flow again"))
    )
    links = [("rA", "image", "media/a.png"), ("rB", "image", "media/b.png")]
    parts = {"word/media/a.png": png("red"), "word/media/b.png": png("blue")}
    path = folder / "flow.docx"
    path.write_bytes(word.file(body, links=links, parts=parts))
    return path


@pytest.mark.req("FIG1", "FIG4", "D12", "DOC7")
@pytest.mark.parametrize("policy", ["packs", "bases"])
def test_a_picture_drawn_again_is_stored_once_and_is_a_figure_of_its_own(
    open_desk: Opener, tmp_path: Path, policy: str
) -> None:
    desk = open_desk(policy)
    [added] = desk.bases.create("Handbook").add(drawn(tmp_path), wait=True).documents
    assert added.id is not None
    figures = desk.documents.figures(added.id)
    assert [(one.number, one.label, one.width, one.height) for one in figures] == [
        (1, "Credit flow", 64, 48),
        (2, "Stock", 64, 48),
        (3, "Credit flow again", 64, 48),
    ]
    assert "[Figure 3: Credit flow again]" in desk.documents.text(added.id)
    pictures = [desk.documents.figure(added.id, number) for number in (1, 2, 3)]
    assert pictures[0] == pictures[2] != pictures[1]
    shown = Image.open(io.BytesIO(pictures[1]))
    assert (shown.format, shown.convert("RGB").getpixel((5, 5))) == ("WEBP", (0, 0, 255))
    assert len(list((desk.home / "blobs").rglob("*.webp"))) == 2
    with pytest.raises(NotFound, match="no figure 4"):
        desk.documents.figure(added.id, 4)
    desk.documents.delete(added.id)
    assert list((desk.home / "blobs").rglob("*.webp")) == []


@pytest.mark.req("DOC1")
def test_an_image_file_is_a_document_of_its_own(open_desk: Opener, tmp_path: Path) -> None:
    desk = open_desk()
    (tmp_path / "Plant layout.png").write_bytes(png("green"))
    base = desk.bases.create("Handbook")
    [added] = base.add(tmp_path / "Plant layout.png", wait=True).documents
    assert (added.state, added.passages) == ("ready", 1)
    [hit] = desk.search("plant layout", bases=[base], mode="keyword")
    assert (hit.title, hit.text) == ("Plant layout", "Plant layout\n\n[Figure 1: Plant layout]")
