"""Pictures, text boxes, charts and diagrams: each once, in order, nothing outside of the file."""

from __future__ import annotations

import pytest

PLACE = "\ue000{}\ue001"
GIF, JPEG, WEBP = b"GIF89a....", b"\xff\xd8\xff\xe0....", b"RIFF....WEBPVP8 "


def frame(content, *, alt="", kind="inline"):
    return (
        f'<w:r><w:drawing><wp:{kind}><wp:docPr id="1" name="x" descr="{alt}"/><a:graphic><a:graphicData>'
        f"{content}</a:graphicData></a:graphic></wp:{kind}></w:drawing></w:r>"
    )


def pic(reference, alt=""):
    return (
        f'<pic:pic><pic:nvPicPr><pic:cNvPr id="0" name="n" descr="{alt}"/></pic:nvPicPr>'
        f'<pic:blipFill><a:blip r:embed="{reference}"/></pic:blipFill></pic:pic>'
    )


def vml(reference, *, alt="", title=""):
    data = f'<v:imagedata r:id="{reference}" o:title="{title}"/>'
    return f'<w:pict><v:shape alt="{alt}">{data}</v:shape></w:pict>'


def images(word, content, files, *, links=()):
    """Reads one paragraph; ``files`` are pictures by the id of their relationship."""
    return word.read(
        f"<w:p>{word.r('Text')}{content}</w:p>",
        links=[*((identity, "image", f"media/{identity}") for identity in files), *links],
        parts={f"word/media/{identity}": data for identity, data in files.items()},
    )


@pytest.mark.req("FIG1", "FIG4")
def test_pictures_come_in_document_order_with_their_alternative_text(word):
    body = (
        f"<w:p>{frame(pic('a'), alt='First')}{word.r('One')}</w:p>"
        + word.table(["Cell", f"<w:p>{frame(pic('b'), alt='Second', kind='anchor')}</w:p>"])
        + f"<w:p>{word.r('Two')}<w:hyperlink>{frame(pic('a'), alt='Third')}</w:hyperlink>{word.r('!')}</w:p>"
    )
    found = word.read(
        body,
        links=[("a", "image", "media/a.png"), ("b", "image", "media/b.jpg")],
        parts={"word/media/a.png": word.png, "word/media/b.jpg": JPEG},
    )
    assert [(image.alt, image.data, image.reason) for image in found.images] == [
        ("First", word.png, None), ("Second", JPEG, None), ("Third", word.png, None),
    ]  # fmt: skip
    assert found.text.split("\n\n") == [
        PLACE.format(1),
        "One",
        "Cell",
        PLACE.format(2),
        "Two!",
        PLACE.format(3),
    ]


@pytest.mark.req("FIG1")
@pytest.mark.parametrize("data", [GIF, JPEG, WEBP])
def test_four_kinds_of_picture_are_known_by_their_bytes(word, data):
    assert images(word, frame(pic("x.bin")), {"x.bin": data}).images[0].data == data


@pytest.mark.req("FIG1", "FIG3")
@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("x.emf", b"\x01\x00\x00\x00l\x00\x00\x00", "type"),
        ("x.wmf", b"\xd7\xcd\xc6\x9a\x00", "type"),
        ("x.svg", b"<svg xmlns='x'/>", "type"),
        ("x.tiff", b"II*\x00", "type"),
        ("x.pict", b"\x00\x00", "type"),
        ("emf-in-truth.png", b"\x01\x00\x00\x00l\x00\x00\x00", "type"),
        ("broken.png", b"\x00\x01\x02 no picture", "decode"),
        ("empty.jpeg", b"", "decode"),
    ],
)
def test_other_pictures_are_counted_with_the_reason(word, name, data, reason):
    image = images(word, frame(pic(name), alt="Plan"), {name: data}).images[0]
    assert (image.data, image.reason, image.alt) == (None, reason, "Plan")


@pytest.mark.req("FIG3")
def test_missing_pictures_are_counted(word):
    content = frame(pic("gone")) + frame(pic("nowhere")) + frame("<pic:pic><a:blip/></pic:pic>")
    found = images(word, content, {}, links=[("gone", "image", "media/gone.png")])
    assert [image.reason for image in found.images] == ["decode", "decode", "decode"]


