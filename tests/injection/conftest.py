"""Desks that hostile documents go into the way people add them: as files."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

import pytest
from PIL import Image
from tests.unit.word.conftest import Word
from tests.web.conftest import Served, _running

from refdesk import Desk
from refdesk.answer.model import Prompt
from refdesk.answer.models import QuotingModel
from refdesk.settings import Settings

OPENING = "The north gate opens at seven on weekdays."
QUESTION = "When does the north gate open?"
_NAME_BYTES = 150
_CORE_SPACE = "http://schemas.openxmlformats.org/package/2006/metadata/core-properties"
_CORE_LINK = "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all attacks, each of which has a base of its own."""
    home = tmp_path_factory.mktemp("injection")
    desk = Desk.open(home / "desk", policy="packs", settings=Settings(cache=home / "cache"), embedders={})
    running = _running(desk)
    served = Served(desk, running.__enter__())
    yield served
    served.close()
    running.__exit__(None, None, None)
    desk.close()


@pytest.fixture(scope="module")
def inline(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """One base whose whole text stands in the prompt of an agent."""
    home = tmp_path_factory.mktemp("inline")
    with Desk.open(home / "desk", policy="voice", settings=Settings(cache=home / "cache")) as desk:
        desk.bases.create("Gates")
        desk.agents.create("Porter", bases=["Gates"])
        yield desk


@pytest.fixture
def prompts(monkeypatch: pytest.MonkeyPatch) -> list[Prompt]:
    """Every prompt that the quoting model is given."""
    heard: list[Prompt] = []
    complete = QuotingModel.complete

    def hearing(self: QuotingModel, prompt: Prompt, *more: object) -> object:
        heard.append(prompt)
        return complete(self, prompt, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(QuotingModel, "complete", hearing)
    return heard


def named(attack: str) -> str:
    """As much of the attack as a file's name can hold."""
    name = "gate " + attack.replace("/", "\u2215").replace("\0", "")
    return name.encode()[:_NAME_BYTES].decode("utf-8", "ignore")


@dataclass(frozen=True, slots=True)
class Planted:
    """The attack in each place of each kind of file."""

    folder: Path
    attack: str

    def files(self) -> list[Path]:
        return [
            self._write(".md", self.markdown().encode()),
            self._write(".txt", f"{OPENING}\n\n{self.attack}\n".encode()),
            self._write(".docx", self.word()),
            self._write(".png", picture()),
        ]

    def _write(self, extension: str, content: bytes) -> Path:
        path = self.folder / f"{named(self.attack)}{extension}"
        path.write_bytes(content)
        return path

    def markdown(self) -> str:
        one_line = self.attack.replace("\n", " ")
        return (
            f"# The north gate {one_line}\n\n{OPENING}\n\n## Opening of the north gate {one_line}\n\n"
            f"{self.attack}\n\nThe north gate opens late. {one_line}\n\n"
            f'![the north gate {one_line}](https://leak.example/gate.png "{one_line}")\n\n'
            f"| Gate | Opens | {one_line} |\n|---|---|---|\n| north gate | seven | {one_line} |\n"
            f"{self.attack}\n\nFigure 1: {one_line}\n"
        )

    def word(self) -> bytes:
        """Title, heading, paragraph, table cell, alt text, caption and footnote."""
        text = "".join(c for c in self.attack if c in "\n\t" or (c.isprintable() or ord(c) > 0x9F))
        text = " ".join(text.split("\n"))
        word = Word()
        body = (
            word.p(f"Gates {text}", style="Title")
            + word.p(f"The north gate opens {text}", style="Heading1")
            + word.p(OPENING)
            + word.p(text)
            + word.table(("Gate", f"at {text}"), ("north gate", f"at {text}"))
            + f"<w:p>{word.picture(alt=escape(text))}</w:p>"
            + word.p(f"Figure 1: the north gate. {text}", style="Caption")
        )
        core = (
            f'<cp:coreProperties xmlns:cp="{_CORE_SPACE}" '
            f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{escape(text)}</dc:title>'
            "</cp:coreProperties>"
        )
        parts = word.parts(
            body,
            links=[("rImage", "image", "media/gate.png")],
            parts={"word/media/gate.png": picture(), "docProps/core.xml": core},
        )
        parts["_rels/.rels"] = word.relationships(
            [("rId1", "officeDocument", "word/document.xml"), ("rId2", _CORE_LINK, "docProps/core.xml")]
        )
        return word.zip(parts)


def picture() -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (40, 40), "navy").save(stream, "PNG")
    return stream.getvalue()
