"""Names of WordprocessingML and its neighbours, as ElementTree spells them: ``{namespace}local``.

Transitional names only; ``xml.py`` turns Strict names into these. Source: ECMA-376 parts 1 and 4.
"""

from __future__ import annotations

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
MATH = "http://schemas.openxmlformats.org/officeDocument/2006/math"
RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
DRAWING_WORD = "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
PICTURE = "http://schemas.openxmlformats.org/drawingml/2006/picture"
CHART = "http://schemas.openxmlformats.org/drawingml/2006/chart"
DIAGRAM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
GROUP = "http://schemas.microsoft.com/office/word/2010/wordprocessingGroup"
WORD_2010 = "http://schemas.microsoft.com/office/word/2010/wordml"
COMPATIBILITY = "http://schemas.openxmlformats.org/markup-compatibility/2006"
VML = "urn:schemas-microsoft-com:vml"
OFFICE = "urn:schemas-microsoft-com:office:office"

# Strict OOXML (ISO/IEC 29500) names the same things otherwise.
STRICT = {
    "http://purl.oclc.org/ooxml/wordprocessingml/main": WORD,
    "http://purl.oclc.org/ooxml/officeDocument/math": MATH,
    "http://purl.oclc.org/ooxml/officeDocument/relationships": RELATION,
    "http://purl.oclc.org/ooxml/drawingml/main": DRAWING,
    "http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing": DRAWING_WORD,
    "http://purl.oclc.org/ooxml/drawingml/picture": PICTURE,
    "http://purl.oclc.org/ooxml/drawingml/chart": CHART,
    "http://purl.oclc.org/ooxml/drawingml/diagram": DIAGRAM,
}


def w(name: str) -> str:
    return f"{{{WORD}}}{name}"


def m(name: str) -> str:
    return f"{{{MATH}}}{name}"


def a(name: str) -> str:
    return f"{{{DRAWING}}}{name}"


def v(name: str) -> str:
    return f"{{{VML}}}{name}"


def chart(name: str) -> str:
    return f"{{{CHART}}}{name}"


def diagram(name: str) -> str:
    return f"{{{DIAGRAM}}}{name}"


VAL = w("val")
M_VAL = m("val")

# blocks
DOCUMENT, BODY, P, TBL, TR, TC = w("document"), w("body"), w("p"), w("tbl"), w("tr"), w("tc")
ALT_CHUNK, SUB_DOCUMENT, TEXT_BOX = w("altChunk"), w("subDoc"), w("txbxContent")

# wrappers that stand at any level
SDT, SDT_PR, SDT_CONTENT = w("sdt"), w("sdtPr"), w("sdtContent")
INS, DEL, MOVE_TO, MOVE_FROM = w("ins"), w("del"), w("moveTo"), w("moveFrom")
CUSTOM_XML, SMART_TAG = w("customXml"), w("smartTag")
ALTERNATE = f"{{{COMPATIBILITY}}}AlternateContent"
CHECK_BOX = f"{{{WORD_2010}}}checkbox"
CHECKED = f"{{{WORD_2010}}}checked"
CHECKED_VAL = f"{{{WORD_2010}}}val"

# properties
P_PR, R_PR, P_STYLE, R_STYLE = w("pPr"), w("rPr"), w("pStyle"), w("rStyle")
NUM_PR, NUM_ID, ILVL, OUTLINE = w("numPr"), w("numId"), w("ilvl"), w("outlineLvl")
VANISH, VERTICAL, FRAME, DROP_CAP = w("vanish"), w("vertAlign"), w("framePr"), w("dropCap")

# runs
R, T, TAB, BR, CR, SYM = w("r"), w("t"), w("tab"), w("br"), w("cr"), w("sym")
HYPERLINK, FIELD_SIMPLE, FIELD_CHAR, INSTRUCTION = (
    w("hyperlink"),
    w("fldSimple"),
    w("fldChar"),
    w("instrText"),
)
FIELD_CHAR_TYPE, R_FONTS = w("fldCharType"), w("rFonts")
FOOTNOTE_REF, ENDNOTE_REF = w("footnoteReference"), w("endnoteReference")
DRAWN, PICT, OBJECT = w("drawing"), w("pict"), w("object")

# pictures
REL_ID, REL_EMBED, REL_LINK, REL_DM = (f"{{{RELATION}}}{name}" for name in ("id", "embed", "link", "dm"))
BLIP = a("blip")
PIC = f"{{{PICTURE}}}pic"
PIC_PR = f"{{{PICTURE}}}cNvPr"
INLINE, ANCHOR = f"{{{DRAWING_WORD}}}inline", f"{{{DRAWING_WORD}}}anchor"
DOC_PR = f"{{{DRAWING_WORD}}}docPr"
GROUPED = f"{{{GROUP}}}wgp"
IMAGE_DATA, TEXT_PATH = v("imagedata"), v("textpath")
OFFICE_TITLE = f"{{{OFFICE}}}title"
CHART_REF, DIAGRAM_REF = chart("chart"), diagram("relIds")

# mathematics
O_MATH, O_MATH_PARA, M_T = m("oMath"), m("oMathPara"), m("t")