@pytest.mark.req("FIG3")
@pytest.mark.parametrize(
    "target", ["https://example.org/a.png", "file:///etc/passwd", "media/a.png", r"\\server\share\a.png"]
)
def test_external_pictures_are_never_opened(word, target):
    content = frame('<pic:pic><a:blip r:link="x"/></pic:pic>') + f"<w:r>{vml('x')}</w:r>"
    found = word.read(
        f"<w:p>{word.r('Text')}{content}</w:p>",
        links=[("x", "image", target, "External")],
        parts={"word/media/a.png": word.png},
    )
    assert [(image.data, image.reason) for image in found.images] == [(None, "type"), (None, "type")]
    assert "server" not in found.text
    assert "example" not in found.text


@pytest.mark.req("FIG2")
def test_a_picture_over_the_limit_costs_only_itself(word):
    large = word.png + b"\0" * word.limits.max_image_bytes
    found = images(word, frame(pic("a")) + frame(pic("b")), {"a": large, "b": word.png})
    assert [image.reason for image in found.images] == ["bytes", None]


def test_a_picture_in_a_group_has_its_own_text_and_one_alone_that_of_its_frame(word):
    group = f"<wpg:wgp>{pic('a', 'Left')}<wpg:grpSp>{pic('a', 'Right')}{pic('a')}</wpg:grpSp></wpg:wgp>"
    found = images(word, frame(group, alt="Both") + frame(pic("a", "scan.png"), alt="Alone"), {"a": word.png})
    assert [image.alt for image in found.images] == ["Left", "Right", "Both", "Alone"]


@pytest.mark.parametrize(
    "path",
    [
        r"C:\Users\ann\plan.png",
        r"k:\_projects\x.gif",
        r"\\server\home\x.png",
        "file:///c:/x.png",
        "/Users/ann/x.png",
        "/home/ann/x.png",
        r"Picture of C:\Users\ann\x.png",
    ],
)
def test_alternative_text_that_tells_a_path_is_dropped(word, path):
    found = images(
        word,
        frame(pic("a", "A plan"), alt=path) + f"<w:r>{vml('a', alt=path, title=path)}</w:r>",
        {"a": word.png},
    )
    assert [image.alt for image in found.images] == ["A plan", ""]


def test_alternative_text_is_one_line(word):
    alt = "A duck\ue0001\ue001&#10;&#10;Description automatically generated: 3/4 of it"
    found = images(word, frame(pic("a"), alt=alt), {"a": word.png})
    assert found.images[0].alt == "A duck1 Description automatically generated: 3/4 of it"


def test_vml_pictures_and_previews_of_objects(word):
    content = f"<w:r>{vml('a', alt='Shape')}</w:r><w:r>{vml('a', title='Title')}</w:r>"
    content += f"<w:r>{vml('a').replace('w:pict', 'w:object')}</w:r>"
    found = images(word, content, {"a": word.png})
    assert [(image.alt, image.data) for image in found.images] == [
        ("Shape", word.png), ("Title", word.png), ("", word.png),
    ]  # fmt: skip


def box(content, around="wps:wsp"):
    return frame(f"<{around}><wps:txbx><w:txbxContent>{content}</w:txbxContent></wps:txbx></{around}>")


def old_box(content):
    return f"<w:pict><v:textbox><w:txbxContent>{content}</w:txbxContent></v:textbox></w:pict>"


def alternatives(choice, fallback):
    return (
        f'<mc:AlternateContent><mc:Choice Requires="wps">{choice}</mc:Choice>'
        f"<mc:Fallback>{fallback}</mc:Fallback></mc:AlternateContent>"
    )


@pytest.mark.req("DOC1")
def test_a_text_box_with_a_picture_is_read_once(word):
    inside = word.p("In the box") + f"<w:p>{frame(pic('a'), alt='Inside')}</w:p>"
    old = f"<w:r>{old_box(inside)}</w:r>"
    content = alternatives(box(inside), old)
    found = images(word, content, {"a": word.png})
    assert found.text == "Text\n\nIn the box\n\n" + PLACE.format(1)
    assert [image.alt for image in found.images] == ["Inside"]


def test_alternatives_inside_of_a_run_and_of_a_drawing(word):
    old = old_box(word.p("old"))
    new = box(word.p("new")).removeprefix("<w:r>").removesuffix("</w:r>")
    assert images(word, f"<w:r>{alternatives(new, old)}</w:r>", {}).text == "Text\n\nnew"
    inner = alternatives("<wps:wsp><w:txbxContent>" + word.p("new") + "</w:txbxContent></wps:wsp>", pic("a"))
    found = images(word, frame(inner), {"a": word.png})
    assert (found.text, found.images) == ("Text\n\nnew", [])


