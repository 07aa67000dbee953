"""A Word file from a source: the smallest package that a word processor opens without complaint.

The same source gives the same bytes: nothing in the file depends on the clock or the machine.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from refdesk.demo.figures import draw, png
from refdesk.demo.source import (
    Element,
    Figure,
    Heading,
    Items,
    Paragraph,
    Source,
    Style,
    Table,
    elements,
    figures,
    runs,
)

_MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_BULLETS = 1  # the numbering of every bullet list; each numbered list has one of its own behind it

_CONTENT_TYPES = (
    f'<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Default Extension="png" ContentType="image/png"/>'
    f'<Override PartName="/word/document.xml" ContentType="{_WORD_TYPE}.document.main+xml"/>'
    f'<Override PartName="/word/styles.xml" ContentType="{_WORD_TYPE}.styles+xml"/>'
    f'<Override PartName="/word/numbering.xml" ContentType="{_WORD_TYPE}.numbering+xml"/>'
    '<Override PartName="/docProps/core.xml" '
    'ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>'
)
_ROOT_RELATIONS = (
    f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="word/document.xml"/>'
    f'<Relationship Id="rId2" Type="{_PACKAGE}/relationships/metadata/core-properties" '
    'Target="docProps/core.xml"/></Relationships>'
)
_RUN_PROPERTIES: dict[Style, str] = {
    "plain": "",
    "bold": "<w:rPr><w:b/></w:rPr>",
    "italic": "<w:rPr><w:i/></w:rPr>",
    "code": '<w:rPr><w:rFonts w:ascii="Courier New" w:hAnsi="Courier New"/></w:rPr>',
}
_BORDERS = "".join(
    f'<w:{side} w:val="single" w:sz="4" w:space="0" w:color="808080"/>'
    for side in ("top", "left", "bottom", "right", "insideH", "insideV")
)
_TEXT_WIDTH = 9000  # twentieths of a point between the margins
_PICTURE_WIDTH = 5_700_000  # EMU, 914,400 an inch: as wide as the text


def word(source: Source) -> bytes:
    content = list(elements(source.body))
    names = [figure.name for figure in figures(source.body)]
    parts = {
        "[Content_Types].xml": _CONTENT_TYPES,
        "_rels/.rels": _ROOT_RELATIONS,
        "docProps/core.xml": _core(source.title),
        "word/document.xml": _document(content),
        "word/styles.xml": _styles(),
        "word/numbering.xml": _numbering(_numbered_lists(content)),
        "word/_rels/document.xml.rels": _relations(names),
    }
    contents = {name: (_DECLARATION + xml).encode() for name, xml in parts.items()}
    contents |= {f"word/media/{name}.png": png(name) for name in names}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as package:
        for name, part in contents.items():
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            package.writestr(entry, part)
    return buffer.getvalue()


def _numbered_lists(content: list[Element]) -> int:
    return sum(isinstance(element, Items) and element.numbered for element in content)


def _relations(pictures: Sequence[str]) -> str:
    targets = [("styles", "styles.xml"), ("numbering", "numbering.xml")]
    targets += [("image", f"media/{name}.png") for name in pictures]
    lines = "".join(
        f'<Relationship Id="rId{number}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{lines}</Relationships>'


def _core(title: str) -> str:
    return (
        f'<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{escape(title)}</dc:title></cp:coreProperties>'
    )


def _document(content: list[Element]) -> str:
    body: list[str] = []
    numbering = _BULLETS
    picture = 0
    for element in content:
        if isinstance(element, Figure):
            picture += 1
            body.append(_picture(element, picture))
            continue
        if isinstance(element, Items) and element.numbered:
            numbering += 1
        body += _element(element, numbering)
    section = (
        '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440"'
    )
    section += ' w:left="1440" w:header="720" w:footer="720" w:gutter="0"/></w:sectPr>'
    return f'<w:document xmlns:w="{_MAIN}"><w:body>{"".join(body)}{section}</w:body></w:document>'


def _element(element: Element, numbering: int) -> Iterator[str]:
    match element:
        case Heading(level, text):
            yield _paragraph(text, f'<w:pStyle w:val="Heading{level}"/>')
        case Paragraph(text):
            yield _paragraph(text)
        case Items(numbered, texts):
            number = numbering if numbered else _BULLETS
            properties = f'<w:numPr><w:ilvl w:val="0"/><w:numId w:val="{number}"/></w:numPr>'
            yield from (_paragraph(text, properties) for text in texts)
        case Table(rows):
            yield _table(rows)


def _picture(figure: Figure, number: int) -> str:
    """The third relation is that of the first picture."""
    width, height = draw(figure.name).size
    size = f'cx="{_PICTURE_WIDTH}" cy="{_PICTURE_WIDTH * height // width}"'
    named = f'id="{number}" name={quoteattr(figure.name)} descr={quoteattr(figure.alt)}'
    return (
        f'<w:p><w:r><w:drawing><wp:inline xmlns:wp="{_DRAWING}/wordprocessingDrawing"><wp:extent {size}/>'
        f'<wp:docPr {named}/><a:graphic xmlns:a="{_DRAWING}/main"><a:graphicData uri="{_DRAWING}/picture">'
        f'<pic:pic xmlns:pic="{_DRAWING}/picture"><pic:nvPicPr><pic:cNvPr {named}/><pic:cNvPicPr/>'
        f'</pic:nvPicPr><pic:blipFill><a:blip xmlns:r="{_OFFICE}" r:embed="rId{number + 2}"/>'
        "<a:stretch><a:fillRect/></a:stretch></pic:blipFill>"
        f'<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext {size}/></a:xfrm><a:prstGeom prst="rect"/></pic:spPr>'
        "</pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>"
    )


def _paragraph(text: str, properties: str = "") -> str:
    properties = f"<w:pPr>{properties}</w:pPr>" if properties else ""
    pieces = "".join(
        f'<w:r>{_RUN_PROPERTIES[style]}<w:t xml:space="preserve">{escape(piece)}</w:t></w:r>'
        for piece, style in runs(text)
    )
    return f"<w:p>{properties}{pieces}</w:p>"


def _table(rows: tuple[tuple[str, ...], ...]) -> str:
    width = _TEXT_WIDTH // len(rows[0])
    grid = f'<w:gridCol w:w="{width}"/>' * len(rows[0])
    lines = []
    for number, row in enumerate(rows):
        header = "<w:trPr><w:tblHeader/></w:trPr>" if number == 0 else ""
        size = f'<w:tcPr><w:tcW w:w="{width}" w:type="dxa"/></w:tcPr>'
        lines.append(f"<w:tr>{header}{''.join(f'<w:tc>{size}{_paragraph(c)}</w:tc>' for c in row)}</w:tr>")
    return (
        f'<w:tbl><w:tblPr><w:tblW w:w="{_TEXT_WIDTH}" w:type="dxa"/><w:tblBorders>{_BORDERS}</w:tblBorders>'
        f"</w:tblPr><w:tblGrid>{grid}</w:tblGrid>{''.join(lines)}</w:tbl><w:p/>"
    )


def _styles() -> str:
    headings = "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{level}"><w:name w:val="heading {level}"/>'
        '<w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:pPr><w:keepNext/>'
        f'<w:spacing w:before="240" w:after="80"/><w:outlineLvl w:val="{level - 1}"/></w:pPr>'
        f'<w:rPr><w:b/><w:sz w:val="{size}"/></w:rPr></w:style>'
        for level, size in ((1, 36), (2, 28), (3, 24))
    )
    return (
        f'<w:styles xmlns:w="{_MAIN}"><w:style w:type="paragraph" w:default="1" w:styleId="Normal">'
        '<w:name w:val="Normal"/><w:pPr><w:spacing w:after="120"/></w:pPr><w:rPr><w:sz w:val="22"/></w:rPr>'
        f"</w:style>{headings}</w:styles>"
    )


def _numbering(numbered: int) -> str:
    def definition(number: int, form: str, text: str) -> str:
        return (
            f'<w:abstractNum w:abstractNumId="{number}"><w:lvl w:ilvl="0"><w:start w:val="1"/>'
            f'<w:numFmt w:val="{form}"/><w:lvlText w:val="{text}"/>'
            '<w:pPr><w:ind w:left="720" w:hanging="360"/></w:pPr></w:lvl></w:abstractNum>'
        )

    lists = "".join(
        f'<w:num w:numId="{_BULLETS + 1 + index}"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0">'
        '<w:startOverride w:val="1"/></w:lvlOverride></w:num>'
        for index in range(numbered)
    )
    return (
        f'<w:numbering xmlns:w="{_MAIN}">{definition(0, "bullet", "•")}{definition(1, "decimal", "%1.")}'
        f'<w:num w:numId="{_BULLETS}"><w:abstractNumId w:val="0"/></w:num>{lists}</w:numbering>'
    )
