"""Makes Word files for the tests: each test's files are its own, written as the XML that it is about."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

import pytest

from refdesk.reading.word import WordLimits, WordText, read_word

LIMITS = WordLimits(max_characters=400_000, max_image_bytes=5_242_880)
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 24
TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
DOCUMENT = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
SPACES = {
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    "pic": "http://schemas.openxmlformats.org/drawingml/2006/picture",
    "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
    "dgm": "http://schemas.openxmlformats.org/drawingml/2006/diagram",
    "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
    "wpg": "http://schemas.microsoft.com/office/word/2010/wordprocessingGroup",
    "w14": "http://schemas.microsoft.com/office/word/2010/wordml",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "v": "urn:schemas-microsoft-com:vml",
    "o": "urn:schemas-microsoft-com:office:office",
}
NAMESPACES = " ".join(f'xmlns:{prefix}="{address}"' for prefix, address in SPACES.items())
Part = str | bytes


class Word:
    """Builds and reads files. ``links`` are (id, type, target), external when a fourth entry says so."""

    document_type = DOCUMENT
    limits = LIMITS
    namespaces = NAMESPACES
    png = PNG
    # a plain list "1." under the id 1, and the property that puts a paragraph into it
    numbers = (
        '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:lvlText w:val="%1."/>'
        '</w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    )
    numbered = '<w:numPr><w:numId w:val="1"/></w:numPr>'

    @staticmethod
    def r(text: str, properties: str = "") -> str:
        return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{escape(text)}</w:t></w:r>'

    @classmethod
    def p(cls, text: str = "", properties: str = "", style: str = "") -> str:
        named = f'<w:pStyle w:val="{style}"/>' if style else ""
        return f"<w:p><w:pPr>{named}{properties}</w:pPr>{cls.r(text) if text else ''}</w:p>"

    @classmethod
    def table(cls, *rows: Sequence[str]) -> str:
        """A plain table; a cell that starts with ``<`` is XML, another is text."""
        return f"<w:tbl>{''.join(cls.row(*row) for row in rows)}</w:tbl>"

    @classmethod
    def row(cls, *cells: str, properties: str = "") -> str:
        written = (cell if cell.startswith("<w:tc>") else cls.cell(cell) for cell in cells)
        return f"<w:tr><w:trPr>{properties}</w:trPr>{''.join(written)}</w:tr>"

    @classmethod
    def cell(cls, content: str, properties: str = "") -> str:
        blocks = content if content.startswith("<") else cls.p(content)
        return f"<w:tc><w:tcPr>{properties}</w:tcPr>{blocks}</w:tc>"

    @staticmethod
    def root(name: str, content: str) -> str:
        return f'<?xml version="1.0" encoding="UTF-8"?><{name} {NAMESPACES}>{content}</{name}>'

    @staticmethod
    def picture(reference: str = "rImage", alt: str = "", own_alt: str = "") -> str:
        """An inline picture as Word draws it: the blip in its frame."""
        return (
            f'<w:r><w:drawing><wp:inline><wp:docPr id="1" name="P" descr="{alt}"/><a:graphic><a:graphicData>'
            f'<pic:pic><pic:nvPicPr><pic:cNvPr id="0" name="p.png" descr="{own_alt}"/></pic:nvPicPr>'
            f'<pic:blipFill><a:blip r:embed="{reference}"/></pic:blipFill></pic:pic>'
            "</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"
        )

    @staticmethod
    def relationships(links: Sequence[tuple[str, ...]]) -> str:
        entries = ""
        for identity, kind, target, *mode in links:
            address = kind if "/" in kind else TYPES + kind
            external = f' TargetMode="{mode[0]}"' if mode else ""
            entries += f'<Relationship Id="{identity}" Type="{address}" Target="{target}"{external}/>'
        space = "http://schemas.openxmlformats.org/package/2006/relationships"
        return f'<?xml version="1.0"?><Relationships xmlns="{space}">{entries}</Relationships>'

    @staticmethod
    def content_types(overrides: Mapping[str, str]) -> str:
        entries = "".join(
            f'<Override PartName="/{part}" ContentType="{kind}"/>' for part, kind in overrides.items()
        )
        defaults = '<Default Extension="png" ContentType="image/png"/>'
        space = "http://schemas.openxmlformats.org/package/2006/content-types"
        return f'<?xml version="1.0"?><Types xmlns="{space}">{defaults}{entries}</Types>'

    @staticmethod
    def zip(
        parts: Mapping[str, Part] | Sequence[tuple[str, Part]], method: int = zipfile.ZIP_DEFLATED
    ) -> bytes:
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", method) as archive:
            for name, content in parts.items() if isinstance(parts, Mapping) else parts:
                archive.writestr(name, content)
        return stream.getvalue()

    def parts(
        self,
        body: str = "",
        *,
        styles: str | None = None,
        numbering: str | None = None,
        footnotes: str | None = None,
        endnotes: str | None = None,
        links: Sequence[tuple[str, ...]] = (),
        parts: Mapping[str, Part] | None = None,
    ) -> dict[str, Part]:
        """The parts of a file with this body, by name, as Word writes them."""
        own = {"styles": styles, "numbering": numbering, "footnotes": footnotes, "endnotes": endnotes}
        present = {kind: content for kind, content in own.items() if content is not None}
        known = [(f"r-{kind}", kind, f"{kind}.xml") for kind in present]
        return {
            "[Content_Types].xml": self.content_types({"word/document.xml": DOCUMENT}),
            "_rels/.rels": self.relationships([("rId1", "officeDocument", "word/document.xml")]),
            "word/document.xml": self.root("w:document", f"<w:body>{body}</w:body>"),
            "word/_rels/document.xml.rels": self.relationships([*known, *links]),
            **{f"word/{kind}.xml": self.root(f"w:{kind}", content) for kind, content in present.items()},
            **(parts or {}),
        }

    def file(self, body: str = "", **other: object) -> bytes:
        return self.zip(self.parts(body, **other))  # type: ignore[arg-type]

    def read(self, body: str = "", **other: object) -> WordText:
        return read_word(self.file(body, **other), LIMITS)

    def text(self, body: str = "", **other: object) -> str:
        return self.read(body, **other).text


@pytest.fixture(scope="session")
def word() -> Word:
    return Word()