def test_where_a_branch_holds_nothing_that_we_read_the_next_one_is_taken(word):
    ink = "<w:r><w:drawing><w:contentPart/></w:drawing></w:r>"
    found = images(word, alternatives(ink, frame(pic("a"), alt="Sketch")), {"a": word.png})
    assert [image.alt for image in found.images] == ["Sketch"]
    assert images(word, alternatives("<w:r/>", ""), {}).text == "Text"


def test_a_box_has_headings_lists_and_tables_of_its_own(word):
    inside = (
        word.p("Note", style="Heading2") + word.p("one", word.numbered) + word.table(["A", "B"], ["1", "2"])
    )
    text = word.text(f"<w:p>{word.r('Text')}{box(inside)}</w:p>" + word.p("End"), numbering=word.numbers)
    assert text == "Text\n\n## Note\n\n1. one\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\nEnd"


def test_a_box_in_a_cell_is_a_line_of_the_cell(word):
    body = word.table(["A", "B"], ["a", f"<w:p>{word.r('b')}{box(word.p('in the box'))}</w:p>"])
    assert word.text(body).split("\n")[2] == "| a | b<br>in the box |"


def test_word_art_is_text(word):
    art = '<w:r><w:pict><v:shape><v:textpath string="Grand&#10;opening"/></v:shape></w:pict></w:r>'
    assert images(word, art, {}).text == "Text\n\nGrand opening"


def test_drawings_in_deleted_text_or_in_the_code_of_a_field_are_gone(word):
    code = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>{}<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    found = images(word, f"<w:del>{frame(pic('a'))}</w:del>" + code.format(frame(pic("a"))), {"a": word.png})
    assert (found.text, found.images) == ("Text", [])


CHART = (
    "<c:chart><c:title><a:p><a:r><a:t>Sales </a:t></a:r><a:r><a:t>2026</a:t></a:r></a:p></c:title>"
    "<c:plotArea><c:ser>"
    "<c:tx><c:strRef><c:strCache><c:pt idx='0'><c:v>North</c:v></c:pt></c:strCache></c:strRef></c:tx>"
    "<c:cat><c:pt idx='0'><c:v>May</c:v></c:pt><c:pt idx='1'><c:v>June</c:v></c:pt></c:cat>"
    "<c:val><c:pt idx='0'><c:v>4.3</c:v></c:pt><c:pt idx='1'><c:v>2.5</c:v></c:pt></c:val></c:ser>"
    "<c:ser><c:tx><c:v>South</c:v></c:tx><c:val><c:pt idx='1'><c:v>7</c:v></c:pt></c:val></c:ser>"
    "</c:plotArea></c:chart>"
)
CHART_FRAME = frame('<c:chart r:id="c"/>')
DIAGRAM_FRAME = frame('<dgm:relIds r:dm="d"/>')


def test_a_chart_is_the_table_of_its_numbers(word):
    parts = {"word/charts/c.xml": word.root("c:chartSpace", CHART)}
    text = word.text(
        f"<w:p>{word.r('Text')}{CHART_FRAME}</w:p>", links=[("c", "chart", "charts/c.xml")], parts=parts
    )
    assert text == (
        "Text\n\nSales 2026\n\n"
        "|  | North | South |\n| --- | --- | --- |\n| May | 4.3 |  |\n| June | 2.5 | 7 |"
    )


@pytest.mark.parametrize("part", ["<c:chartSpace/>", "<broken", ""])
def test_a_chart_that_cannot_be_read_is_told(word, part):
    body = f"<w:p>{word.r('Text')}{CHART_FRAME}{CHART_FRAME}</w:p>"
    found = word.read(body, links=[("c", "chart", "charts/c.xml")], parts={"word/charts/c.xml": part})
    assert (found.text, found.notes) == ("Text", ["2 charts were not read."])


def test_a_diagram_is_the_list_of_its_words(word):
    def point(text, kind=""):
        return f"<dgm:pt{kind}><dgm:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t></dgm:pt>"

    points = (
        point("Order")
        + point("", ' type="parTrans"')
        + point("Ship", ' type="node"')
        + point("x", ' type="pres"')
    )
    parts = {"word/diagrams/d.xml": word.root("dgm:dataModel", f"<dgm:ptLst>{points}</dgm:ptLst>")}
    body = f"<w:p>{word.r('Text')}{DIAGRAM_FRAME}</w:p>"
    assert (
        word.text(body, links=[("d", "diagramData", "diagrams/d.xml")], parts=parts)
        == "Text\n\n- Order\n- Ship"
    )
    assert word.read(body).notes == ["1 diagram was not read."]
