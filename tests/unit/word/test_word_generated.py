"""Whatever a file holds, it is read or refused: nothing else ever comes out."""

from __future__ import annotations

import re
import string

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from refdesk.reading.problem import Problem
from refdesk.reading.word import PICTURE_PLACE, WordText, names, read_word

QUIET = settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)

PREFIXES = {
    names.WORD: "w",
    names.MATH: "m",
    names.DRAWING: "a",
    names.DRAWING_WORD: "wp",
    names.PICTURE: "pic",
    names.VML: "v",
    names.CHART: "c",
    names.DIAGRAM: "dgm",
    names.GROUP: "wpg",
    names.WORD_2010: "w14",
    names.COMPATIBILITY: "mc",
    names.OFFICE: "o",
    names.RELATION: "r",
}
QUALIFIED = sorted(
    f"{PREFIXES[found[1]]}:{found[2]}"
    for value in vars(names).values()
    if isinstance(value, str) and (found := re.fullmatch(r"\{(.+)\}(\w+)", value)) and found[1] in PREFIXES
)
MORE = [
    "w:tblPr",
    "w:trPr",
    "w:tcPr",
    "w:gridSpan",
    "w:vMerge",
    "w:hMerge",
    "w:gridBefore",
    "w:softHyphen",
    "w:ruby",
    "w:rubyBase",
    "m:f",
    "m:num",
    "m:den",
    "m:sSup",
    "m:e",
    "m:sup",
    "m:d",
    "m:nary",
    "mc:Choice",
    "w:ffData",
    "w:checkBox",
    "w:ddList",
    "c:ser",
    "c:val",
    "dgm:pt",
    "w:unknown",
]
ATTRIBUTES = [
    "w:val",
    "w:id",
    "r:id",
    "r:embed",
    "r:dm",
    "w:fldCharType",
    "w:char",
    "w:font",
    "w:instr",
    "descr",
    "alt",
    "string",
    "m:val",
    "w14:val",
    "w:anchor",
]
VALUES = st.one_of(
    st.sampled_from(
        [
            "1",
            "0",
            "-1",
            "9",
            "999999999999",
            "1e9",
            "x",
            "",
            "begin",
            "separate",
            "end",
            "Heading1",
            "S",
            "F061",
            "restart",
            "continue",
            "superscript",
            "rImage",
            "rLink",
            "rNone",
            "rChart",
        ]
    ),
    st.text(string.printable.strip() + " ä\u00ad\ue000\ue001\u200b|", max_size=12),
)
TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20)


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


@st.composite
def element(draw, inner):
    name = draw(st.sampled_from(QUALIFIED + MORE))
    chosen = draw(st.dictionaries(st.sampled_from(ATTRIBUTES), VALUES, max_size=3))
    attributes = "".join(f' {key}="{escaped(value)}"' for key, value in chosen.items())
    return f"<{name}{attributes}>{''.join(draw(st.lists(inner, max_size=4)))}</{name}>"


TREES = st.recursive(
    st.one_of(TEXT.map(escaped), TEXT.map(lambda text: f"<w:r><w:t>{escaped(text)}</w:t></w:r>")),
    element,
    max_leaves=40,
)
NUMBERING = (
    '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/>'
    '<w:numFmt w:val="upperRoman"/><w:lvlText w:val="%1.%2"/></w:lvl></w:abstractNum>'
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
)
LINKS = [
    ("rImage", "image", "media/a.png"),
    ("rLink", "hyperlink", "https://example.org/", "External"),
    ("rChart", "chart", "chart.xml"),
]


def built(word, body, **other):
    parts = {"word/media/a.png": word.png, "word/chart.xml": word.root("c:chartSpace", "<c:ser/>")}
    return word.file(body, links=LINKS, parts=parts, **other)


CODES = {"damaged", "no_text", "wrong_type", "password_protected", "too_many_characters"}


def check(data, limits):
    """Read or refused; and what is read keeps its promises."""
    try:
        found = read_word(data, limits)
    except Problem as problem:
        refused = problem
    else:
        check_text(found)
        return
    assert refused.code in CODES
    assert refused.message.endswith(".")


def check_text(found):
    assert isinstance(found, WordText)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\ufeff\ud800-\udfff]", found.text)
    places = [int(number) for number in PICTURE_PLACE.findall(found.text)]
    assert places == list(range(1, len(found.images) + 1))
    assert not set("\ue000\ue001") & set(PICTURE_PLACE.sub("", found.text))
    paragraphs = found.text.split("\n\n")
    assert all(PICTURE_PLACE.fullmatch(one) for one in paragraphs if PICTURE_PLACE.search(one))


@QUIET
@given(bodies=st.lists(TREES, min_size=1, max_size=6))
def test_any_tree_of_known_elements(word, bodies):
    wrapped = "".join(f"<w:p><w:r><w:t>x</w:t></w:r>{body}</w:p>{body}" for body in bodies)
    check(built(word, wrapped, numbering=NUMBERING), word.limits)


@QUIET
@given(styles=TREES, numbering=TREES, footnotes=TREES)
def test_any_tree_in_the_other_parts(word, styles, numbering, footnotes):
    used = word.p("text", '<w:numPr><w:numId w:val="1"/></w:numPr>', style="S")
    styled = word.r("text", '<w:rStyle w:val="S"/>')
    noted = f'<w:p>{styled}<w:r><w:footnoteReference w:id="1"/></w:r></w:p>'
    check(
        built(
            word,
            used + noted,
            styles=f'<w:style w:type="paragraph" w:styleId="S">{styles}</w:style>',
            numbering=NUMBERING.replace("<w:lvlText", numbering + "<w:lvlText") + numbering,
            footnotes=f'<w:footnote w:id="1">{footnotes}</w:footnote>',
        ),
        word.limits,
    )


RICH = (
    '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Title</w:t></w:r></w:p>'
    '<w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>item</w:t><w:br/></w:r></w:p>'
    '<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc>'
    '</w:tr></w:tbl><w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r>'
    '<w:r><w:instrText>HYPERLINK "https://example.org"</w:instrText></w:r>'
    '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>b</w:t></w:r><w:r>'
    '<w:fldChar w:fldCharType="end"/></w:r></w:p>'
)


@QUIET
@given(changes=st.lists(st.tuples(st.integers(0, 1_000_000), st.integers(0, 255)), min_size=1, max_size=8))
def test_changed_bytes_of_a_file(word, changes):
    data = bytearray(built(word, RICH, numbering=NUMBERING))
    for place, value in changes:
        data[place % len(data)] = value
    check(bytes(data), word.limits)


@QUIET
@given(
    changes=st.lists(
        st.tuples(st.integers(0, 1_000_000), st.binary(min_size=0, max_size=6)), min_size=1, max_size=6
    ),
    part=st.sampled_from(
        ["word/document.xml", "word/numbering.xml", "[Content_Types].xml", "word/_rels/document.xml.rels"]
    ),
)
def test_changed_bytes_of_a_part(word, changes, part):
    parts = word.parts(RICH, numbering=NUMBERING, links=LINKS)
    content = bytearray(str(parts[part]).encode())
    for place, value in changes:
        at = place % len(content)
        content[at : at + len(value)] = value
    check(word.zip(parts | {part: bytes(content)}), word.limits)


@QUIET
@given(start=st.integers(0, 3_000), length=st.integers(1, 3_000))
def test_cut_out_bytes(word, start, length):
    data = built(word, RICH, numbering=NUMBERING)
    check(data[:start] + data[start + length :], word.limits)
